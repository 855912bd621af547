"""Compiled plain alpha-beta beside easyAI's Negamax on its own Connect Four: the same positions, the same depth.

Both are alpha-beta without a table, over columns from left to right, and judge an unfinished game as even. easyAI's
prefers quick wins (its score of a win depends on the depth), so the trees are alike and not the same; what must agree
is who wins.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import zermelo
from benchmarks.report import Row, in_turn
from zermelo.compile.evaluator import Constant
from zermelo.search.plain_alphabeta import plain_alphabeta

DEPTH = 5
POSITIONS = ("", "334", "3344")  # columns from 0, as played; the last is won


def run() -> Iterator[Row]:
    game = zermelo.load("connect-four")
    what = f"plain alpha-beta, connect four to depth {DEPTH}"
    states = []
    for moves in POSITIONS:
        s = game.start()
        for column in moves:
            s = game.succ(s, int(column))
        states.append(s)
    found = [plain_alphabeta(game, s, DEPTH, evaluator=Constant()) for s in states]  # compiles

    def ours() -> float:
        repeats = 200
        began = time.perf_counter()
        for _ in range(repeats):
            for s in states:
                plain_alphabeta(game, s, DEPTH, evaluator=Constant())
        return repeats * len(states) / (time.perf_counter() - began)

    negamax = easyai_negamax()
    if negamax is None:
        yield Row(what, "searches/s", ours(), peer="easyAI is not installed", bar="≥ 1,000×")
        return

    def theirs() -> float:
        began = time.perf_counter()
        scores = [negamax(moves) for moves in POSITIONS]
        took = time.perf_counter() - began
        for moves, ours_is, score in zip(POSITIONS, found, scores, strict=True):
            mine = ours_is.value if len(moves) % 2 == 0 else -ours_is.value  # easyAI's view is the mover's
            if (mine > 0, mine < 0) != (score > 0, score < 0):
                raise SystemExit(f"not the same game: after '{moves}' easyAI says {score}, zermelo {ours_is}")
        return len(POSITIONS) / took

    yield Row(what, "searches/s", *in_turn(ours, theirs, 2), "easyAI's Negamax", "≥ 1,000×")


def easyai_negamax() -> Callable[[str], float] | None:
    """A function of the moves so far that searches DEPTH plies and gives the mover's score; None without easyAI."""
    try:
        from easyAI import AI_Player, Negamax
        from easyAI.games.ConnectFour import ConnectFour
    except ImportError:
        return None

    def search(moves: str) -> float:
        algorithm = Negamax(DEPTH)
        game = ConnectFour([AI_Player(algorithm), AI_Player(algorithm)])
        for column in moves:
            game.make_move(int(column))
            game.switch_player()
        algorithm(game)
        return float(algorithm.alpha)

    return search
