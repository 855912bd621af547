"""The stack of a search for any number of players, and what its two kernels (maxn, paranoid) do alike.

Both walk an explicit stack below one root move; the root itself is the caller's:

    ply   states   moves       frames                              values             pvs
    0     child    7 actions   player 1, 3 plies left, best 0.5    (0.1, 0.5, −0.6)   e4 c2 …
    1     …        5 actions   nature                              (0.2, 0.1, −0.3)   –

`values` has a row of one number a player for every ply, so a child leaves its values one row below its parent's.
A leaf is a finished game, a repeated position, or, with no plies left, what `evaluate_players` says. Chance costs no
plies. keys[:past] are the positions of the game so far, the root last; the plies of the stack follow them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.compile.dispatch import (
    FORBIDDEN,
    NEVER,
    apply,
    assign,
    at,
    evaluate_players,
    expand,
    over,
    repetition,
    repetition_key,
    row,
    side,
    utility,
)
from zermelo.compile.record import RecordArray, rows
from zermelo.compile.record_game import RecordGame
from zermelo.compile.repetition import ends_by_repetition, is_forbidden, repetition_payoff
from zermelo.compile.rules import helper
from zermelo.core.game import CHANCE, OVER, GameError
from zermelo.search.stack import MOST_BYTES

DONE, STOPPED, TOO_SHORT, BROKEN = range(4)  # how a kernel ended; BROKEN: a leaf lies outside the bounds given
NODES, ESTIMATED, HELD, DEEPEST, CUTS = range(5)  # counters; HELD: opponents who were not free to choose
NOBODY = -1  # of the opponents has replied yet
ROUNDING = 1e-9

FRAME = np.dtype(
    [
        (
            "alpha",
            "f8",
        ),  # max^n: what the side to move has in hand; paranoid: the window, from the root player's view
        ("beta", "f8"),  # max^n: with this much for the side to move, the side above will not come here
        ("best", "f8"),  # of the side to move (max^n) or of the root player
        ("usual", "i8"),  # best reply: the move an opponent makes who is not the one to reply
        ("count", "i4"),  # children
        ("tried", "i4"),  # of which entered
        ("mover", "i4"),
        ("left", "i4"),  # plies to the limit
        ("pv_length", "i4"),  # of the line
        ("replier", "i4"),  # best reply: the opponent who has replied, or NOBODY
        ("ordered", "i4"),  # are the children tried by their scores?
        ("on_pv", "i4"),  # is this node on the line that was best one depth ago?
    ],
    align=True,
)


class Stack(NamedTuple):
    """What a kernel works in."""

    states: RecordArray  # (plies,)
    moves: RecordArray  # (plies,) rows of actions or outcomes
    chance: RecordArray  # (plies,) rows of probabilities
    scores: RecordArray  # (plies,) rows of numbers to order the actions by
    frames: RecordArray  # (plies,) FRAME
    values: RecordArray  # (plies,) rows of one number a player
    pvs: NDArray[np.int64]  # (plies, plies): actions, `pv_length` of them a row; no rows(), whose width is a type
    keys: NDArray[np.uint64]  # (past + plies,)


def make_stack(game: RecordGame, plies: int, past: NDArray[np.uint64]) -> Stack:
    rules = game.variant
    numbers = 8 * (plies + rules.width * (3 if rules.max_chance_outcomes else 2) + game.players)
    if plies * (rules.dtype.itemsize + FRAME.itemsize + numbers) > MOST_BYTES:
        raise GameError(f"{game.name}: pvs of play longer than {plies // 4:,} plies; give a smaller depth")
    keys = np.zeros(len(past) + plies, np.uint64)
    keys[: len(past)] = past
    return Stack(
        np.zeros(plies, rules.dtype),
        rows(plies, rules.width),
        rows(plies, rules.width if rules.max_chance_outcomes else 1, "f8"),
        rows(plies, rules.width, "f8"),
        np.zeros(plies, FRAME).view(np.recarray),
        rows(plies, game.players, "f8"),
        np.zeros((plies, plies), np.int64),
        keys,
    )


@helper
def side_total(s: Any, values: Any, p: Any) -> Any:
    """What player `p` maximizes in max^n: the sum over the team."""
    total = 0.0
    for q in range(len(values)):
        if side(s, q) == side(s, p):
            total += values[q]
    return total


@helper
def drop_repeats(here: Any, below: Any, out: Any, n: Any, keys: Any, top: Any, p: Any) -> Any:
    """Keep of player p's `n` actions in `out` those that no repetition forbids; how many. keys[top] is `here`."""
    kept = 0
    for i in range(n):
        assign(below, here)
        apply(below, out[i])
        keys[top + 1] = repetition_key(below)
        if not is_forbidden(below, keys, top + 1, p):
            out[kept] = out[i]
            kept += 1
    return kept


@helper
def last_mover(frames: Any, ply: Any, mover: Any) -> Any:
    """Who moved last above `ply`; `mover` did above the stack."""
    for i in range(ply):
        if at(frames, ply - 1 - i).mover != CHANCE:
            return np.int64(at(frames, ply - 1 - i).mover)
    return np.int64(mover)


@helper
def enter(states: Any, moves: Any, chance: Any, frames: Any, values: Any, keys: Any, past: Any, mover: Any,
          ply: Any, counters: Any) -> Any:  # fmt: skip
    """Look at a new node: (player, how many children). A leaf, OVER, has its values; (OVER, −1): no room below."""
    f, s, out, v = at(frames, ply), at(states, ply), row(moves, ply), row(values, ply)
    counters[NODES] += 1
    counters[DEEPEST] = max(counters[DEEPEST], ply)
    f.count, f.tried, f.pv_length = 0, 0, 0
    if repetition(s) != NEVER:
        keys[past + ply] = repetition_key(s)
        if ends_by_repetition(s, keys, past + ply):
            last = last_mover(frames, ply, mover)
            for q in range(len(v)):
                v[q] = repetition_payoff(s, q, last)
            return np.int64(OVER), np.int64(0)
    ended = False
    if f.left == 0:
        ended = over(s, out)
    else:
        p, n = expand(s, out, row(chance, ply))
        ended = p == OVER
        if not ended and ply + 1 == len(states):
            return np.int64(OVER), np.int64(-1)
        if repetition(s) == FORBIDDEN and p >= 0:
            n = drop_repeats(s, at(states, ply + 1), out, n, keys, past + ply, p)
        if n > 0:
            f.count, f.mover = n, p
            return p, n
    if ended:
        utility(s, v)
    else:  # the limit, or every move is forbidden, which is no end that the rules know
        evaluate_players(s, v)
        counters[ESTIMATED] += 1
    return np.int64(OVER), np.int64(0)


@helper
def update_pv(pvs: Any, frames: Any, ply: Any, action: Any) -> None:
    """The line at `ply` becomes `action` and what follows it."""
    f = at(frames, ply)
    pvs[ply, 0] = action
    f.pv_length = 1 + at(frames, ply + 1).pv_length
    for i in range(1, f.pv_length):
        pvs[ply, i] = pvs[ply + 1, i - 1]


@helper
def descend(states: Any, moves: Any, frames: Any, ply: Any) -> None:
    """Play the next child of `ply` below it."""
    f = at(frames, ply)
    assign(at(states, ply + 1), at(states, ply))
    apply(at(states, ply + 1), row(moves, ply)[f.tried])
    at(frames, ply + 1).left = f.left if f.mover == CHANCE else f.left - 1
    f.tried += 1
