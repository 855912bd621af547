"""The stack of a search for any number of players, and what its two kernels (maxn, paranoid) do alike.

Both walk an explicit stack below one root move; the root itself is the caller's:

    ply   states   frames: moves       mover, plies left, best      values             pvs
    0     child    7 actions           player 1, 3 plies, 0.5       (0.1, 0.5, −0.6)   e4 c2 …
    1     …        5 outcomes          chance                       (0.2, 0.1, −0.3)   –

A child leaves everybody's values in its own frame, one below its parent's. A leaf is a finished game, a repeated
position, or, with no plies left, what `evaluate_players` says. Chance costs no plies. keys[: w.past] are the positions
of the game so far, the root last; the plies of the stack follow them. Few arrays with wide records, as in alpha-beta:
every helper is handed them.
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
    need_player,
    over,
    repetition,
    repetition_key,
    side,
    utility,
)
from zermelo.compile.record import RecordArray, roomy
from zermelo.compile.record_game import RecordGame
from zermelo.compile.repetition import ends_by_repetition, is_forbidden, repetition_payoff
from zermelo.compile.rules import helper
from zermelo.core.game import CHANCE, OVER, GameError
from zermelo.search.stack import MOST_BYTES

DONE, STOPPED, TOO_SHORT, BROKEN = range(4)  # how a kernel ended; BROKEN: a leaf lies outside the bounds given
NOBODY = -1  # of the opponents has replied yet
ROUNDING = 1e-9

COUNTERS = ("nodes", "estimated", "held", "deepest", "cuts")


def work_dtype(players: int) -> np.dtype[np.void]:
    """What a kernel is told beside its question, and what it counts."""
    return np.dtype(
        [
            ("nodes", "i8"),
            ("estimated", "i8"),  # leaves
            ("held", "i8"),  # opponents who were not free to choose
            ("deepest", "i8"),  # ply
            ("cuts", "i8"),
            ("budget", "i8"),  # nodes
            ("past", "i8"),  # keys of the game so far, the root's included
            ("last_mover", "i8"),  # who moved to states[0], or before chance did; CHANCE: nobody
            ("payoff", "f8", (players,)),  # rules write to it: behind it there is slack, and nothing of ours
        ]
    )


def frame_dtype(width: int, outcomes: int, players: int) -> np.dtype[np.void]:
    return np.dtype(
        [
            ("moves", "i8", (width,)),  # actions or outcomes
            ("chance", "f8", (outcomes,)),
            ("scores", "f8", (width,)),  # to order the actions by
            ("values", "f8", (players,)),
            ("alpha", "f8"),  # max^n: what the side to move has in hand; paranoid: the window, for the root player
            ("beta", "f8"),  # max^n: with this much for the side to move, the side above will not come here
            ("best", "f8"),  # of the side to move (max^n) or of the root player
            ("usual", "i8"),  # best reply: the move an opponent makes who is not the one to reply
            ("count", "i4"),  # children
            ("tried", "i4"),  # of which entered
            ("mover", "i4"),
            ("left", "i4"),  # plies to the limit
            ("pv_length", "i4"),
            ("replier", "i4"),  # best reply: the opponent who has replied, or NOBODY
            ("ordered", "i4"),  # are the children tried by their scores?
            ("on_pv", "i4"),  # is this node on the principal variation of one depth ago?
        ],
        align=True,
    )


class Stack(NamedTuple):
    """What a kernel works in."""

    states: RecordArray  # (plies,)
    frames: RecordArray  # (plies,)
    work: RecordArray  # (1,)
    pvs: NDArray[np.int64]  # (plies, plies): actions, `pv_length` of them a row
    keys: NDArray[np.uint64]  # (past + plies,)


def make_stack(game: RecordGame, plies: int, past: NDArray[np.uint64]) -> Stack:
    rules = game.variant
    frame = frame_dtype(rules.width, rules.width if rules.max_chance_outcomes else 1, game.players)
    if plies * (rules.dtype.itemsize + frame.itemsize + 8 * plies) > MOST_BYTES:
        raise GameError(f"{game.name}: lines of play longer than {plies // 4:,} plies; give a smaller depth")
    keys = np.zeros(len(past) + plies, np.uint64)
    keys[: len(past)] = past
    return Stack(
        roomy(plies, rules.dtype),
        roomy(plies, frame).view(np.recarray),
        roomy(1, work_dtype(game.players)).view(np.recarray),
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
def last_mover(frames: Any, ply: Any, before: Any) -> Any:
    """Who moved last above `ply`, chance left out; `before` did above the stack."""
    for i in range(ply):
        if at(frames, ply - 1 - i).mover != CHANCE:
            return np.int64(at(frames, ply - 1 - i).mover)
    return np.int64(before)


@helper
def enter(states: Any, frames: Any, w: Any, keys: Any, ply: Any) -> Any:
    """Look at a new node: (player, how many children). A leaf, OVER, has its values; (OVER, −1): no room below."""
    s, f, top = at(states, ply), at(frames, ply), w.past + ply
    w.nodes += 1
    w.deepest = max(w.deepest, ply)
    f.count, f.tried, f.pv_length = 0, 0, 0
    # 1. Over by repetition?
    if repetition(s) != NEVER:
        keys[top] = repetition_key(s)
        if ends_by_repetition(s, keys, top):
            last = last_mover(frames, ply, w.last_mover)
            for q in range(len(f.values)):
                f.values[q] = repetition_payoff(s, q, last)
            return np.int64(OVER), np.int64(0)
    # 2. Children, those that no repetition forbids, unless the plies are used up.
    ended = False
    if f.left == 0:
        ended = over(s, f.moves)
    else:
        p, n = expand(s, f.moves, f.chance)
        ended = p == OVER
        if not ended and ply + 1 == len(states):
            return np.int64(OVER), np.int64(-1)
        if repetition(s) == FORBIDDEN and p >= 0:
            n = drop_repeats(s, at(states, ply + 1), f.moves, n, keys, top, p)
        if n > 0:
            f.count, f.mover = n, need_player(s, p)
            return p, n
    # 3. A leaf.
    judge(s, f, w, ended)
    if not ended:  # the limit, or every move is forbidden, which is no end that the rules know
        w.estimated += 1
    return np.int64(OVER), np.int64(0)


@helper
def judge(s: Any, f: Any, w: Any, ended: Any) -> None:
    """Everybody's payoff or estimate into the frame's values."""
    if ended:
        utility(s, w.payoff)
    else:
        evaluate_players(s, w.payoff)
    for q in range(len(f.values)):
        f.values[q] = w.payoff[q]


@helper
def update_pv(frames: Any, pvs: Any, ply: Any, action: Any) -> None:
    """The principal variation at `ply` becomes `action` and what follows it."""
    f = at(frames, ply)
    pvs[ply, 0] = action
    f.pv_length = 1 + at(frames, ply + 1).pv_length
    for i in range(1, f.pv_length):
        pvs[ply, i] = pvs[ply + 1, i - 1]


@helper
def descend(states: Any, frames: Any, ply: Any) -> None:
    """Play the next child of `ply` below it."""
    f, below = at(frames, ply), at(states, ply + 1)
    assign(below, at(states, ply))
    apply(below, f.moves[f.tried])
    at(frames, ply + 1).left = f.left if f.mover == CHANCE else f.left - 1
    f.tried += 1
