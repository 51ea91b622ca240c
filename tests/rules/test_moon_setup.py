"""Setting up Under the Moonlight (M-SETUP)."""

from typing import Any

import pytest

from positions import each_module_set, lunars, piece, play, player, refused, spaces, starting, turn
from sunglade import BadRules, Game, Rules, board
from sunglade.deal import Deal
from sunglade.rules import ANIMALS, BABIES

HANDS = [["fox", "owl"], ["boar", "turtle"], ["badger", "beaver"], ["hedgehog", "squirrel"]]
CORNERS = ["a1", "a4", "d1", "d7", "g1", "g4"]
THREE_LEAVES = ["c3", "c4", "d3", "d5", "e3", "e4"]


def new(players: int, *modules: str, **options: Any) -> Game:
    return Game(players, {"modules": modules, **options}, deal={"animals": HANDS[:players]})


def drafted(players: int, *modules: str, turtle: bool = True, **options: Any) -> Game:
    """A game after the draft; B has the turtle if wanted."""
    game = new(players, "moon", *modules, **options)
    return play(
        game, "draft fox", "draft turtle" if turtle else "draft boar", *(f"draft {h[0]}" for h in HANDS[2:players])
    )


def with_animals(players: int, *modules: str, **options: Any) -> Game:
    """A game after the animals were placed, the last player's on c3, and so on."""
    return play(drafted(players, *modules, **options), *(f"animal {space}" for space in THREE_LEAVES[:players]))


@each_module_set
@pytest.mark.parametrize("players", [2, 3, 4])
def test_order_of_the_set_up(players: int, modules: list[str]) -> None:
    """M-SETUP: base set-up to the player boards → animals → Elder Tree → moonstones → small trees."""
    game = new(players, *modules, moonstones=2)
    phases = []
    while game.phase != "turn":
        if game.phase not in phases:
            phases.append(game.phase)
        game.play(game.legal[0])
    wanted = {"moon": ["draft", "animals"], "elder": ["elder"], "stones": ["stones"]}
    assert phases == [phase for module in modules for phase in wanted[module]] + ["placing"]


# M-SETUP-1: the draft


@pytest.mark.parametrize("players", [2, 3, 4])
def test_m_setup_1_each_keeps_one_of_two_in_turn_order_openly(players: int) -> None:
    """M-SETUP-1"""
    game = new(players, "moon")
    for seat in range(players):
        assert (game.phase, game.player) == ("draft", seat)
        assert sorted(game.legal) == sorted(f"draft {animal}" for animal in HANDS[seat])
        game.play(f"draft {HANDS[seat][0]}")
        assert [each["animal"] for each in game.state()["players"]] == [
            hand[0] if other <= seat else None for other, hand in enumerate(HANDS[:players])
        ]
    assert game.phase == "animals"


def test_m_setup_1_only_dealt_animals_can_be_kept() -> None:
    """M-SETUP-1"""
    assert refused(new(2, "moon"), "draft boar") == "not_dealt"


@pytest.mark.parametrize("seed", range(50))
def test_m_setup_1_the_shuffled_deal_has_every_animal_once(seed: int) -> None:
    """M-SETUP-1"""
    dealt = Deal.from_seed(seed, 4).animals
    assert sorted(animal for hand in dealt for animal in hand) == sorted(ANIMALS)
    assert Deal.from_seed(seed, 2).animals == dealt[:2]


def test_m_setup_1_the_deal_of_a_seed_never_changes() -> None:
    """M-SETUP-1, M-SETUP-4"""
    assert Deal.from_seed(7, 4).to_dict() == {
        "animals": [["owl", "squirrel"], ["boar", "beaver"], ["badger", "fox"], ["hedgehog", "turtle"]],
        "babies": ["leaf", "light", "points", "two", "seed", "small"],
    }


def test_m_setup_2_lunar_points_start_at_2() -> None:
    """M-SETUP-2"""
    assert lunars(new(4, "moon")) == [2, 2, 2, 2]
    assert lunars(with_animals(3)) == [2, 2, 2]
    assert "lunar" not in player(new(2, "elder", "stones"))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_m_setup_3_animals_are_placed_in_reverse_turn_order_on_3_leaf_spaces(players: int) -> None:
    """M-SETUP-3"""
    game = drafted(players)
    free = list(THREE_LEAVES)
    for seat in reversed(range(players)):
        assert (game.phase, game.player) == ("animals", seat)
        assert game.legal == [f"animal {space}" for space in free]
        assert game.state()["players"][seat]["at"] is None
        chosen = free.pop(2)
        game.play(f"animal {chosen}")
        assert game.state()["players"][seat]["at"] == chosen
    assert (game.phase, game.player) == ("placing", 0)


def test_m_setup_3_not_where_an_animal_is() -> None:
    """M-SETUP-3"""
    assert refused(play(drafted(2), "animal d3"), "animal d3") == "animal_there"


# M-SETUP-4, M-SETUP-5: babies, shore, river


def test_m_setup_4_with_the_turtle_six_babies_lie_face_down_on_the_shore() -> None:
    """M-SETUP-4"""
    assert drafted(2).state()["face_down"] == []  # before the animals are placed
    assert with_animals(2).state()["face_down"] == CORNERS


def test_m_setup_4_without_the_turtle_there_are_no_babies() -> None:
    """M-SETUP-4"""
    assert with_animals(2, turtle=False).state()["face_down"] == []


@pytest.mark.parametrize("seed", range(50))
def test_m_setup_4_six_of_the_eight_babies(seed: int) -> None:
    """M-SETUP-4"""
    babies = Deal.from_seed(seed, 2).babies
    assert len(set(babies)) == 6 and set(babies) < set(BABIES)


def test_m_setup_4_the_state_does_not_tell_which_baby_lies_where() -> None:
    """M-SETUP-4"""
    orders = [
        ["two", "small", "medium", "harvest", "light", "seed"],
        ["points", "leaf", "light", "two", "seed", "small"],
    ]
    states = []
    for babies in orders:
        game = Game(2, {"modules": ["moon"]}, deal={"animals": HANDS[:2], "babies": babies})
        play(
            game,
            "draft fox",
            "draft turtle",
            "animal d3",
            "animal c3",
            *(f"place {s}" for s in ("a1", "a2", "b1", "c1")),
        )
        states.append(game.state())
    assert states[0] == states[1]


def test_m_setup_5_default_shore_and_river_are_the_corners() -> None:
    """M-SETUP-5"""
    rules = new(2, "moon").rules
    assert list(rules.shore) == list(rules.river) == CORNERS


def test_m_setup_5_any_six_spaces_may_be_the_shore() -> None:
    """M-SETUP-5"""
    shore = ["g2", "a2", "d4", "b1", "c3", "e6"]
    game = with_animals(2, shore=shore)
    in_order = ["a2", "b1", "c3", "d4", "e6", "g2"]
    assert game.state()["face_down"] == in_order
    assert list(game.rules.river) == in_order  # the river is the shore unless it is set


def test_m_setup_5_the_river_may_be_any_spaces() -> None:
    """M-SETUP-5"""
    game = turn(animals="beaver@a2 owl@e4", lunar=14, river=["b3"])
    assert starting(game, "beaver.dam") == ["beaver.dam a2 a3 b3"]


def test_m_setup_5_the_babies_of_the_deal_lie_in_index_order() -> None:
    """M-SETUP-5"""
    babies = "two small medium harvest light seed"
    game = turn(animals="turtle@d4 owl@e4", lunar=14, babies=babies, shore=["d4", "a2", "g2", "b1", "c3", "e6"])
    assert player(play(game, "turtle.hatch"))["babies"] == ["harvest"]  # d4 is the fourth


def test_m_setup_5_trees_seeds_and_animals_share_a_space_with_a_baby() -> None:
    """M-SETUP-5"""
    assert "place a1" in with_animals(2).legal
    game = turn("a2:A1", animals="turtle@b2 owl@e4", light=9)
    assert piece(play(game, "step a1", "plant a2 a1"), "a1") == "A0"
    assert (player(game)["at"], "a1" in game.state()["face_down"]) == ("a1", True)


# M-SETUP-6: the Elder Tree


@pytest.mark.parametrize("players", [2, 3, 4])
def test_m_setup_6_the_last_player_places_the_elder_tree(players: int) -> None:
    """M-SETUP-6"""
    game = new(players, "elder")
    assert (game.phase, game.player, game.state()["elder"]) == ("elder", players - 1, None)
    assert game.legal == [f"elder {space}" for space in board.NAMES]
    play(game, "elder d4")
    assert (game.phase, game.player, game.state()["elder"]) == ("placing", 0, "d4")


def test_m_setup_6_not_on_an_animal_or_a_baby() -> None:
    """M-SETUP-6"""
    game = with_animals(2, "elder")
    taken = [*CORNERS, "c3", "c4"]
    assert game.legal == [f"elder {space}" for space in board.NAMES if space not in taken]
    assert (refused(game, "elder c3"), refused(game, "elder a1")) == ("animal_there", "baby_there")


def test_m_setup_6_shore_spaces_are_free_without_the_turtle() -> None:
    """M-SETUP-6"""
    assert "elder a1" in with_animals(2, "elder", turtle=False).legal


# M-SETUP-7: moonstones


@pytest.mark.parametrize(
    ("players", "modules", "count"),
    [
        (2, ["stones"], 3),
        (3, ["stones"], 2),
        (4, ["stones"], 0),
        (2, ["elder", "stones"], 3),
        (3, ["elder", "stones"], 2),
        (4, ["elder", "stones"], 1),
        (4, ["moon", "stones"], 0),
        (4, ["moon", "elder", "stones"], 1),
        (2, ["moon", "elder"], 0),
    ],
)
def test_m_setup_7_how_many_moonstones(players: int, modules: list[str], count: int) -> None:
    """M-SETUP-7"""
    game = new(players, *modules)
    while game.phase != "turn":
        game.play(game.legal[0])
    assert len(starting_words(game, "stone")) == count
    assert len(game.state().get("stones", [])) == count


def starting_words(game: Game, word: str) -> list[str]:
    """The actions played that begin so."""
    return [line for line in game.actions if line.split()[0] == word]


@pytest.mark.parametrize("count", range(10))
@pytest.mark.parametrize("players", [2, 4])
def test_m_setup_7_option_moonstones(players: int, count: int) -> None:
    """M-SETUP-7"""
    game = new(players, "elder", "stones", moonstones=count)
    game.play("elder d4")
    for placed in range(count):
        assert (game.phase, len(game.state()["stones"])) == ("stones", placed)
        game.play(game.legal[-1])
    assert game.phase == "placing"


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("elder", [False, True])
def test_m_setup_7_counter_clockwise_from_the_last_player_or_right_of_the_elder_trees_placer(
    players: int, elder: bool
) -> None:
    """M-SETUP-7"""
    game = new(players, *(["elder"] if elder else []), "stones", moonstones=7)
    if elder:
        game.play("elder d4")
    order = []
    while game.phase == "stones":
        order.append(game.player)
        game.play(game.legal[0])
    begin = players - 2 if elder else players - 1
    assert order == [(begin - place) % players for place in range(7)]
    assert game.player == 0


def test_m_setup_7_not_on_animal_baby_elder_tree_or_stone() -> None:
    """M-SETUP-7"""
    game = play(with_animals(2, "elder", "stones"), "elder d4", "stone e4")
    taken = [*CORNERS, "c3", "c4", "d4", "e4"]
    assert game.legal == [f"stone {space}" for space in board.NAMES if space not in taken]
    assert (refused(game, "stone d4"), refused(game, "stone e4")) == ("elder_there", "stone_there")
    assert (refused(game, "stone c3"), refused(game, "stone g4")) == ("animal_there", "baby_there")


def test_m_setup_7_from_none_to_nine() -> None:
    """M-SETUP-7"""
    assert [Rules(moonstones=count).moonstones for count in (0, 9)] == [0, 9]
    for count in (-1, 10):
        with pytest.raises(BadRules):
            Rules(moonstones=count)


def test_m_setup_7_first_trees_go_beside_them() -> None:
    """M-SETUP-7"""
    game = play(new(2, "elder", "stones", moonstones=2), "elder a1", "stone a2", "stone b3")
    assert (refused(game, "place a1"), refused(game, "place a2")) == ("elder_there", "stone_there")
    assert int(game.record.empty) & spaces("a1 a2 b3") == 0
