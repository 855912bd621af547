"""Which games are played: everybody in every seat, the same opening and the same dice within a group."""

from collections import Counter

import pytest

import zermelo
from zermelo import CHANCE, GameError, History
from zermelo.arena.match_runner import MatchRunner, default_jobs
from zermelo.arena.plan import ROUND_ROBIN, Plan, make_plan
from zermelo.arena.playing import Dice, make_opening
from zermelo.arena.records import replay


def plan_of(name="tic-tac-toe", players=("random", "random:seed=1"), options=None, **settings):
    return make_plan(zermelo.load(name, **(options or {})), list(players), **settings)


def seats(plan, count):
    return [plan.fixture(n).seats for n in range(count)]


def test_pairs_with_sides_swapped():
    plan = plan_of()
    assert seats(plan, 4) == [(0, 1), (1, 0), (0, 1), (1, 0)]
    assert [plan.fixture(n).group for n in range(4)] == [0, 0, 1, 1]


@pytest.mark.parametrize(
    ("name", "options", "players", "expected"),
    [
        ("chinese-checkers", {"players": 3, "size": 2}, 3, [(0, 1, 2), (1, 2, 0), (2, 0, 1)]),
        ("chinese-checkers", {"players": 3, "size": 2}, 2, [(0, 1, 0), (1, 0, 1)]),
        ("partners", {}, 2, [(0, 1, 0, 1), (1, 0, 1, 0)]),
        ("game-2048", {}, 3, [(0,), (1,), (2,)]),
    ],
)
def test_everybody_sits_in_every_seat(name, options, players, expected):
    plan = plan_of(name, ["random"] * players, options)
    assert seats(plan, len(expected)) == expected
    assert plan.fixture(len(expected)).group == 1
    for seat in range(plan.seats):
        assert Counter(s[seat] for s in expected) == Counter(range(players))


def test_a_round_robin_meets_everybody_before_it_begins_again():
    plan = plan_of(players=["random", "minimax", "level=1"], kind=ROUND_ROBIN)
    assert plan.per_round == 6
    assert [plan.fixture(n).lineup for n in range(0, 6, 2)] == [(0, 1), (0, 2), (1, 2)]
    assert Counter(s for game in seats(plan, 6) for s in game) == {0: 4, 1: 4, 2: 4}
    assert plan.fixture(6).lineup == (0, 1)
    assert plan.fixture(6).group == 3


@pytest.mark.parametrize(
    ("name", "players", "kind", "words"),
    [
        ("tic-tac-toe", 1, "match", "at least two players"),
        ("tic-tac-toe", 3, "match", "tic-tac-toe seats 2, but 3 players are given"),
        ("chinese-checkers", 3, ROUND_ROBIN, "for games of one or two sides"),
    ],
)
def test_what_cannot_be_planned(name, players, kind, words):
    with pytest.raises(GameError, match=words):
        plan_of(name, ["random"] * players, kind=kind)


def test_a_plan_travels_as_json():
    import json

    plan = plan_of("connect-four", options={"width": 5}, seed=9, opening=3, seconds=0.5)
    again = Plan.from_dict(json.loads(json.dumps(plan.as_dict())))
    assert again == plan
    assert again.identity == plan.identity


def test_what_makes_a_plan_another_one():
    one = plan_of()
    assert plan_of().identity == one.identity
    assert plan_of(margin=9.0).identity == one.identity  # how patient we are changes no game
    others = [plan_of(seed=1), plan_of(opening=3), plan_of(players=["random", "minimax"]), plan_of("connect-four")]
    assert len({one.identity, *(other.identity for other in others)}) == 5


def test_openings_are_shared_by_a_pair_and_no_others():
    plan = plan_of("connect-four", opening=6, seed=2)
    game = zermelo.load("connect-four")
    lines = [tuple(make_opening(plan, game, group).moves) for group in range(30)]
    assert lines == [tuple(make_opening(plan, game, group).moves) for group in range(30)]
    assert all(len(line) == 6 for line in lines)
    assert len(set(lines)) > 25


def test_an_opening_does_not_end_the_game():
    game = zermelo.load("tic-tac-toe")
    plan = plan_of(opening=8)
    for group in range(10):
        assert not make_opening(plan, game, group).is_over
    with pytest.raises(GameError, match="every opening of 9 random plies ends the game"):
        make_opening(plan_of(opening=9), game, 0)


def test_dice_make_openings_enough():
    assert plan_of("backgammon").opening == 0
    assert plan_of("tic-tac-toe").opening == 2


def test_dice_depend_on_their_number_alone():
    game = zermelo.load("backgammon")

    def rolls(seed, choose):
        history, dice = History(game), Dice(seed)
        while len(history.moves) < 40:
            if history.player() == CHANCE:
                history.play(dice.roll(game, history.state))
            else:
                history.play(history.actions()[choose(len(history.actions()))])
        return history.moves[0::2]

    first, last = rolls(5, lambda n: 0), rolls(5, lambda n: n - 1)
    assert first == last
    assert rolls(6, lambda n: 0) != first


def test_dice_are_fair():
    game = zermelo.load("pig")
    history = History(game)
    history.play(history.actions()[0])  # to roll
    assert history.player() == CHANCE
    dice = Dice(1)
    seen = Counter(dice.roll(game, history.state) for _ in range(6000))
    assert len(seen) == 6
    assert all(850 < n < 1150 for n in seen.values())


def test_games_of_a_pair_share_opening_and_dice():
    game = zermelo.load("pig", goal=30)
    plan = plan_of("pig", ["random", "level=3"], {"goal": 30}, seed=3)
    games = list(MatchRunner(plan, 12).records(game))
    for first, second in zip(games[::2], games[1::2], strict=True):
        assert first["group"] == second["group"]
        assert first["players"] == second["players"][::-1]
        shared = min(len(first["dice"]), len(second["dice"]))
        assert shared > 2
        assert first["dice"][:shared] == second["dice"][:shared]
    assert len({tuple(record["dice"][:4]) for record in games[::2]}) > 3
    game4 = zermelo.load("connect-four", width=4, height=4)
    plan = make_plan(game4, ["random", "minimax:depth=1"], opening=4)
    games = list(MatchRunner(plan, 10).records(game4))
    for first, second in zip(games[::2], games[1::2], strict=True):
        assert first["moves"][:4] == second["moves"][:4]
        assert first["opening"] == 4
    for record in games:
        assert replay(record).is_over


def test_as_many_workers_as_there_are_cores_for_their_threads():
    assert default_jobs(plan_of()) >= 1
    assert default_jobs(plan_of(players=["alphabeta:threads=256", "random"])) == 1
