"""Connect four from the empty board, which is won for who begins: the network's player first, perfect play second.

BitBully (PyPI: bitbully) answers with a move of the best score, ties drawn at random, so that a won game is one in
which not a single move gave the win away.

    python -m benchmarks perfect_opponent                        six games
    python -m benchmarks.perfect_opponent zero:seconds=1 100     another player; so many games
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from random import Random

import zermelo
from benchmarks.report import Row

PLAYER, GAMES = "zero:simulations=800", 6


def run(player: str = PLAYER, games: int = GAMES) -> Iterator[Row]:
    try:
        from bitbully import BitBully, Board
    except ImportError as missing:
        print(f"perfect_opponent: {missing}", file=sys.stderr)
        return
    game, solver, random = zermelo.load("connect-four"), BitBully(), Random(7)
    payoffs, lines = [], set()
    for _ in range(games):
        first, history, board = zermelo.player(player, game), zermelo.History(game), Board()
        while not history.is_over:
            if game.player(history.state) == 0:
                column = first.choose(history)
            else:
                scores = solver.score_all_moves(board)
                column = random.choice([move for move, score in scores.items() if score == max(scores.values())])
            board.play(int(column))
            history.play(int(column))
        payoffs.append(game.utility(history.state, 0))
        lines.add(tuple(history.moves))
    won = 100 * sum(payoff > 0 for payoff in payoffs) / games
    what = f"connect four, {player} first against a perfect opponent: {len(lines)} different games of {games}"
    yield Row(what, "% won", won, bar="wins")


if __name__ == "__main__":
    from benchmarks.report import show

    show(list(run(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else GAMES)))
