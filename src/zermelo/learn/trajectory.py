"""The trajectory of one game inside a kernel: the positions its players moved to, and what was thought of each.

    states   0 … LONGEST-1   the positions moved to       notes   outs    what the network says of them, to player 0
             LONGEST         the game as it stands                nexts   what was thought of the next (see returns.py)
             LONGEST + 1     a successor being looked at          cut     the move out of it was exploratory
             LONGEST + 2     a reply being looked at              keys    of all positions, where repetition matters
             LONGEST + 3     zeros                                …       and how far the game has got

Few arrays in one tuple: a kernel hands it on whole.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from zermelo.compile.dispatch import (
    FORBIDDEN,
    NEVER,
    assign,
    at,
    expand,
    repetition,
    repetition_key,
    row,
    start,
    utility,
)
from zermelo.compile.random import below
from zermelo.compile.record import RecordArray, roomy, rows
from zermelo.compile.record_game import RecordGame
from zermelo.compile.repetition import ends_by_repetition, is_forbidden, repetition_payoff
from zermelo.compile.rules import helper
from zermelo.core.game import CHANCE, OVER
from zermelo.evaluate.held import Held

LONGEST = 2000  # positions of one game that are kept; a longer one is truncated
ROOM = 4
CHANCE_TOO = 2  # keys for a position kept: it may have stood before and after the dice
TOO_LONG = -3  # beside CHANCE and OVER: nobody moves any more, because there is no room for another position


class Trajectory(NamedTuple):
    states: RecordArray
    moves: Any  # rows for actions, and for their probabilities
    chance: Any
    notes: Any  # a record of all the rest, which compiled code knows by its address alone


def notes_dtype(game: RecordGame, longest: int, outputs: int) -> np.dtype[np.void]:
    size = longest * outputs
    return np.dtype(
        [
            ("number", "i8"),  # of the game, among those one call plays
            ("plies", "i8"),  # of players
            ("top", "i8"),  # the last of `keys`
            ("mover", "i8"),  # the player who moves, or moved last; CHANCE: nobody yet
            ("opening", "i8"),  # random moves it begins with
            ("length", "i8"),  # positions kept in `states`
            ("choice", "i8"),  # place of the action that looked best; -1: it was not asked for
            ("pending", "i8"),  # what a learner that learns move by move waits to hear about
            ("outs", "f4", (size,)),
            ("nexts", "f4", (size,)),
            ("target", "f4", (size,)),
            ("best", "f4", (3 * outputs,)),  # what the best successor was thought to be worth; then scratch
            ("cut", "i1", (longest,)),
            ("keys", "u8", (CHANCE_TOO * longest + 2 if game.repetition else 1,)),
            ("payoff", "f8", (game.players,)),  # rules write to it: behind it there is slack, and nothing of ours
        ],
        align=True,
    )


def make_trajectory(game: RecordGame, outputs: int, longest: int | None = None) -> Trajectory:
    """Room for one thread, for models of so many outputs; games of `longest` positions are truncated."""
    width = game.variant.width
    longest = min(LONGEST, longest or LONGEST, (game.variant.max_plies or LONGEST) + 1)
    return Trajectory(
        roomy(longest + ROOM, game.variant.dtype),
        rows(3, width),
        rows(3, width if game.variant.max_chance_outcomes else 1, "f8"),
        roomy(1, notes_dtype(game, longest, outputs)).view(Held),
    )


@helper
def room_of(trajectory: Any) -> Any:
    """How many positions are kept; states[room] is the game as it stands."""
    return len(trajectory.states) - ROOM


@helper
def blank(trajectory: Any) -> Any:
    """A record of zeros, which every game begins with."""
    return at(trajectory.states, len(trajectory.states) - 1)


@helper
def begin(trajectory: Any) -> Any:
    """Set up the game in the trajectory's own record, and give it."""
    s, g = at(trajectory.states, room_of(trajectory)), at(trajectory.notes, 0)
    g.plies, g.top, g.mover, g.opening, g.length, g.choice, g.pending = 0, -1, CHANCE, 0, 0, -1, -1
    assign(s, blank(trajectory))
    start(s)
    remember(trajectory, s)
    return s


@helper
def random_moves(random: Any, most: Any) -> Any:
    """With how many random moves a game begins: any number up to the most."""
    return below(random, most + 1) if most > 0 else 0


@helper
def to_move(trajectory: Any, s: Any) -> Any:
    """(who is to move: a player, CHANCE, OVER or TOO_LONG; how many actions row 0 has).

    When it is over the payoffs are written; a truncated game counts as a draw until somebody says otherwise.
    """
    g = at(trajectory.notes, 0)
    if ended_by_repetition(trajectory, s):
        return OVER, 0
    p, n = expand(s, row(trajectory.moves, 0), row(trajectory.chance, 0))
    if p == OVER:
        utility(s, g.payoff)
    elif g.plies + 1 >= room_of(trajectory) or (repetition(s) != NEVER and g.top + 2 >= len(g.keys)):
        g.payoff[0] = 0.0
        return TOO_LONG, n
    return p, n


@helper
def forbidden(trajectory: Any, child: Any) -> Any:
    """May this successor not be moved to by the player whose turn it is, because it has stood before?"""
    if repetition(child) != FORBIDDEN:
        return False
    g = at(trajectory.notes, 0)
    g.keys[g.top + 1] = repetition_key(child)
    return is_forbidden(child, g.keys, g.top + 1, g.mover)


@helper
def remember(trajectory: Any, s: Any) -> None:
    """The position the game has come to, by a player's move or by chance."""
    if repetition(s) != NEVER:
        g = at(trajectory.notes, 0)
        g.top += 1
        g.keys[g.top] = repetition_key(s)


@helper
def ended_by_repetition(trajectory: Any, s: Any) -> Any:
    """The position decides the game because it has stood before: the payoffs are written."""
    g = at(trajectory.notes, 0)
    if not ends_by_repetition(s, g.keys, g.top):
        return False
    for p in range(len(g.payoff)):
        g.payoff[p] = repetition_payoff(s, p, g.mover)
    return True
