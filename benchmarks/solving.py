"""Connect four positions solved, beside bitbully, a C++ solver of that one game (PyPI: bitbully).

bitbully finds how soon the game ends; `zermelo.solve` only who wins, which is less. Both begin with an empty table.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from time import perf_counter

import zermelo
from benchmarks.report import Row

CASES = ((12, 20, "about 1 s"), (8, 8, "tens of s"))  # plies played, positions, what is asked for one


def positions(plies: int, number: int) -> Iterator[zermelo.History]:
    game, random = zermelo.load("connect-four"), Random(100 + plies)
    while number:
        history = zermelo.History(game)
        while len(history.moves) < plies and not history.is_over:
            history.play(random.choice(history.actions()))
        if not history.is_over:
            number -= 1
            yield history


def run() -> Iterator[Row]:
    try:
        from bitbully.bitbully_core import BitBullyCore, BoardCore
    except ImportError:
        BitBullyCore = None
    for plies, number, bar in CASES:
        mine = theirs = worst = 0.0
        for history in positions(plies, number):
            solution = zermelo.solve(history.game, history, all_best=False)
            mine, worst = mine + solution.seconds, max(worst, solution.seconds)
            if BitBullyCore is not None:
                board = BoardCore()
                for column in history.moves:
                    board.play(int(column))
                began = perf_counter()
                score = BitBullyCore().mtdf(board, 0)
                theirs += perf_counter() - began
                value = solution.value if history.player() == 0 else -solution.value
                if (value > 0, value < 0) != (score > 0, score < 0):
                    raise SystemExit(f"bitbully says {score}, zermelo {value}: {history.moves}")
        what = f"connect four, {plies} plies played: solved in {mine / number:.2f} s, at most {worst:.1f} s"
        peer = "bitbully (C++)" if theirs else "bitbully is not installed"
        yield Row(what, "positions/s", number / mine, number / theirs if theirs else None, peer, bar)
