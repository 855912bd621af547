"""What one thread of the alpha-beta search works in: a state and a frame for every ply, and one record of its own.

    ply   states   frames: actions, their order, probabilities, killers, the best variation found below
    0     root     …
    1     child    …                         work[0]: options, counters, history of good moves, keys of all positions

Few arrays with wide records, and not many arrays: the kernel hands them all on at every node.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np

from zermelo.compile.record import RecordArray, roomy
from zermelo.compile.record_game import RecordGame, State
from zermelo.compile.repetition import PAST
from zermelo.search.alphabeta.scores import DISTANCE_STEP
from zermelo.search.report import MAX_PV

SLOTS = 4096  # of the history of good moves, by a hash of the action, for each side
MAX_PLIES = 400  # of the stack
MAX_WORKSPACE = 96 << 20  # bytes


@dataclass(frozen=True)
class Options:
    """Every technique can be switched off; those above the line never change the value to a given depth."""

    table: bool = True
    scout: bool = True  # principal variation search: null windows for all moves but the first
    aspiration: bool = True
    killers: bool = True
    history: bool = True
    ordering: bool = True  # by the game's move_score, its noisy actions, or the evaluation
    star: int = 2  # chance nodes: 0 open windows, 1 Star1, 2 Star2
    abdada: bool = True  # threads: leave a move for later while another thread searches it
    # ----
    quiescence: bool = True
    null_move: bool = True
    reductions: bool = True
    extensions: bool = True
    known_result: bool = True  # results that the rules know end a line of play
    deeper_entries: bool = True  # use table entries of greater depth than asked for
    quick_repetition: bool = True  # a position that stands again within the search counts as if it did so often enough
    distance: bool = True  # prefer the fast win and the slow loss
    prove: bool = True  # now and then, try to prove the result by a search to the end (games that offer known_result)

    @classmethod
    def plain(cls) -> Options:
        """Nothing that changes the value: the textbook's alpha-beta to a depth, only faster."""
        return cls(
            quiescence=False,
            null_move=False,
            reductions=False,
            extensions=False,
            known_result=False,
            deeper_entries=False,
            quick_repetition=False,
            distance=False,
            prove=False,
        )


OPTION_NAMES = tuple(field.name for field in fields(Options) if field.name not in ("aspiration", "distance", "prove"))
COUNTERS = (
    "nodes",
    "quiet_nodes",
    "probes",
    "hits",
    "cuts",
    "first_cuts",
    "null_cuts",
    "reduced",
    "re_searches",
    "star_cuts",
)


class Workspace(NamedTuple):
    states: RecordArray
    frames: RecordArray
    work: RecordArray


def frame_dtype(width: int, outcomes: int) -> np.dtype[np.void]:
    return np.dtype(
        [
            ("moves", "i8", (width,)),
            ("order", "f8", (width,)),
            ("chance", "f8", (outcomes,)),
            ("lows", "f8", (outcomes,)),  # bounds on every outcome's value, for Star1 and Star2
            ("highs", "f8", (outcomes,)),
            ("pv", "i8", (MAX_PV,)),  # the principal variation from here
            ("pv_length", "i8"),
            ("killer", "i8"),
            ("killer_before", "i8"),
            ("last_mover", "i8"),  # the player who moved last before this position, for repetition
            ("null_moves", "i8"),  # on the path from the root
            # what is asked of the node
            ("lo", "f8"),
            ("hi", "f8"),
            ("depth", "i8"),
            ("mode", "i8"),
            # what it answers
            ("value", "f8"),
            ("proven", "i8"),
            ("depends_on", "i8"),  # path dependence: the ply nearest the root, or PATH_FREE
            # where it stands, seen from the side to move
            ("stage", "i8"),
            ("sign", "f8"),
            ("low", "f8"),
            ("high", "f8"),
            ("floor", "f8"),  # `low` as it was at first
            ("best", "f8"),
            ("choice", "i8"),
            ("best_proven", "i8"),
            ("all_proven", "i8"),
            ("children_depend_on", "i8"),  # the least `depends_on` of the children
            ("legal", "i8"),
            ("tried", "i8"),
            ("count", "i8"),
            ("key", "u8"),
            ("tt_move", "i8"),  # the transposition table's
            ("threatened", "i8"),
            ("pass_", "i8"),  # how the current move is being searched
            ("share", "i8"),
            ("least", "f8"),  # at a chance node: what the average is known to be at least, and at most
            ("most", "f8"),
        ],
        align=True,
    )


def work_dtype(players: int) -> np.dtype[np.void]:
    return np.dtype(
        [(name, "i8") for name in COUNTERS]
        + [(f"use_{name}", "i8") for name in OPTION_NAMES]
        + [
            ("poll", "i8"),  # nodes until the stop flag is looked at
            ("interval", "i8"),
            ("limit", "i8"),  # nodes
            ("stopped", "i8"),
            ("deepest", "i8"),
            ("root_depth", "i8"),
            ("generation", "i8"),
            ("distance_step", "f8"),
            ("goal", "f8"),  # the payoff whose shortest way is looked for (shortest.py); 0: in any other search
            ("scale", "f8"),  # of estimates, for ordering by them
            ("history", "i8", (2 * SLOTS,)),
            ("past", "i8"),  # how many positions before the root have their keys in `keys`
            ("keys", "u8", (PAST + MAX_PLIES,)),  # for repetition: these, then one a ply
            ("last_mover", "i8"),  # the player who moved to the root, or CHANCE
            # rules write to these: behind them there is slack, and nothing of ours
            ("payoff", "f8", (players,)),
            ("known_result", "f8", (2,)),
        ],
        align=True,
    )


ROOT = np.dtype(
    [
        ("move", "i8"),
        ("value", "f8"),
        ("bound", "i8"),
        ("proven", "i8"),
        ("nodes", "i8"),
        ("searched", "i8"),  # in this iteration
        ("pv_length", "i8"),
        ("pv", "i8", (MAX_PV,)),
    ],
    align=True,
)


def plies_for(game: RecordGame) -> int:
    """How deep a stack is worth having: as long as games are, within reason and memory."""
    width, outcomes = game.variant.width, game.variant.width if game.variant.max_chance_outcomes else 1
    one = frame_dtype(width, outcomes).itemsize + game.variant.dtype.itemsize
    return max(24, min((game.variant.max_plies or MAX_PLIES) + 3, MAX_PLIES, MAX_WORKSPACE // one))


def make_workspace(game: RecordGame, options: Options) -> Workspace:
    """Room for one thread."""
    plies = plies_for(game)
    width, outcomes = game.variant.width, game.variant.width if game.variant.max_chance_outcomes else 1
    frames = roomy(plies, frame_dtype(width, outcomes)).view(np.recarray)
    work = roomy(1, work_dtype(game.players)).view(np.recarray)
    for name in OPTION_NAMES:
        work[0][f"use_{name}"] = int(getattr(options, name))
    work[0]["distance_step"] = DISTANCE_STEP if options.distance else 0.0
    payoffs = game.variant.utility_range
    work[0]["scale"] = 1.0 / max(1e-9, payoffs[1] - payoffs[0]) if payoffs else 1.0
    return Workspace(roomy(plies, game.variant.dtype), frames, work)


def set_root(workspace: Workspace, root: State) -> None:
    workspace.states[:1] = root.record
