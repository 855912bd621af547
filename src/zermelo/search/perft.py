"""Perft: how many lines of play there are to a depth. Rules are right when these numbers are.

Every leaf is reached and its state made (no bulk counting: the last ply is played, not just listed). A game that ends
before the depth is reached counts as no line, as in chess, or as one line, as is the custom in othello
(`count_ended`). At a chance node every outcome is a line.
"""

from __future__ import annotations

from zermelo.compile.dispatch import apply, expand, row
from zermelo.compile.kernel import kernel
from zermelo.compile.record_game import RecordGame, State
from zermelo.core.game import OVER, GameError
from zermelo.search.stack import make_stack


@kernel
def count_lines(states, moves, chance, frames, depth, count_ended):  # type: ignore[no-untyped-def]
    """How many lines of `depth` plies start at states[0]; the second number counts all nodes on the way."""
    if depth == 0:
        return 1, 1
    ply, lines, nodes, entering = 0, 0, 1, True
    while True:
        f = frames[ply]
        if entering:
            p, f.count = expand(states[ply], row(moves, ply), row(chance, ply))
            f.tried = 0
            if p == OVER and count_ended:
                lines += 1
        if f.tried < f.count:
            states[ply + 1] = states[ply]
            apply(states[ply + 1], row(moves, ply)[f.tried])
            f.tried += 1
            nodes += 1
            if ply + 1 == depth:
                lines += 1
                entering = False
            else:
                ply += 1
                entering = True
        elif ply == 0:
            return lines, nodes
        else:
            ply -= 1
            entering = False


def perft(game: RecordGame, depth: int, state: State | None = None, count_ended: bool = False) -> int:
    """The number of lines of play `depth` plies long."""
    return perft_nodes(game, depth, state, count_ended)[0]


def perft_nodes(game: RecordGame, depth: int, state: State | None = None, count_ended: bool = False) -> tuple[int, int]:
    """The number of lines, and of all nodes made on the way."""
    if depth < 0:
        raise GameError(f"a depth of {depth} plies makes no sense")
    states, moves, chance, frames, _ = make_stack(game, state or game.start(), max(depth, 1))
    lines, nodes = game.run(count_lines, states, moves, chance, frames, depth, count_ended)
    return int(lines), int(nodes)


def divide(game: RecordGame, depth: int, state: State | None = None, count_ended: bool = False) -> dict[str, int]:
    """Perft by the first move, as people write it."""
    root = state or game.start()
    return {
        game.format_action(root, a): perft(game, depth - 1, game.succ(root, a), count_ended) for a in game.actions(root)
    }
