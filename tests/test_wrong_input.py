"""What a program may give by mistake: a state of another game or variant, or something of the wrong type altogether.

Every door says so in one sentence, before a kernel sees any of it: in the memory of another record, a kernel would find
numbers that mean nothing.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

import zermelo
from zermelo import textbook
from zermelo.core.game import OVER, Game, GameError
from zermelo.core.history import History
from zermelo.evaluate.network import make_network
from zermelo.search.alphabeta.table import make_table
from zermelo.search.exhaustive import exhaustive, positions, positions_by_ply
from zermelo.search.limits import Limits
from zermelo.search.mcts.searcher import MCTS
from zermelo.search.mcts.tree import make_tree
from zermelo.search.montecarlo import MonteCarlo
from zermelo.search.perft import divide, perft
from zermelo.search.plain_alphabeta import plain_alphabeta
from zermelo.search.playout import playouts
from zermelo.search.registry import make_searcher

SMALL = zermelo.load("connect-four", width=5, height=4)
LARGE = zermelo.load("connect-four")
CHESS = zermelo.load("chess")
TICTACTOE = zermelo.load("tic-tac-toe")


class Countdown(Game[int, int]):
    name = "countdown"

    def start(self) -> int:
        return 10

    def player(self, s: int) -> int:
        return OVER if s == 0 else s % 2

    def actions(self, s: int) -> list[int]:
        return [] if s == 0 else [1]

    def succ(self, s: int, a: int) -> int:
        return s - a

    def utility(self, s: int, player: int = 0) -> float:
        return 1.0 if player == 0 else -1.0


class Letters(Countdown):
    name = "letters"


UNIFORM = {0: textbook.uniform(LARGE), 1: textbook.uniform(LARGE)}
LIMITS = Limits(nodes=10)

DOORS: dict[str, Callable[[Any, Any], Any]] = {
    "search": lambda game, s: zermelo.search(game, s, nodes=10),
    "search by name": lambda game, s: zermelo.search("connect-four", s, nodes=10),
    "mcts": lambda game, s: zermelo.search(game, s, nodes=10, algorithm="mcts"),
    "montecarlo": lambda game, s: zermelo.search(game, s, nodes=10, algorithm="montecarlo"),
    "maxn": lambda game, s: zermelo.search(game, s, depth=1, algorithm="maxn"),
    "a searcher": lambda game, s: list(make_searcher(game).reports(s, LIMITS)),
    "a probe": lambda game, s: make_searcher(game, "alphabeta").probe(s, 1, (-1, 1), LIMITS),  # type: ignore[attr-defined]
    "MCTS": lambda game, s: list(MCTS(game, memory_mb=1).reports(s, LIMITS)),
    "MonteCarlo": lambda game, s: list(MonteCarlo(game).reports(s, LIMITS)),
    "solve": lambda game, s: zermelo.solve(game, s, nodes=10),
    "explain": lambda game, s: zermelo.explain(game, s, nodes=10),
    "history": History,
    "player": lambda game, s: zermelo.player("random", game).choose(s),
    "search player": lambda game, s: zermelo.player("alphabeta:nodes=10", game).choose(s),
    "minimax": lambda game, s: zermelo.player("minimax:1", game).choose(s),
    "level": lambda game, s: zermelo.player("level=1", game).choose(s),
    "perft": lambda game, s: perft(game, 2, s),
    "divide": lambda game, s: divide(game, 2, s),
    "playouts": lambda game, s: playouts(game, 2, s),
    "plain": lambda game, s: plain_alphabeta(game, s, 1),
    "exhaustive": lambda game, s: exhaustive(game, s, 1),
    "positions": lambda game, s: positions(game, s, 1),
    "positions by ply": lambda game, s: positions_by_ply(game, 1, s),
    "textbook": lambda game, s: textbook.limited_minimax(game, s, 1),
    "textbook alphabeta": lambda game, s: textbook.alphabeta(game, s, depth=1),
    "textbook sampling": lambda game, s: textbook.monte_carlo(game, s, UNIFORM, 1, 0),
    "textbook tree": lambda game, s: textbook.mcts(game, s, 1, 0),
    "textbook play": lambda game, s: list(textbook.play(game, UNIFORM, Random(0), s)),
    **{
        name: lambda game, s, name=name: getattr(game, name)(s)
        for name in ("player", "actions", "chances", "is_end", "utility", "evaluate", "key", "repetition_key")
    },
    **{name: lambda game, s, name=name: getattr(game, name)(s) for name in ("format", "text", "svg")},
    "succ": lambda game, s: game.succ(s, 3),
    "format_action": lambda game, s: game.format_action(s, 3),
    "parse_action": lambda game, s: game.parse_action(s, "d"),
    "clicks": lambda game, s: game.clicks(s, 3),
}


@pytest.mark.parametrize("door", DOORS)
def test_a_state_of_another_variant(door: str) -> None:
    with pytest.raises(GameError, match=r"this is a state of connect-four with width=5, height=4, not of .* width=7"):
        DOORS[door](LARGE, SMALL.start())


@pytest.mark.parametrize("door", DOORS)
def test_a_state_of_another_game(door: str) -> None:
    with pytest.raises(GameError, match="this is a state of chess, not of connect-four"):
        DOORS[door](LARGE, CHESS.start())


@pytest.mark.parametrize("door", DOORS)
def test_something_that_is_no_state(door: str) -> None:
    for thing in ("text", 17, [1, 2], LARGE):
        with pytest.raises(GameError, match="is not a state of connect-four"):
            DOORS[door](LARGE, thing)


def test_a_game_of_chess_is_no_tic_tac_toe() -> None:
    for history in (History(CHESS), History(SMALL), History(Countdown())):
        for door in (zermelo.search, zermelo.solve, zermelo.explain):
            with pytest.raises(GameError, match=r"this is a (state|game) of .*, not of tic-tac-toe"):
                door(TICTACTOE, history)
        with pytest.raises(GameError, match="not of tic-tac-toe"):
            zermelo.player("random", TICTACTOE).choose(history)


def test_states_of_the_same_variant_are_accepted() -> None:
    """Loaded twice, interpreted, or with other fields at the start: the record means the same."""
    again = zermelo.load("connect-four")
    interpreted = zermelo.load("connect-four", compiled=False)
    for game in (again, interpreted):
        assert LARGE.actions(game.start()) == again.actions(LARGE.start())
        assert History(LARGE, game.start()).state == LARGE.start()


def test_plain_games_refuse_what_their_rules_cannot_read() -> None:
    game = Countdown()
    for thing in ("text", CHESS.start(), [3]):
        with pytest.raises(GameError, match="is not a state of countdown, whose states are of type int"):
            History(game, thing)  # type: ignore[arg-type]
    with pytest.raises(GameError, match="this is a game of letters, not of countdown"):
        zermelo.player("random", game).choose(History(Letters()))
    assert History(game, 4).state == 4


def test_a_plain_games_own_mistake_stays_one() -> None:
    class Broken(Countdown):
        def player(self, s: int) -> int:
            return 1 // (s - 4)

    with pytest.raises(ZeroDivisionError):
        History(Broken(), 4)


def test_a_game_by_its_name() -> None:
    """Whoever writes search("tic-tac-toe") means the game of that name."""
    assert zermelo.search("tic-tac-toe", depth=1).game.name == "tic-tac-toe"
    assert zermelo.player("random", "tic-tac-toe").game.name == "tic-tac-toe"
    assert History("tic-tac-toe").state == TICTACTOE.start()  # type: ignore[arg-type, comparison-overlap]
    assert History(Countdown).state == 10  # type: ignore[arg-type]


@pytest.mark.parametrize("door", ["search", "solve", "explain", "check", "History", "make_searcher", "match", "train"])
def test_no_game(door: str) -> None:
    for thing in (None, 17, TICTACTOE.start()):
        more = ["random", "random"] if door == "match" else []
        with pytest.raises(GameError, match=r"is not a game|say what to train"):
            getattr(zermelo, door)(thing, *more)
    for call in (perft, playouts):
        with pytest.raises(GameError, match="'chess' is not a game"):
            call("chess", 1)  # type: ignore[operator]


@pytest.mark.parametrize(
    "settings",
    [
        {"depth": "3"},
        {"depth": 2.5},
        {"depth": True},
        {"depth": 0},
        {"depth": 10**22},
        {"seconds": "x"},
        {"seconds": math.nan},
        {"seconds": math.inf},
        {"seconds": -1},
        {"nodes": "many"},
        {"nodes": 0.5},
        {"threads": "2"},
        {"threads": 1.5},
        {"threads": 10**9},
        {"table": "x"},
        {"table_mb": "x"},
        {"table_mb": math.nan},
        {"algorithm": "mcts", "simulations": "x"},
        {"algorithm": "mcts", "rave": "x"},
        {"algorithm": "mcts", "exploration": "x"},
        {"algorithm": "mcts", "seed": 1.5},
        {"algorithm": "montecarlo", "paths": 2.5},
    ],
    ids=str,
)
def test_settings_of_a_search(settings: dict[str, Any]) -> None:
    name = next(word for word in settings if word != "algorithm").replace("table_mb", "megabytes")
    with pytest.raises(GameError, match=f"{name}.* must be a (whole )?number"):
        zermelo.search(TICTACTOE, **settings)


def test_numbers_of_numpy_are_numbers() -> None:
    assert zermelo.search(TICTACTOE, depth=np.int64(1), seconds=np.float32(5)).depth >= 1  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["seconds", "soft_seconds", "depth", "nodes"])
def test_limits(name: str) -> None:
    for wrong in ("3", 2.5 if name in ("depth", "nodes") else None, [1], True, 0):
        if wrong is not None:
            with pytest.raises(GameError, match=f"{name} of a search must be"):
                Limits(**{name: wrong})
    with pytest.raises(GameError, match=r"is a zermelo\.Clock"):
        Limits(clock=3)  # type: ignore[arg-type]


def test_texts() -> None:
    for game in (TICTACTOE, CHESS, LARGE):
        for thing in (None, 17, b"x"):
            with pytest.raises(GameError, match="a position is read from text"):
                game.parse(thing)  # type: ignore[arg-type]
            with pytest.raises(GameError, match="a move is read from text"):
                game.parse_action(game.start(), thing)  # type: ignore[arg-type]
    with pytest.raises(GameError, match="a game is loaded by its name, not by None"):
        zermelo.load(None)  # type: ignore[arg-type]
    with pytest.raises(GameError, match="a player is asked for by a text"):
        zermelo.player(None, TICTACTOE)  # type: ignore[arg-type]
    with pytest.raises(GameError, match="a search is asked for by a text"):
        zermelo.search(TICTACTOE, algorithm=3)  # type: ignore[arg-type]


def test_other_numbers() -> None:
    for wrong in ("3", 2.5, -1, None):
        with pytest.raises(GameError, match="the depth must be a whole number of at least 0"):
            perft(TICTACTOE, wrong)  # type: ignore[arg-type]
    for wrong in ("3", 2.5, 0):
        with pytest.raises(GameError, match="the number of games must be a whole number"):
            zermelo.match(TICTACTOE, "random", "random", games=wrong)  # type: ignore[arg-type]
        with pytest.raises(GameError, match="the breadth of an explanation must be"):
            zermelo.explain(TICTACTOE, breadth=wrong)  # type: ignore[arg-type]
    with pytest.raises(GameError, match="seconds must be a number above 0"):
        zermelo.player("alphabeta", TICTACTOE, "x")  # type: ignore[arg-type]
    over = TICTACTOE.parse("xxx oo. ...")
    for player in (2, -1, "x"):
        with pytest.raises(GameError, match="has players 0 to 1"):
            TICTACTOE.utility(over, player)  # type: ignore[arg-type]


def test_evaluators_of_other_games() -> None:
    with pytest.raises(GameError, match="was made for another game than connect-four"):
        zermelo.search(LARGE, evaluator=make_network(SMALL), nodes=10)  # type: ignore[arg-type]
    for game in (CHESS, TICTACTOE):
        with pytest.raises(GameError, match="was made for another game than"):
            zermelo.search(game, evaluator=make_network(LARGE), nodes=10)  # type: ignore[arg-type]
    for thing in (17, "", LARGE):
        with pytest.raises(GameError):
            zermelo.search(LARGE, evaluator=thing, nodes=10)


def test_memory_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_memory(*_: Any) -> None:
        raise MemoryError

    monkeypatch.setattr(np, "zeros", no_memory)
    with pytest.raises(GameError, match="there is no memory for a table of 64 megabytes; take a smaller one"):
        make_table(64)
    with pytest.raises(GameError, match="there is no memory for a tree of 64 megabytes; take a smaller one"):
        make_tree(TICTACTOE, 64, False, False, 1)


def test_seconds_beyond_all_clocks(monkeypatch: pytest.MonkeyPatch) -> None:
    failed: list[Any] = []
    monkeypatch.setattr(threading, "excepthook", failed.append)
    assert zermelo.search(TICTACTOE, seconds=1e308, depth=1).depth == 1
    assert failed == []


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"jobs": -1}, "the number of jobs must be a whole number of at least 0"),  # nobody would ever play
        ({"jobs": "x"}, "the number of jobs must be a whole number"),
        ({"seed": 1.5}, "the seed must be a whole number"),
        ({"margin": "x"}, "the margin must be a number"),
        ({"margin": math.nan}, "the margin must be a number"),
        ({"sprt": "x"}, r"is given as \(elo0, elo1\)"),
        ({"sprt": (10, 0)}, "the lower first"),
        ({"sprt": (0, math.nan)}, r"is given as \(elo0, elo1\)"),
        ({"options": 5}, "options are given by name"),
        ({"record": 5}, "is not the name of a file"),
        ({"record": "a\0b"}, "is not the name of a file"),
        ({"position": 17}, "a position is read from text"),
    ],
    ids=str,
)
def test_settings_of_a_match(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(GameError, match=words):
        zermelo.match(TICTACTOE, "random", "random", games=2, **{"jobs": 0, **settings})


def test_clocks_paths_and_actions() -> None:
    for wrong in ({"left": "x"}, {"left": 1, "increment": "x"}, {"left": 1, "moves_to_go": 1.5}):
        with pytest.raises(GameError, match="clock must be a"):
            zermelo.Clock(**wrong)  # type: ignore[arg-type]
    for name in ("folder", "resume", "weights"):
        for path in (5, "a\0b", [], ""):
            with pytest.raises(GameError, match="is not the name of a file or a folder"):
                zermelo.train(LARGE, games=5, **{name: path})
    with pytest.raises(GameError, match="check: seed must be"):
        zermelo.check(TICTACTOE, seed="x")  # type: ignore[arg-type]
    for action in ("x", 1.5, None):
        with pytest.raises(GameError, match="an action of tic-tac-toe is a whole number"):
            TICTACTOE.format_action(TICTACTOE.start(), action)
