"""Buy, plant, grow, collect, end, and activation (R-ACT)."""

import pytest

from positions import SIZES, lights, piece, play, player, refused, starting, turn
from sunglade import board

# R-ACT-1: activation


def test_r_act_1_plant_activates_origin_and_target() -> None:
    """R-ACT-1"""
    game = play(turn("d4:A2", light=9), "plant d4 d5")
    assert game.state()["activated"] == ["d4", "d5"]
    assert refused(game, "plant d4 d3") == refused(game, "grow d5") == "activated"
    assert refused(turn("d4:A1", light=9, activated="d4"), "grow d4") == "activated"


def test_r_act_1_grow_and_collect_activate_their_space() -> None:
    """R-ACT-1"""
    game = play(turn("d4:A2 c3:A3", light=9, available={"A large": 1}), "grow d4", "collect c3")
    assert game.state()["activated"] == ["c3", "d4"]
    assert refused(game, "collect d4") == "activated"
    assert refused(game, "plant d4 e4") == "activated"


def test_r_act_1_a_collected_space_cannot_be_planted_in_the_same_turn() -> None:
    """R-ACT-1"""
    game = play(turn("c3:A3 d4:A2", light=9), "collect c3")
    assert refused(game, "plant d4 c3") == "activated"
    assert "plant d4 c4" in game.legal


def test_r_act_1_origin_and_target_both_activated() -> None:
    """R-ACT-1"""
    game = turn("c3:A3 d4:A2", light=20, available={"A large": 1, "A seed": 2}, slots={"A large": ".."})
    play(game, "collect c3", "grow d4")
    assert refused(game, "plant d4 c3") == "activated"
    assert not starting(game, "plant")


def test_r_act_1_one_activated_space_is_enough_to_forbid_planting() -> None:
    """R-ACT-1"""
    game = turn("d4:A1 e4:A1", light=9, activated="d4 c3")
    assert refused(game, "plant d4 d3") == "activated"  # the origin
    assert refused(turn("d4:A1", light=9, activated="c3"), "plant d4 c3") == "activated"  # the target
    assert "plant e4 f4" in game.legal


def test_r_act_1_other_trees_may_still_act() -> None:
    """R-ACT-1"""
    game = play(turn("d4:A2 b2:A1", light=9, available={"A medium": 1}), "plant d4 d5")
    assert {"plant b2 b3", "grow b2"} <= set(game.legal)


def test_r_act_1_buying_activates_nothing() -> None:
    """R-ACT-1"""
    game = play(turn("d4:A1", light=20), *(f"buy {size}" for size in SIZES))
    assert game.state()["activated"] == []
    assert {"grow d4", "plant d4 d5"} <= set(game.legal)


def test_r_act_1_others_may_replant_after_a_collect_in_the_same_round() -> None:
    """R-ACT-1"""
    game = play(turn("d4:A3 d5:B1", light={"A": 4, "B": 1}), "collect d4", "end")
    assert (game.round, game.state()["activated"]) == (1, [])
    assert piece(play(game, "plant d5 d4"), "d4") == "B0"


def test_r_act_1_a_space_may_act_again_in_the_next_turn() -> None:
    """R-ACT-1"""
    game = play(turn("d4:A1", light=9, available={"A medium": 1, "A large": 1}), "grow d4", "end", "end", "end")
    assert game.player == 0
    assert piece(play(game, "grow d4"), "d4") == "A3"


# R-ACT-2: buy


@pytest.mark.parametrize(
    ("size", "prices"), [("seed", [1, 1, 2, 2]), ("small", [2, 2, 3, 3]), ("medium", [3, 3, 4]), ("large", [4, 5])]
)
def test_r_act_2_the_cheapest_piece_of_a_column_is_bought(size: str, prices: list[int]) -> None:
    """R-ACT-2"""
    game = turn(light=20)
    column = SIZES.index(size)
    at_hand = player(game)["available"][column]
    for bought, price in enumerate(prices, start=1):
        before = lights(game)[0]
        game.play(f"buy {size}")
        assert lights(game)[0] == before - price
        assert player(game)["available"][column] == at_hand + bought
        assert player(game)["slots"][column] == prices[bought:]
    assert refused(game, f"buy {size}") == "column_empty"


@pytest.mark.parametrize(("size", "price"), [("seed", 1), ("small", 2), ("medium", 3), ("large", 4)])
def test_r_act_2_the_price_must_be_paid(size: str, price: int) -> None:
    """R-ACT-2"""
    assert f"buy {size}" in turn(light=price).legal
    assert refused(turn(light=price - 1), f"buy {size}") == "light"


def test_r_act_2_a_bought_piece_may_be_used_in_the_same_turn() -> None:
    """R-ACT-2"""
    game = turn("d4:A2", light=7)
    assert refused(game, "grow d4") == "none_available"
    assert piece(play(game, "buy large", "grow d4"), "d4") == "A3"


def test_r_act_2_the_cheapest_occupied_slot_counts_where_there_are_gaps() -> None:
    """R-ACT-2"""
    game = turn(light=20, slots={"A seed": "..xx", "A medium": "x.x"})
    assert player(play(game, "buy medium"))["slots"][2] == [4]
    assert lights(game)[0] == 17
    assert lights(play(game, "buy seed"))[0] == 15


# R-ACT-3: plant


@pytest.mark.parametrize("size", [1, 2, 3])
def test_r_act_3_a_tree_throws_a_seed_as_far_as_it_is_high(size: int) -> None:
    """R-ACT-3"""
    game = turn(f"c3:A{size}", light=1)
    origin = board.COORDINATES[board.SPACE_NAMED["c3"]]
    near = [n for n, at in zip(board.NAMES, board.COORDINATES, strict=True) if 1 <= board.distance(origin, at) <= size]
    assert starting(game, "plant") == [f"plant c3 {name}" for name in near]


def test_r_act_3_also_round_corners() -> None:
    """R-ACT-3"""
    game = turn("d4:A2", light=1)
    assert "plant d4 b3" in game.legal  # a knight's move away
    assert refused(game, "plant d4 d1") == "out_of_reach"


def test_r_act_3_the_spaces_between_do_not_matter() -> None:
    """R-ACT-3"""
    game = turn("d1:A3 d2:B3 d3:B3", light=1)
    assert piece(play(game, "plant d1 d4"), "d4") == "A0"


def test_r_act_3_costs_one_light_and_an_available_seed() -> None:
    """R-ACT-3"""
    game = play(turn("d4:A1", light=3), "plant d4 d5")
    assert (lights(game)[0], player(game)["available"][0]) == (2, 1)
    assert refused(turn("d4:A1", light=0), "plant d4 d5") == "light"
    assert refused(turn("d4:A1", light=3, available={"A seed": 0}), "plant d4 d5") == "none_available"


def test_r_act_3_only_onto_empty_spaces() -> None:
    """R-ACT-3"""
    game = turn("d4:A2 d5:B1 c3:A0", light=3)
    assert refused(game, "plant d4 d5") == refused(game, "plant d4 c3") == "occupied"


def test_r_act_3_only_from_own_trees() -> None:
    """R-ACT-3"""
    game = turn("d4:A0 g1:B1", light=3)
    assert refused(game, "plant d4 d5") == "seed_cannot_plant"
    assert refused(game, "plant g1 g2") == refused(game, "plant a1 a2") == "not_yours"


def test_r_act_3_several_trees_plant_in_one_turn() -> None:
    """R-ACT-3"""
    game = play(turn("d4:A1 b2:A1", light=3), "plant d4 d5", "plant b2 b3")
    assert (piece(game, "d5"), piece(game, "b3"), lights(game)[0]) == ("A0", "A0", 1)


# R-ACT-4: grow


@pytest.mark.parametrize(("size", "cost"), [(0, 1), (1, 2), (2, 3)])
def test_r_act_4_cost_of_growing(size: int, cost: int) -> None:
    """R-ACT-4"""
    at_hand = {f"A {SIZES[size + 1]}": 1}
    assert refused(turn(f"d4:A{size}", light=cost - 1, available=at_hand), "grow d4") == "light"
    game = play(turn(f"d4:A{size}", light=cost, available=at_hand), "grow d4")
    assert (piece(game, "d4"), lights(game)[0]) == (f"A{size + 1}", 0)
    assert player(game)["available"][size + 1] == 0


@pytest.mark.parametrize("size", [0, 1, 2])
def test_r_act_4_needs_the_next_size_available(size: int) -> None:
    """R-ACT-4"""
    game = turn(f"d4:A{size}", light=9, available={f"A {SIZES[size + 1]}": 0})
    assert refused(game, "grow d4") == "none_available"
    assert "Buy one for" in (game.why_not("grow d4") or "")


def test_r_act_4_large_trees_and_other_peoples_do_not_grow() -> None:
    """R-ACT-4"""
    game = turn("d4:A3 d5:B1", light=9)
    assert refused(game, "grow d4") == "fully_grown"
    assert refused(game, "grow d5") == refused(game, "grow a1") == "not_yours"


@pytest.mark.parametrize(
    ("slots", "after"), [("....", [2]), ("...x", [2, 2]), ("..xx", [1, 2, 2]), (".xxx", [1, 1, 2, 2])]
)
def test_r_act_4_the_replaced_piece_goes_to_the_dearest_free_slot(slots: str, after: list[int]) -> None:
    """R-ACT-4"""
    game = play(turn("d4:A0", light=1, slots={"A seed": slots}), "grow d4")
    assert player(game)["slots"][0] == after


def test_r_act_4_the_dearest_free_slot_may_lie_below_a_gap() -> None:
    """R-ACT-4"""
    game = play(turn("d4:A2", light=3, available={"A large": 1}, slots={"A medium": "x.x"}), "grow d4")
    assert player(game)["slots"][2] == [3, 3, 4]


def test_r_act_4_with_no_free_slot_the_piece_leaves_the_game() -> None:
    """R-ACT-4"""
    game = turn("d4:A0", light=1)
    before = player(game)
    assert before["slots"][0] == [1, 1, 2, 2]
    after = player(play(game, "grow d4"))
    assert (after["slots"][0], after["available"][0]) == ([1, 1, 2, 2], before["available"][0])


# R-ACT-5: collect


def test_r_act_5_costs_four_light() -> None:
    """R-ACT-5"""
    assert refused(turn("d4:A3", light=3), "collect d4") == "light"
    game = play(turn("d4:A3", light=6), "collect d4")
    assert (lights(game)[0], piece(game, "d4")) == (2, ".")


@pytest.mark.parametrize(("space", "leaves", "token"), [("a1", 1, 14), ("b2", 2, 17), ("c3", 3, 19), ("d4", 4, 22)])
def test_r_act_5_the_top_token_of_the_soil(space: str, leaves: int, token: int) -> None:
    """R-ACT-5"""
    game = turn(f"{space}:A3", players=3, light=4)
    piles = [list(pile) for pile in game.state()["tokens"]]
    assert piles[leaves - 1].pop(0) == token
    play(game, f"collect {space}")
    assert game.state()["tokens"] == piles
    assert (player(game)["tokens"], player(game)["points"]) == ([token], token)


def test_r_act_5_the_tree_goes_back_to_the_player_board() -> None:
    """R-ACT-5"""
    game = play(turn("d4:A3 d5:A3", light=8), "collect d4")
    assert player(game)["slots"][3] == [5]
    assert player(play(game, "collect d5"))["slots"][3] == [4, 5]


def test_r_act_5_with_the_option_lowest_it_takes_the_cheapest_slot() -> None:
    """R-ACT-5"""
    game = play(turn("d4:A3 d5:A3", light=4, return_slot="lowest"), "collect d4")
    assert player(game)["slots"][3] == [4]


def test_r_act_5_the_last_token_of_a_pile_then_the_next_lower() -> None:
    """R-ACT-5"""
    game = play(turn("c3:A3 c4:A3", light=8, taken=(0, 0, 4, 0)), "collect c3", "collect c4")
    assert player(game)["tokens"] == [17, 17]
    assert game.state()["tokens"][1:3] == [[16, 16, 14, 14, 13, 13], []]


def test_r_act_5_falls_through_several_empty_piles() -> None:
    """R-ACT-5"""
    game = play(turn("d4:A3", players=3, light=4, taken=(0, 7, 5, 3)), "collect d4")
    assert player(game)["tokens"] == [14]


def test_r_act_5_never_climbs_to_a_higher_pile() -> None:
    """R-ACT-5"""
    game = turn("a1:A3", players=3, light=4, taken=(9, 0, 0, 0))
    piles = game.state()["tokens"]
    play(game, "collect a1")
    assert (player(game)["tokens"], game.state()["tokens"]) == ([], piles)


@pytest.mark.parametrize(("space", "taken"), [("a1", (9, 0, 0, 0)), ("b2", (9, 7, 0, 0)), ("d4", (9, 7, 5, 3))])
def test_r_act_5_with_no_token_left_the_tree_still_leaves(space: str, taken: tuple[int, ...]) -> None:
    """R-ACT-5"""
    game = play(turn(f"{space}:A3", players=3, light=5, taken=taken), f"collect {space}")
    assert (piece(game, space), player(game)["tokens"], player(game)["points"]) == (".", [], 0)
    assert (lights(game)[0], player(game)["slots"][3]) == (1, [4, 5])
    assert game.state()["activated"] == [space]


def test_r_act_5_only_own_large_trees() -> None:
    """R-ACT-5"""
    game = turn("d4:A2 d5:B3", light=9)
    assert refused(game, "collect d4") == "not_large"
    assert refused(game, "collect d5") == refused(game, "collect a1") == "not_yours"


# R-ACT-6: end


def test_r_act_6_end_is_always_legal() -> None:
    """R-ACT-6"""
    assert turn().legal == ["end"]
    assert turn("d4:A1", light=20).legal[0] == "end"
