"""One registry of searches: every door reads its rows, and a new search is one row."""

import json

import pytest

import zermelo
from zermelo import GameError
from zermelo.compile.evaluator import HANDCRAFTED
from zermelo.core.spec import Setting
from zermelo.evaluate.tower.architecture import architecture_for, make_weights
from zermelo.evaluate.tower.files import save_tower
from zermelo.search.alphabeta.searcher import AlphaBeta
from zermelo.search.limits import Limits
from zermelo.search.mcts.searcher import MCTS
from zermelo.search.registry import SEARCHES, SearchKind, default_search, make_searcher, open_search
from zermelo.search.report import Report
from zermelo.search.searcher import Stoppable, history_of


class NthMove(Stoppable):
    """A search of one line: the n-th legal move, whatever it is worth."""

    def __init__(self, game, *, n=0):
        self.game, self.n = game, n

    def reports(self, position, limits):
        history = history_of(self.game, position)
        actions = history.actions()
        yield Report(self.game, history.state, "nth-move", actions[self.n % len(actions)], 0.0, stopped="finished")

    def clear(self):
        pass


ROW = SearchKind(
    "nth-move", f"{__name__}:NthMove", "the n-th legal move", {"n": Setting(int, None, 0, help="from 0")}, "n"
)


@pytest.fixture
def nth_move(monkeypatch):
    monkeypatch.setitem(SEARCHES, ROW.name, ROW)


@pytest.mark.usefixtures("nth_move")
def test_a_new_search_is_one_row(capsys):
    from zermelo.interfaces.cli import main

    game = zermelo.load("tic-tac-toe")
    assert zermelo.search(game, algorithm="nth-move", n=3).best == 3
    assert zermelo.search(game, algorithm="nth-move:4").best == 4
    assert zermelo.player("nth-move:n=5", game).choose(game.start()) == 5
    assert main(["search", "tic-tac-toe", "--algorithm", "nth-move:6", "--json"]) == 0
    assert '"best": "a1"' in capsys.readouterr().out
    with pytest.raises(GameError, match="nth-move: n must be a whole number of at least 0, not 'x'"):
        zermelo.player("nth-move:x", game)
    with pytest.raises(GameError, match="nth-move has no setting 'm'; it has: n"):
        zermelo.search(game, algorithm="nth-move", m=1)


def test_every_row_says_what_it_is():
    for name, kind in SEARCHES.items():
        assert kind.name == name
        assert kind.help
        assert kind.first is None or kind.first in kind.settings
        assert hasattr(kind.made(), "reports")
        assert all(setting.help for setting in kind.settings.values())


@pytest.mark.parametrize("name", SEARCHES)
def test_every_search_finds_a_move(name, tmp_path):
    game = zermelo.load("tic-tac-toe")
    spec = f"{name}:"
    if "weights" in SEARCHES[name].settings:
        a = architecture_for(game, 1, 8)
        save_tower(tmp_path / "weights.safetensors", game, a, make_weights(a))
        spec += f"weights={tmp_path},"
    report = zermelo.search(game, algorithm=spec.rstrip(":,"), nodes=200)
    assert report.best in game.actions(game.start())
    assert zermelo.player(f"{spec}seconds=0.1", game).choose(game.start()) in range(9)


def test_the_game_decides_where_nobody_says():
    assert default_search(zermelo.load("tic-tac-toe")) == "alphabeta"
    assert default_search(zermelo.load("random-tree", players=3)) == "maxn"
    assert zermelo.search(zermelo.load("random-tree", players=3), depth=2).algorithm == "maxn"


def test_limits_and_arguments_are_told_apart():
    game = zermelo.load("tic-tac-toe")
    searcher, limits = open_search(game, "mcts:simulations=50,memory=1", threads=2)
    assert isinstance(searcher, MCTS)
    assert (searcher.threads, limits) == (2, Limits(nodes=50))
    assert open_search(game, "mcts", memory=1, nodes=70)[1] == Limits(nodes=70)  # by the word every search knows
    searcher, limits = open_search(game, table=1, seconds=None)
    assert isinstance(searcher, AlphaBeta)
    assert limits == Limits(seconds=1.0)
    searcher, limits = open_search(game, "montecarlo")
    assert (searcher.paths, limits) == (100, Limits())
    searcher, limits = open_search(game, "montecarlo:seconds=1")
    assert searcher.paths > 10**9
    assert open_search(game, "montecarlo:paths=7")[0].paths == 7


@pytest.mark.parametrize(
    ("spec", "settings", "words"),
    [
        ("alpha-beta", {}, "no search is called 'alpha-beta'; did you mean alphabeta?"),
        ("mcts", {"depth": 3}, "mcts has no setting 'depth'"),
        ("maxn", {"threads": 2}, "maxn has no setting 'threads'"),
        ("maxn", {"kind": "paranoid"}, "maxn has no setting 'kind'"),
        ("alphabeta", {"tabel": 3}, "did you mean table?"),
        ("alphabeta", {"evaluator": "no-such-file"}, "no-such-file"),
    ],
)
def test_what_there_is_not(spec, settings, words):
    with pytest.raises(GameError, match=words.replace("?", "[?]")):
        open_search(zermelo.load("tic-tac-toe"), spec, **settings)


def test_limits_come_with_the_search():
    with pytest.raises(GameError, match="limits"):
        make_searcher(zermelo.load("tic-tac-toe"), "alphabeta:depth=3")


def test_the_weights_that_come_with_a_game_are_the_default():
    game = zermelo.load("connect-four")
    assert make_searcher(game, table=1).evaluator is not HANDCRAFTED
    assert make_searcher(game, table=1, evaluator="handcrafted").evaluator is HANDCRAFTED
    assert make_searcher(game, table=1, evaluator=HANDCRAFTED).evaluator is HANDCRAFTED
    assert make_searcher(zermelo.load("tic-tac-toe"), table=1).evaluator is HANDCRAFTED
    assert make_searcher(zermelo.load("connect-four", width=5), table=1).evaluator is HANDCRAFTED


def test_settings_of_a_spec_hold_unless_others_are_given():
    """What a door has no word for must not take the spec's own away."""
    game = zermelo.load("tic-tac-toe", compiled=False)
    for spec, limits in (
        ("alphabeta:depth=3", Limits(depth=3)),
        ("alphabeta:nodes=1000,seconds=4", Limits(nodes=1000, seconds=4)),
        ("mcts:seconds=0.05", Limits(seconds=0.05)),
        ("mcts:simulations=70", Limits(nodes=70)),
        ("montecarlo:nodes=70", Limits(nodes=70)),
    ):
        assert open_search(game, spec, seconds=None, depth=None, nodes=None, threads=None)[1] == limits
    assert open_search(game, "mcts:seconds=3", seconds=2.0, nodes=None)[1] == Limits(seconds=2)
    assert open_search(game, "alphabeta:depth=3", nodes=10)[1] == Limits(depth=3, nodes=10)
    assert open_search(game, "alphabeta:depth=3", depth=2)[1] == Limits(depth=2)
    assert zermelo.search(game, algorithm="alphabeta:depth=2").depth == 2


def test_the_command_obeys_a_spec_s_settings(capsys):
    from zermelo.interfaces.cli import main

    assert main(["search", "tic-tac-toe", "-a", "alphabeta:depth=2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["depth"] == 2
    assert main(["search", "tic-tac-toe", "-a", "alphabeta:depth=2", "-d", "3", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["depth"] == 3
    assert main(["search", "tic-tac-toe", "-a", "alphabeta:evaluator=nothing.safetensors"]) == 2
    assert "nothing.safetensors" in capsys.readouterr().err
    assert main(["search", "tic-tac-toe", "--infinite", "-a", "alphabeta:depth=2"]) == 2
    assert "and those of -a" in capsys.readouterr().err
