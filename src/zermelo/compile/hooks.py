"""The table of hooks: what rules may define, one row each.

A compiled hook is a function of the record, and its row is a function too: its name, its parameters (their types tell
compilers and `check` what is passed), its default as the body, its meaning as the docstring.

    @hook("search", check="noisy")
    def noisy(s: Record, out: Actions) -> int:
        '''The actions a quiescence search tries, written into `out`; how many.'''
        return 0

What the decorator leaves under the name is the function that kernels call: given a record it runs that game's own
`noisy`, or the default (see targets/). A hook of the presentation stays plain Python over a State and is called as
`game.hook("uci")`, or as the method of `Game` that has its name. `@rules` takes no function that is not in this table.

Adding a hook is adding a row; `make contract` writes docs/contract.md anew.
"""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from zermelo.compile.constants import num_players, others_share, side
from zermelo.compile.guards import GUARDS
from zermelo.compile.overloads import announce_helper, overload
from zermelo.compile.random import scramble
from zermelo.compile.targets.by_type import hook_by_type
from zermelo.compile.targets.python import hook_function
from zermelo.compile.words import num_words, word

F = TypeVar("F", bound=Callable[..., Any])

# What a hook is given: the record, and room to write into.
Record = Any
Actions = NDArray[np.int64]  # max_actions, or max_chance_outcomes
Reals = NDArray[np.float64]  # players, or max_chance_outcomes
Singles = NDArray[np.float32]  # max_active_features
Planes = NDArray[np.int8]  # plane_shape: (count, height, width), all zeros

UNBOUNDED = 1 << 30  # more plies than any game has
_STEP = np.uint64(0x9E3779B97F4A7C15)  # makes the same word in two places two words: 2^64 / golden ratio

GROUPS = {
    "game": "The game itself",
    "position": "When two positions are the same",
    "search": "What a search can use",
    "learning": "What a learned evaluation sees",
    "endings": "Endings that can be worked out once and for all",
    "notation": "Positions and moves as text",
    "drawing": "Drawings, and moves made by clicking them",
    "exchange": "What other programs read",
    "teaching": "What is taught with the game",
}


@dataclass(frozen=True)
class Hook:
    """One row."""

    name: str
    parameters: tuple[str, ...]
    group: str  # one of GROUPS
    meaning: str  # one sentence, or a few
    check: tuple[str, ...]  # the kinds of faults `check` finds in it (KINDS of zermelo.check.report)
    function: Callable[..., Any] | None = None  # what kernels call; None: plain Python, never compiled
    default: Callable[..., Any] | None = None  # what it is where the rules do not define it; None: they must
    otherwise: str = ""  # the same, in words
    returns: str = ""  # of a compiled hook: "int", "float", "bool"; "" nothing

    @property
    def is_compiled(self) -> bool:
        return self.function is not None

    @property
    def is_required(self) -> bool:
        return self.is_compiled and self.default is None


HOOKS: dict[str, Hook] = {}


def required(group: str, check: str) -> Callable[[F], F]:
    """A row for a compiled hook that every game defines."""
    return lambda declared: _compiled(declared, group, check, None, "")


def hook(group: str, check: str, otherwise: str = "") -> Callable[[F], F]:
    """A row for a compiled hook whose default is the function decorated; `otherwise` says what that comes to."""
    return lambda default: _compiled(default, group, check, default, otherwise)


def _compiled(declared: F, group: str, check: str, default: F | None, otherwise: str) -> F:
    name, parameters = declared.__name__, tuple(inspect.signature(declared).parameters)
    function = hook_function(declared, default is None)
    overload(function)(hook_by_type(name, default))
    if default is not None and name in GUARDS:
        announce_helper(default, False)  # what looks at its answer calls it
    said = inspect.signature(declared).return_annotation
    returns = "" if said in (None, "None") else getattr(said, "__name__", str(said))
    kinds = tuple(check.split())
    _add(Hook(name, parameters, group, _meaning(declared), kinds, function, default, otherwise, returns))
    return function


def _shown(signature: str, group: str, meaning: str, check: str, otherwise: str = "none") -> None:
    name, _, parameters = signature.rstrip(")").partition("(")
    words = tuple(parameters.replace(",", " ").split())
    _add(Hook(name, words, group, meaning, tuple(check.split()), otherwise=otherwise))


def _add(row: Hook) -> None:
    assert row.group in GROUPS, row.group
    assert row.name not in HOOKS, row.name
    HOOKS[row.name] = row


def _meaning(function: Callable[..., Any]) -> str:
    return " ".join((inspect.getdoc(function) or "").split())


def near(word: str, known: Iterable[str]) -> str:
    """' (did you mean …?)', where something known is nearly `word`."""
    close = difflib.get_close_matches(word, list(known), 1)
    return f" (did you mean '{close[0]}'?)" if close else ""


# -- the game ----------------------------------------------------------------------------------------------------------


@required("game", check="raises")
def start(s: Record) -> None:
    """Set up the game in a record of zeros."""
    raise NotImplementedError


@required("game", check="player")
def player(s: Record) -> int:
    """Whose turn it is: 0, 1, …, CHANCE or OVER. The same player may move twice in a row."""
    raise NotImplementedError


@required("game", check="count twice stuck")
def actions(s: Record, out: Actions) -> int:
    """Write the legal actions into `out`, and return how many."""
    raise NotImplementedError


@required("game", check="raises")
def apply(s: Record, action: int) -> None:
    """Play `action` (an outcome, at a chance node), in place."""
    raise NotImplementedError


@required("game", check="utility zero-sum utility_range utility_values")
def utility(s: Record, out: Reals) -> None:
    """At the end: write the payoff of every player into `out`."""
    raise NotImplementedError


@hook("game", check="chances count twice", otherwise="there are no chance nodes")
def chances(s: Record, out: Actions, probability: Reals) -> int:
    """At a chance node: write the outcomes and their probabilities, and return how many."""
    return 0


@hook("game", check="side_to_move", otherwise="`player`")
def side_to_move(s: Record) -> int:
    """Whose turn it is by the moves alone: `player` without the rules that decide the result for other reasons (fifty
    moves, too little material). Perft counts by it, as published tables do."""
    return player(s)


# -- when two positions are the same -----------------------------------------------------------------------------------


@hook("position", check="hash key", otherwise="a hash of the whole record")
def key(s: Record) -> np.uint64:
    """64 bits that stand for the position: equal positions have equal keys."""
    h = np.uint64(0)
    for i in range(num_words(s)):
        h += scramble(word(s, i) + np.uint64(i + 1) * _STEP)  # no word waits for the one before it
    return h


@hook("position", check="compiled", otherwise="`key`")
def repetition_key(s: Record) -> np.uint64:
    """The key that repetition is judged by (positional superko ignores whose turn it is)."""
    return key(s)


@hook("position", check="compiled", otherwise="`key`")
def search_key(s: Record) -> np.uint64:
    """The key for a search, where only the value matters: equal for mirror images, different near a move limit."""
    return key(s)


@hook("position", check="reversible_plies", otherwise="without bound")
def reversible_plies(s: Record) -> int:
    """At most how many plies before `s` a position with the same `repetition_key` can have occurred: 0 right after a
    move that cannot be undone (a capture, a pawn move). Null moves do not count as plies. Repetition is not looked for
    any further back."""
    return UNBOUNDED


# -- what a search can use ---------------------------------------------------------------------------------------------


@hook("search", check="evaluate utility_range", otherwise="0")
def evaluate(s: Record) -> float:
    """An estimate of the payoff, from player 0's side."""
    return 0.0


@hook("search", check="evaluate_players", otherwise="`evaluate`; the other players share what makes the sum zero")
def evaluate_players(s: Record, out: Reals) -> None:
    """An estimate for every player, written into `out`."""
    value = evaluate(s)
    for p in range(num_players(s)):
        out[p] = value if side(s, p) == 0 else -value * others_share(s)


@hook("search", check="noisy count", otherwise="none: there is no quiescence search")
def noisy(s: Record, out: Actions) -> int:
    """Write the actions a quiescence search tries into `out`, and return how many."""
    return 0


@hook("search", check="move_score", otherwise="0")
def move_score(s: Record, action: int) -> float:
    """How early a search should try `action`: above 0 early, below 0 late, -inf never, since another is as good."""
    return 0.0


@hook("search", check="compiled", otherwise="never")
def threatened(s: Record) -> bool:
    """Is the side to move under a threat that must be met first (check)? Searched deeper, never judged as it stands."""
    return False


@hook("search", check="null_move", otherwise="there are no null moves")
def null_move(s: Record) -> bool:
    """Pass the turn, in place; where that may be better than every move, do nothing and return False."""
    return False


@hook("search", check="known_result utility_range", otherwise="never")
def known_result(s: Record, out: Reals) -> bool:
    """Is the result known without search? Then write player 0's payoff into `out[0]` and the plies to the end into
    `out[1]`."""
    return False


# -- what a learned evaluation sees ------------------------------------------------------------------------------------


@hook("learning", check="features count", otherwise="there are none")
def features(s: Record, index: Actions, value: Singles) -> int:
    """Write the numbers and the values of the features that are not zero, and return how many."""
    return 0


@hook("learning", check="perspective", otherwise="player 0")
def perspective(s: Record) -> int:
    """The player, 0 or 1, whose view the features take and whose value they give."""
    return 0


@hook("learning", check="policy_size", otherwise="the action itself")
def policy_index(s: Record, action: int) -> int:
    """The number of `action` among all actions possible in any state, below `policy_size`."""
    return action


@hook("learning", check="planes", otherwise="there are none")
def planes(s: Record, out: Planes) -> None:
    """Write what a policy/value network sees: the board as planes `out[plane, row, column]`, as the player to move sees
    it, in whole numbers from -128 to 127. `out` starts as all zeros: only what is not zero has to be written."""


@hook("learning", check="planes", otherwise="unknown")
def owners(s: Record, out: Planes) -> None:
    """At the end of a game: write the owner of each cell of the board into `out[0, row, column]`, 1 for player 0 and -1
    for player 1; `out` starts as all zeros. A network that predicts the owners learns more from every game."""


# -- endings that can be worked out once and for all -------------------------------------------------------------------


@hook("endings", check="endings", otherwise="-1 everywhere: there are no endgame tables")
def ending(s: Record) -> int:
    """The number of the class of endings that `s` belongs to, from 0 up; -1 where it is in none. A class is given by
    something that only shrinks: the material, the number of seeds. Every action leads to a class of the same group or
    of an earlier one (see `endings`), or ends the game; a position in which the game is over may be in a class, but
    need not be."""
    return -1


@hook("endings", check="endings", otherwise="see `ending`")
def rank(s: Record) -> int:
    """The number of `s` within its class, below the class's size; called only where `ending` is not -1. Positions that
    are worth the same to the player to move (colours exchanged, mirrored) may share a number. What the rules count
    outside the position (plies without a capture) has no part in it."""
    return 0


@hook("endings", check="endings", otherwise="see `ending`")
def unrank(s: Record, ending: int, rank: int) -> bool:
    """Set up, in a record of zeros, a position that has this `ending` and this `rank`. False where no position has
    this number."""
    return False


@hook("endings", check="endings", otherwise="-1 everywhere: there are no one-sided tables")
def race_rank(s: Record, who: int) -> int:
    """In a race, where nothing that the opponent does affects what player `who` can do: the number of what that player
    still has to do, within the class that `endings` lists as one-sided; -1 elsewhere. Where `unrank` sets up such a
    number, player 0 is to move."""
    return -1


# fmt: off
# -- the presentation: plain Python over a State, never compiled -------------------------------------------------------

_shown("symmetries()", "learning",
       "A list of pairs of permutations (cells, policy), the first pair being the identity: if a position is seen as "
       "`planes` and played by the policy `p`, the same position rotated or mirrored is seen as `planes[:, cells]`, "
       "with the cells of a plane in one row, and played by `p[policy]`. The start is its own image.",
       check="symmetries", otherwise="the identity alone")
_shown("endings(limit)", "endings",
       "The classes up to a `limit` (of pieces, of seeds: the game says of what), as a list of groups in the order in "
       "which they can be worked out. A group is a list of `Ending(number, name, size, limit)`: classes that lead to "
       "each other, or a single one; a fifth item, True, marks the class of `race_rank`. A smaller limit gives part "
       "of the list.",
       check="endings", otherwise="see `ending`")
_shown("parse(s, text)", "notation", "Read a line of text into an empty record; a GameError says what is wrong.",
       check="format", otherwise="`field=value …`")
_shown("format(s)", "notation", "The position as one line of text that `parse` reads.",
       check="format", otherwise="see `parse`")
_shown("validate(s)", "notation", "An error sentence if a state made from outside is not a position of this game.",
       check="validate", otherwise="every state is one")
_shown("parse_action(s, text)", "notation", "The action that a text stands for; a GameError if there is none.",
       check="moves", otherwise="what `format_action` writes")
_shown("format_action(s, a)", "notation", "The action as people write it.",
       check="moves", otherwise="its number")
_shown("text(s)", "drawing", "The position drawn for a terminal.",
       check="drawing", otherwise="`format`")
_shown("svg(s, marks)", "drawing", "The position drawn as SVG, with `marks` highlighted.",
       check="drawing", otherwise="no drawing")
_shown("clicks(s, a)", "drawing", "The cells to click, in order, to play an action.",
       check="drawing", otherwise="moves are typed")
_shown("click_orders(s, a)", "drawing", "All the orders in which a move may be clicked, each like `clicks`.",
       check="drawing", otherwise="`clicks` alone")
_shown("halfway(s, cells, marks)", "drawing", "The SVG of a move of several steps after some of its clicks.",
       check="", otherwise="`svg`")
_shown("refusal(s, cell)", "drawing", "Why a click on this cell makes no move, in a sentence; empty: nothing to add.",
       check="", otherwise="only that it makes no move")
_shown("uci(s, a)", "exchange", "A move as UCI engines write it; positions are the game's `format`.", check="moves")
_shown("gtp(s, a)", "exchange", "A move as GTP engines write it; player 0 is black.", check="moves")
_shown("gtp_setup(s)", "exchange", "The commands that bring a GTP engine to the position.", check="moves")
_shown("fibs(s)", "exchange", "A position as a FIBS board; moves are `parse_action`'s.", check="format")
_shown("pgn(history, names)", "exchange", "A game, and its players' names if they are known, as PGN.", check="")
_shown("sgf(history, names)", "exchange", "… as SGF.", check="")
_shown("pdn(history, names)", "exchange", "… as PDN.", check="")
_shown("mat(history, names)", "exchange", "… as a match file of backgammon programs.", check="")
_shown("lessons()", "teaching", "Agents to watch in this game, and what they teach.", check="")
# fmt: on
