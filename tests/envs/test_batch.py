"""BatchEnv: the same games as `Game` plays, whatever the threads; and what it does with bad input."""

import pickle

import numpy as np
import pytest

from sunglade import BadRequest, BadRules, Game, IllegalAction, Rules
from sunglade.envs import BatchEnv
from sunglade.notation import ACTION_NAMES
from sunglade.rules import MODULES

pytestmark = pytest.mark.xdist_group("envs")

EVERYTHING = Rules(modules=MODULES)
KINDS = [
    (2, Rules()),
    (3, EVERYTHING),
    (4, Rules(edition="de", shade_forbids=True)),
    (2, Rules(edition="es", modules=["moon"])),
]
ILLEGAL = 78  # collect g4, before anything stands there


def expected_win(game: Game) -> list[float]:
    winners, n = game.winners, game.players
    assert winners is not None
    k = len(winners)
    return [(n - k) / (k * (n - 1)) if seat in winners else -1 / (n - 1) for seat in range(n)]


@pytest.mark.parametrize(("players", "rules"), KINDS)
def test_batch_plays_the_same_games_as_game(players: int, rules: Rules) -> None:
    env = BatchEnv(12, players=players, rules=rules, seed=9, threads=2)
    games = [Game(players, rules, seed=int(seed)) for seed in env.seeds]
    ended = 0
    for _ in range(330):
        actions = env.random_actions()
        rewards, done = env.step(actions)
        for i, game in enumerate(games):
            game.play(ACTION_NAMES[actions[i]])
            assert game.over == done[i]
            if game.over:
                assert rewards[i] == pytest.approx(expected_win(game))
                games[i] = Game(players, rules, seed=int(env.seeds[i]))
                ended += 1
            else:
                assert not rewards[i].any()
    for i, game in enumerate(games):
        assert game.record.tobytes() == env.records[i].tobytes()
        assert env.game(i) == game
        assert np.flatnonzero(env.masks[i]).tolist() == sorted(game.legal_numbers)
        assert env.player[i] == game.player
    assert ended >= 12


@pytest.mark.parametrize("threads", [1, 2, 3, 7])
def test_results_do_not_depend_on_the_number_of_threads(threads: int) -> None:
    def played(threads: int) -> tuple[bytes, ...]:
        with BatchEnv(50, players=3, rules=EVERYTHING, seed=4, threads=threads) as env:
            env.play_random(170)
            for _ in range(20):
                env.step(env.random_actions())
            rewards, done = env.step(env.random_actions())
            views = env.records, env.observations, env.masks, env.player, env.seeds, rewards, done
            return tuple(view.tobytes() for view in views)

    assert played(threads) == played(5)


def test_games_of_a_batch_differ_and_seeds_repeat_them() -> None:
    env = BatchEnv(200, rules=Rules(modules=["moon"]), seed=1)
    first = env.records.copy()
    assert len(set(env.seeds.tolist())) == 200
    assert len({record.dealt.tobytes() for record in first}) > 100
    env.reset(seed=2)
    assert env.records.tobytes() != first.tobytes()
    env.reset(seed=1)
    assert env.records.tobytes() == first.tobytes()
    env.reset()
    assert env.records.tobytes() != first.tobytes()
    assert BatchEnv(100, rules=Rules(modules=["moon"]), seed=1).records.tobytes() == first[:100].tobytes()


def play_until_done(env: BatchEnv) -> tuple[np.ndarray, np.ndarray]:
    while True:
        rewards, done = env.step(env.random_actions())
        if done.any():
            return rewards.copy(), done.copy()


def test_auto_reset_in_the_same_step() -> None:
    env = BatchEnv(8, seed=3, rules=Rules(rounds=2))
    before = env.seeds.copy()
    rewards, done = play_until_done(env)
    assert rewards[done].any() and not rewards[~done].any()
    assert (env.records["current_round"][done] == 0).all() and (env.masks[done].sum(axis=1) == 18).all()
    assert (env.seeds[done] != before[done]).all() and (env.seeds[~done] == before[~done]).all()


def test_auto_reset_in_the_next_step() -> None:
    env = BatchEnv(8, seed=3, rules=Rules(rounds=2), auto_reset="next_step")
    _, done = play_until_done(env)
    assert (env.masks[done].sum(axis=1) == 1).all() and env.masks[done, 0].all()
    rewards, again = env.step(env.random_actions())
    assert not again[done].any() and not rewards[done].any()
    assert (env.masks[done].sum(axis=1) == 18).all()


def test_without_auto_reset_a_game_stays_over() -> None:
    env = BatchEnv(8, seed=3, rules=Rules(rounds=2), auto_reset="disabled")
    _, done = play_until_done(env)
    finished = env.records[done].copy()
    actions = env.random_actions()
    actions[done] = ILLEGAL  # ignored
    rewards, still = env.step(actions)
    assert still[done].all() and not rewards[done].any()
    assert env.records[done].tobytes() == finished.tobytes()
    env.reset(games=done)
    assert (env.masks[done].sum(axis=1) == 18).all()


def test_one_seat_against_random_players() -> None:
    env = BatchEnv(40, players=3, opponents="random", seat=1, seed=5, auto_reset="next_step", reward="rank")
    ended = 0
    for _ in range(200):
        rewards, done = env.step(env.random_actions())
        over = env.records["phase"] == 6
        assert (over == done).all()
        assert (env.player[~over] == 1).all()
        assert np.allclose(rewards.sum(axis=1), 0)
        ended += int(done.sum())
    assert ended > 40


def test_random_actions_are_uniform() -> None:
    env = BatchEnv(4000, seed=11)
    counts = np.bincount(env.random_actions(), minlength=1409)[env.masks[0] == 1]
    assert len(counts) == 18 and counts.sum() == 4000
    assert abs(counts / 4000 - 1 / 18).max() < 0.02


def test_margin_and_rank() -> None:
    env = BatchEnv(30, players=4, seed=2, rules=Rules(rounds=8), reward="margin", auto_reset="disabled")
    ranked = BatchEnv(30, players=4, seed=2, rules=Rules(rounds=8), reward="rank", auto_reset="disabled")
    margins = np.zeros((30, 4))
    ranks = np.zeros((30, 4))
    while not (env.records["phase"] == 6).all():
        actions = env.random_actions()
        margins += env.step(actions).rewards
        ranks += ranked.step(actions).rewards
    for i in range(30):
        points = [score.total for score in env.game(i).scores()]
        for seat in range(4):
            others = (sum(points) - points[seat]) / 3
            assert margins[i, seat] == pytest.approx((points[seat] - others) / 100, abs=1e-6)
            better = sum(p > points[seat] for p in points)
            worse = sum(p < points[seat] for p in points)
            if better + worse == 3:  # nobody level in points
                assert ranks[i, seat] == pytest.approx((worse - better) / 3)
    assert np.allclose(ranks.sum(axis=1), 0, atol=1e-6) and np.allclose(margins.sum(axis=1), 0, atol=1e-6)


def test_save_and_restore() -> None:
    env = BatchEnv(20, rules=EVERYTHING, seed=8)
    env.play_random(60)
    saved = env.save()
    env.play_random(200)
    later = env.records.copy()
    env.restore(pickle.loads(pickle.dumps(saved)))
    assert env.records.tobytes() == saved.records.tobytes() and not env.step(env.random_actions()).rewards.any()
    env.restore(saved)
    env.play_random(200)
    assert env.records.tobytes() == later.tobytes()


def test_only_what_a_batch_like_it_saved_is_restored() -> None:
    saved = BatchEnv(4, rules=EVERYTHING).save()
    for other in (BatchEnv(5, rules=EVERYTHING), BatchEnv(4), BatchEnv(4, rules=EVERYTHING, players=3)):
        with pytest.raises(BadRequest):
            other.restore(saved)
    for nonsense in ({}, None, {"records": saved.records, "seeds": saved.seeds, "randoms": saved.randoms}):
        with pytest.raises(BadRequest):
            BatchEnv(4, rules=EVERYTHING).restore(nonsense)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="read-only"):
        saved.records["collected"] = 99


def test_set_game() -> None:
    env = BatchEnv(3)
    game = Game(2, actions=["place a1", "place g4"])
    env.set_game(1, game)
    assert env.game(1) == game and env.game(0) == Game(2)
    assert np.flatnonzero(env.masks[1]).tolist() == sorted(game.legal_numbers)
    for wrong in (Game(3), "sunglade/1", None):
        with pytest.raises(BadRequest):
            env.set_game(0, wrong)  # type: ignore[arg-type]
    with pytest.raises(BadRequest, match="determinised"):
        BatchEnv(3, rules=EVERYTHING).set_game(0, Game(2, EVERYTHING, seed=1).redacted())
    with pytest.raises(IndexError):
        env.set_game(3, game)


def test_observations_can_be_left_out() -> None:
    env = BatchEnv(5, observe=False)
    env.step(env.random_actions())
    assert env.observations.shape == (0, 2832) and env.masks.shape == (5, 1409)


def test_a_number_too_large_for_the_batch_is_named_as_given() -> None:
    with pytest.raises(IllegalAction, match=f"game 0: {2**63} is no action"):
        BatchEnv(2).step(np.full(2, 2**63, np.uint64))


@pytest.mark.parametrize("action", [ILLEGAL, -1, 1409, 10**12, -(10**12)])
def test_an_illegal_action_changes_nothing_and_names_the_game(action: int) -> None:
    env = BatchEnv(6, threads=2, seed=1)
    before = env.records.copy(), env.masks.copy()
    actions = env.random_actions()
    actions[4] = action
    with pytest.raises(IllegalAction, match="game 4") as caught:
        env.step(actions)
    assert caught.value.at == 4
    assert env.records.tobytes() == before[0].tobytes() and (env.masks == before[1]).all()


@pytest.mark.parametrize(
    "actions",
    [
        0,
        [0] * 5,
        [[0] * 6],
        [0.0] * 6,
        [True] * 6,
        ["end"] * 6,
        None,
        np.zeros((6, 1), np.int64),
        np.zeros(7, np.int64),
    ],
)
def test_actions_of_wrong_shape_or_type(actions: object) -> None:
    env = BatchEnv(6)
    before = env.records.copy()
    with pytest.raises(BadRequest):
        env.step(actions)  # type: ignore[arg-type]
    assert env.records.tobytes() == before.tobytes()


def test_actions_of_any_whole_number_type_will_do() -> None:
    for kind in (np.int8, np.uint8, np.int32, np.uint64):
        env = BatchEnv(4)
        env.step(np.full(4, 1, np.int64) * 0 + env.masks.argmax(axis=1))
        with pytest.raises(IllegalAction):
            env.step(np.full(4, 100).astype(kind))


@pytest.mark.parametrize(
    "options",
    [
        {"n": 0}, {"n": 2.0}, {"n": True}, {"players": "2"}, {"threads": 0}, {"threads": 1.5}, {"reward": "points"},
        {"auto_reset": True}, {"seat": 2}, {"seat": -1}, {"seed": "x"}, {"seed": 1.0}, {"rules": 5},
    ],
)  # fmt: skip
def test_options_that_make_no_sense(options: dict[str, object]) -> None:
    with pytest.raises(BadRequest):
        BatchEnv(**{"n": 4, **options})  # type: ignore[arg-type]


def test_rules_that_make_no_sense() -> None:
    with pytest.raises(BadRules):
        BatchEnv(4, players=5)
    with pytest.raises(BadRules):
        BatchEnv(4, rules={"edition": "xx"})


def test_reset_refuses_what_it_cannot_do() -> None:
    env = BatchEnv(4)
    for games in ([1, 0, 0, 0], np.ones(3, bool), np.ones((4, 1), bool)):
        with pytest.raises(BadRequest):
            env.reset(games=games)
    with pytest.raises(BadRequest):
        env.reset(seed=1, games=np.ones(4, bool))
    for steps in (-1, 1.0, "3"):
        with pytest.raises(BadRequest):
            env.play_random(steps)  # type: ignore[arg-type]


def test_what_learners_write_into_their_arrays_changes_no_game() -> None:
    """PyTorch takes only arrays that can be written to without a warning."""
    env, untouched = BatchEnv(6, seed=3), BatchEnv(6, seed=3)
    for _ in range(40):
        for view in (env.observations, env.planes, env.table, env.masks, env.player, env.seeds, env.seats):
            assert view.flags.writeable
            view[:] = 1
        with pytest.raises(IllegalAction):
            env.step(np.full(6, ILLEGAL))
        actions = untouched.random_actions()
        assert (untouched.step(actions).done == env.step(actions).done).all()
        assert (env.records == untouched.records).all() and (env.masks == untouched.masks).all()
    with pytest.raises(ValueError, match="read-only"):
        env.records["phase"] = 9
