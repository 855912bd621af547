"""Levels for people: sane at every level, and stronger from level to level."""

import dataclasses
import itertools

import pytest

import zermelo
from tests.evaluate.tower.test_cores import nudged
from zermelo import History
from zermelo.arena.match_runner import MatchRunner
from zermelo.arena.plan import make_plan
from zermelo.arena.summary import Summary
from zermelo.evaluate.tower.architecture import architecture_for
from zermelo.evaluate.tower.files import save_tower
from zermelo.players.level import LEVELS, NETWORK_LEVELS, best_player
from zermelo.players.move_values import value_moves


def choices(text, game, state, times=40):
    player = zermelo.player(text, game)
    player.reset(1)
    return [game.format_action(state, player.choose(state)) for _ in range(times)]


@pytest.mark.parametrize("level", range(2, 10))
def test_a_win_is_taken(level):
    game = zermelo.load("tic-tac-toe")
    assert set(choices(f"level={level}", game, game.parse("xx. oo. ..."), 10)) == {"c3"}


@pytest.mark.parametrize("level", range(1, 10))
def test_losing_at_once_is_not_overlooked(level):
    game = zermelo.load("tic-tac-toe")
    state = game.parse("oo. x.. x..")  # x to move: o threatens c3, and x has no win of its own at once
    assert game.player(state) == 0
    assert set(choices(f"level={level}", game, state, 10)) == {"c3"}


def test_a_low_level_varies():
    game = zermelo.load("connect-four", width=5, height=4)
    state = game.start()
    assert len(set(choices("level=1", game, state))) >= 3


def score(first, second, name, games, **options):
    game = zermelo.load(name, **options)
    plan = make_plan(game, [first, second], opening=1, seed=5)
    summary = Summary(plan)
    for record in MatchRunner(plan, games).records(game):
        summary.add(record)
    return summary.comparison().score


@pytest.mark.jit
def test_higher_levels_win_more():
    assert score("level=1", "random", "othello", 24, size=6) > 0.6
    assert score("level=5", "level=1", "othello", 24, size=6) > 0.6


def test_every_move_is_judged_alike():
    game = zermelo.load("tic-tac-toe")
    history = History(game, game.parse("xx. oo. ..."))
    judged = {game.format_action(history.state, m.action): m for m in value_moves(history, 2, 10_000, 0).moves}
    assert len(judged) == 5
    assert judged["c3"].wins
    assert judged["c3"].value == 1
    assert not judged["c2"].loses  # the only move that stops o
    assert judged["c1"].loses
    assert history.moves == []


def test_temperatures_fall_and_effort_grows():
    strengths = [LEVELS[level] for level in sorted(LEVELS)]
    assert all(a.temperature > b.temperature and a.nodes < b.nodes for a, b in itertools.pairwise(strengths))


@pytest.mark.parametrize("name", ["tic-tac-toe", "three-bins", "connect-four"])
@pytest.mark.parametrize("level", [1, 3, 8, 10])
def test_every_level_tells_what_it_saw(name, level):
    """Depth, value and line, heard while it thinks and kept afterwards; what it plays may be another move."""
    game = zermelo.load(name, **({"width": 5, "height": 4} if name == "connect-four" else {}))
    player, heard, view = zermelo.player(f"level={level}", game), [], game.player(game.start())
    player.on_report = heard.append
    player.choose(game.start())
    report = player.report
    assert heard[-1] is report
    assert report.depth >= 1
    assert report.pv[0] == report.best
    assert report.pv_text()
    sign = 1 if game.side(report.view) == game.side(view) else -1
    assert sign * report.value >= max(sign * move.value for move in report.moves) - 1e-9


def test_a_level_tells_the_reply_it_expects():
    game = zermelo.load("connect-four", width=5, height=4)
    player = zermelo.player("level=4", game)
    player.choose(game.start())
    assert len(player.report.pv) == player.report.depth == 3


def test_levels_play_as_they_always_have():
    game = zermelo.load("connect-four", width=5, height=4)
    assert choices("level=1", game, game.start(), 16) == list("4424414441212244")
    assert choices("level=8", game, game.start(), 16) == list("5515515551111155")


@pytest.fixture(scope="module")
def network(tmp_path_factory):
    """A network for tic-tac-toe that has opinions, though nobody taught it any."""
    game = zermelo.load("tic-tac-toe", compiled=False)
    a = architecture_for(game, 1, 8)
    path = tmp_path_factory.mktemp("level") / "weights.safetensors"
    weights = nudged(a)
    weights["policy.cells"] *= 20
    save_tower(path, game, a, weights)
    return path


def test_levels_of_a_network_are_sane(network):
    game = zermelo.load("tic-tac-toe")
    for level in (2, 5, 7):
        assert set(choices(f"level={level},weights={network}", game, game.parse("xx. oo. ..."), 5)) == {"c3"}
    for level in (1, 5, 7):
        assert set(choices(f"level={level},weights={network}", game, game.parse("oo. x.. x.."), 5)) == {"c3"}


def test_levels_of_a_network_get_surer_of_its_policy(network):
    game = zermelo.load("tic-tac-toe")
    policy = zermelo.search(game, algorithm=f"zero:weights={network}", nodes=1)
    first = game.format_action(game.start(), policy.best)
    shares = [choices(f"level={k},weights={network}", game, game.start(), 60).count(first) for k in (1, 5)]
    assert shares[0] < shares[1]
    softness = [NETWORK_LEVELS[level] for level in sorted(NETWORK_LEVELS)]
    assert list(LEVELS) == list(NETWORK_LEVELS)
    for a, b in itertools.pairwise(softness):
        assert (a.simulations, -a.temperature) < (b.simulations, -b.temperature)


def test_the_rules_declare_what_is_strongest(network, monkeypatch):
    game = zermelo.load("tic-tac-toe")
    assert best_player(game).name.startswith("alphabeta")
    monkeypatch.setattr(game, "variant", dataclasses.replace(game.variant, strongest="mcts"))
    assert best_player(game, 2.0).name == "mcts:seconds=2.0"
    monkeypatch.setattr(game, "variant", dataclasses.replace(game.variant, strongest="zero"))
    assert best_player(game).name.startswith("alphabeta")  # no weights come along
    monkeypatch.setattr("zermelo.evaluate.tower.files.shipped_tower", lambda game: network)
    monkeypatch.setattr("zermelo.search.mcts.network.shipped_tower", lambda game: network)
    assert best_player(game).name == "zero:seconds=1.0"
    assert zermelo.player("level=3", game).by_network
    assert zermelo.player("level=10", game).full.searcher.network
