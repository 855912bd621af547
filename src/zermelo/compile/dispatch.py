"""How a kernel meets a game: by type. A kernel calls `actions(s, out)`; the record's type says whose actions.

Called from Python (rules interpreted, or the JIT switched off) these functions look the rules up by the record's dtype
and show them the record through a View. Called from compiled code, Numba's `@overload` picks the rules' own function
by the record's type and compiles it in: there is no call left to pay for.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from zermelo.compile.overloads import overload
from zermelo.compile.random import scramble
from zermelo.compile.rules import VARIANTS, Variant
from zermelo.core.game import CHANCE, OVER

NEVER, DRAWN, LOST, FORBIDDEN = 0, 1, 2, 3
REPETITION = {None: NEVER, "draw": DRAWN, "loss": LOST, "forbidden": FORBIDDEN}
_STEP = np.uint64(0x9E3779B97F4A7C15)  # makes the same word in two places two words: 2^64 / golden ratio


def _of(s: Any) -> Variant:
    return VARIANTS[s.dtype]


def start(s: Any) -> None:
    """Set up the game in a record of zeros."""
    _of(s).functions["start"](_of(s).view(s))


def player(s: Any) -> int:
    """Whose turn: 0, 1, …, CHANCE or OVER."""
    return int(_of(s).functions["player"](_of(s).view(s)))


def actions(s: Any, out: Any) -> int:
    """Write the legal actions into `out`, return how many."""
    return int(_of(s).functions["actions"](_of(s).view(s), out))


def apply(s: Any, action: Any) -> None:
    """Play `action` (an outcome, at a chance node), in place."""
    _of(s).functions["apply"](_of(s).view(s), int(action))


def utility(s: Any, out: Any) -> None:
    """At the end: write the payoff of every player into `out`."""
    _of(s).functions["utility"](_of(s).view(s), out)


def chances(s: Any, out: Any, probability: Any) -> int:
    """At a chance node: write the outcomes and their probabilities, return how many."""
    function: Any = _of(s).functions.get("chances", _no_pairs)
    return int(function(_of(s).view(s), out, probability))


def evaluate(s: Any) -> float:
    """An estimate, from player 0's side; 0 where the game has none."""
    function: Any = _of(s).functions.get("evaluate", _no_evaluation)
    return float(function(_of(s).view(s)))


def noisy(s: Any, out: Any) -> int:
    """The actions a quiescence search tries; none where the game names none."""
    function: Any = _of(s).functions.get("noisy", _no_actions)
    return int(function(_of(s).view(s), out))


def side(s: Any, p: int) -> int:
    """The team of player `p`; side 0 is MAX."""
    teams = _of(s).teams
    return p if teams is None else teams[p]


def key(s: Any) -> np.uint64:
    """64 bits that stand for the position: equal positions have equal keys."""
    function = _of(s).functions.get("key")
    if function is not None:
        return np.uint64(function(_of(s).view(s)))
    h = np.uint64(0)
    with np.errstate(over="ignore"):
        for i, word in enumerate(np.frombuffer(s.tobytes(), np.uint64)):
            h += scramble(word + np.uint64(i + 1) * _STEP)
    return h


def repetition_key(s: Any) -> np.uint64:
    """The key as far as repetition goes."""
    function = _of(s).functions.get("repetition_key")
    return key(s) if function is None else np.uint64(function(_of(s).view(s)))


def search_key(s: Any) -> np.uint64:
    """The key as far as the value goes; positions that share it are worth the same."""
    function = _of(s).functions.get("search_key")
    return key(s) if function is None else np.uint64(function(_of(s).view(s)))


def move_score(s: Any, action: Any) -> float:
    """How early a search should try `action`; 0 where the game does not say."""
    function: Any = _of(s).functions.get("move_score", _no_score)
    return float(function(_of(s).view(s), int(action)))


def threatened(s: Any) -> bool:
    """Is the side to move under a threat that must be met first?"""
    function: Any = _of(s).functions.get("threatened", _never)
    return bool(function(_of(s).view(s)))


def null_move(s: Any) -> bool:
    """Hand the turn over, in place; False where the game has no such thing, or not here."""
    function: Any = _of(s).functions.get("null_move", _never)
    return bool(function(_of(s).view(s)))


def known_result(s: Any, out: Any) -> bool:
    """Is the result known without search? Then out[0] is player 0's payoff, and out[1] the plies to the end."""
    function: Any = _of(s).functions.get("known_result", _nothing)
    return bool(function(_of(s).view(s), out))


def evaluate_players(s: Any, out: Any) -> None:
    """An estimate for every player; where the game gives only player 0's, the others share what makes the sum zero."""
    function: Any = _of(s).functions.get("evaluate_players")
    if function is not None:
        function(_of(s).view(s), out)
        return
    value, others = evaluate(s), sum(side(s, p) != 0 for p in range(len(out)))
    for p in range(len(out)):
        out[p] = value if side(s, p) == 0 else -value * (len(out) - others) / max(1, others)


def features(s: Any, index: Any, value: Any) -> int:
    """Write what a learned evaluation sees: features by number and their values. How many; 0 where there are none."""
    function: Any = _of(s).functions.get("features", _no_pairs)
    return int(function(_of(s).view(s), index, value))


def perspective(s: Any) -> int:
    """The player who sees the features."""
    function: Any = _of(s).functions.get("perspective", _player_0)
    return int(function(_of(s).view(s)))


def policy_index(s: Any, action: Any) -> int:
    """The number of `action` among all actions there can be anywhere; the action itself where the game does not say."""
    function: Any = _of(s).functions.get("policy_index", _itself)
    return int(function(_of(s).view(s), int(action)))


def over(s: Any, out: Any) -> bool:
    """Has the game ended here? (`out` is scratch space, for games that end when a player is stuck.)"""
    p = player(s)
    return p == OVER or (p >= 0 and _of(s).stuck_ends and actions(s, out) == 0)


def expand(s: Any, out: Any, probability: Any) -> tuple[int, int]:
    """(player, how many): the actions or the outcomes with their probabilities written; (OVER, 0) at the end."""
    p = player(s)
    if p == OVER:
        return OVER, 0
    if p == CHANCE:
        return CHANCE, chances(s, out, probability)
    n = actions(s, out)
    if n == 0 and _of(s).stuck_ends:
        return OVER, 0
    return p, n


def assign(to: Any, source: Any) -> None:
    """Make record `to` a copy of record `source`."""
    to.setfield(source, to.dtype)  # a record scalar is a view: this writes through it


def at(states: Any, ply: int) -> Any:
    """states[ply], for a ply that is not negative: compiled code need not look whether it counts from the end."""
    return states[ply]


def row(table: Any, ply: int) -> Any:
    """One row of a table made by zermelo.compile.record.rows."""
    return table[ply]["at"]


def offers(s: Any, hook: str) -> bool:
    """Do the rules define `hook`? A constant to the compiler, which leaves out what depends on it."""
    return hook in _of(s).functions


def repetition(s: Any) -> int:
    """What repetition means in this game: NEVER, DRAWN, LOST or FORBIDDEN. A constant to the compiler."""
    return REPETITION[_of(s).repetition]


def repetitions(s: Any) -> int:
    """When it stands for the how-manieth time. A constant to the compiler."""
    return _of(s).repetitions


def utility_range(s: Any) -> tuple[float, float]:
    """The least and the most player 0 can get, as declared; infinite where nothing is. A constant to the compiler."""
    return _of(s).utility_range or (-np.inf, np.inf)


def has_chance(s: Any) -> bool:
    """Does this game have chance nodes? A constant to the compiler, which leaves out what depends on it."""
    return "chances" in _of(s).functions


def _no_pairs(s: Any, out: Any, value: Any) -> int:
    return 0


def _player_0(s: Any) -> int:
    return 0


def _itself(s: Any, action: Any) -> Any:
    return action


def _no_evaluation(s: Any) -> float:
    return 0.0


def _no_actions(s: Any, out: Any) -> int:
    return 0


def _no_score(s: Any, action: Any) -> float:
    return 0.0


def _never(s: Any) -> bool:
    return False


def _nothing(s: Any, out: Any) -> bool:
    return False


# -- the same, compiled: the type of `s` names the rules ---------------------------------------------------------------


@overload(start)
def _start(s: Any) -> Any:
    return VARIANTS[s].functions["start"]


@overload(player)
def _player(s: Any) -> Any:
    return VARIANTS[s].functions["player"]


@overload(actions)
def _actions(s: Any, out: Any) -> Any:
    return VARIANTS[s].functions["actions"]


@overload(apply)
def _apply(s: Any, action: Any) -> Any:
    return VARIANTS[s].functions["apply"]


@overload(utility)
def _utility(s: Any, out: Any) -> Any:
    return VARIANTS[s].functions["utility"]


@overload(chances)
def _chances(s: Any, out: Any, probability: Any) -> Any:
    return VARIANTS[s].functions.get("chances", _no_pairs)


@overload(evaluate)
def _evaluate(s: Any) -> Any:
    return VARIANTS[s].functions.get("evaluate", _no_evaluation)


@overload(noisy)
def _noisy(s: Any, out: Any) -> Any:
    return VARIANTS[s].functions.get("noisy", _no_actions)


@overload(side)
def _side(s: Any, p: Any) -> Any:
    teams = VARIANTS[s].teams
    if teams is None:
        return lambda s, p: p
    return lambda s, p: teams[p]


@overload(key)
def _key(s: Any) -> Any:
    own = VARIANTS[s].functions.get("key")
    if own is not None:
        return own
    words = VARIANTS[s].dtype.itemsize // 8

    def hash_words(s: Any) -> Any:
        h = np.uint64(0)
        for i in range(words):
            h += scramble(_word(s, i) + np.uint64(i + 1) * _STEP)  # no word waits for the one before it
        return h

    return hash_words


@overload(repetition_key)
def _repetition_key(s: Any) -> Any:
    own = VARIANTS[s].functions.get("repetition_key")
    return own if own is not None else lambda s: key(s)  # noqa: PLW0108 - Numba compiles a function, not an overload


@overload(search_key)
def _search_key(s: Any) -> Any:
    own = VARIANTS[s].functions.get("search_key")
    return own if own is not None else lambda s: key(s)  # noqa: PLW0108


@overload(move_score)
def _promise(s: Any, action: Any) -> Any:
    return VARIANTS[s].functions.get("move_score", _no_score)


@overload(threatened)
def _urgent(s: Any) -> Any:
    return VARIANTS[s].functions.get("threatened", _never)


@overload(null_move)
def _null_move(s: Any) -> Any:
    return VARIANTS[s].functions.get("null_move", _never)


@overload(known_result)
def _foresee(s: Any, out: Any) -> Any:
    return VARIANTS[s].functions.get("known_result", _nothing)


@overload(evaluate_players)
def _estimates(s: Any, out: Any) -> Any:
    own = VARIANTS[s].functions.get("evaluate_players")
    if own is not None:
        return own
    players, teams = VARIANTS[s].players, VARIANTS[s].teams or tuple(range(VARIANTS[s].players))
    sides = np.array(teams) == 0
    share = float(sides.sum()) / max(1, int((~sides).sum()))

    def estimates_of_sides(s: Any, out: Any) -> None:
        value = evaluate(s)
        for p in range(players):
            out[p] = value if sides[p] else -value * share

    return estimates_of_sides


@overload(features)
def _features(s: Any, index: Any, value: Any) -> Any:
    return VARIANTS[s].functions.get("features", _no_pairs)


@overload(perspective)
def _viewer(s: Any) -> Any:
    return VARIANTS[s].functions.get("perspective", _player_0)


@overload(policy_index)
def _policy_index(s: Any, action: Any) -> Any:
    return VARIANTS[s].functions.get("policy_index", _itself)


@overload(offers, prefer_literal=True)
def _offers(s: Any, hook: Any) -> Any:
    return (lambda s, hook: True) if hook.literal_value in VARIANTS[s].functions else (lambda s, hook: False)


@overload(repetition)
def _repetition(s: Any) -> Any:
    code = REPETITION[VARIANTS[s].repetition]
    return lambda s: code


@overload(repetitions)
def _repetitions(s: Any) -> Any:
    times = VARIANTS[s].repetitions
    return lambda s: times


@overload(utility_range)
def _utility_range(s: Any) -> Any:
    bounds = VARIANTS[s].utility_range or (-np.inf, np.inf)
    return lambda s: bounds


@overload(over)
def _over(s: Any, out: Any) -> Any:
    if not VARIANTS[s].stuck_ends:
        return lambda s, out: player(s) == OVER

    def over_or_stuck(s: Any, out: Any) -> Any:
        p = player(s)
        return p == OVER or (p >= 0 and actions(s, out) == 0)

    return over_or_stuck


@overload(expand)
def _expand(s: Any, out: Any, probability: Any) -> Any:
    stuck_ends = VARIANTS[s].stuck_ends
    has_chance = "chances" in VARIANTS[s].functions

    def expand_by_type(s: Any, out: Any, probability: Any) -> Any:
        p = np.int64(player(s))
        if p == OVER:
            return np.int64(OVER), np.int64(0)
        if has_chance and p == CHANCE:
            return p, np.int64(chances(s, out, probability))
        n = np.int64(actions(s, out))
        if stuck_ends and n == 0:
            return np.int64(OVER), np.int64(0)
        return p, n

    return expand_by_type


@overload(row)
def _row(table: Any, ply: Any) -> Any:
    return lambda table, ply: table[np.uintp(ply)].at


@overload(at)
def _at(states: Any, ply: Any) -> Any:
    return lambda states, ply: states[np.uintp(ply)]


@overload(has_chance)
def _has_chance(s: Any) -> Any:
    return (lambda s: True) if "chances" in VARIANTS[s].functions else (lambda s: False)


@overload(assign)
def _assign(to: Any, source: Any) -> Any:
    return lambda to, source: _copy(to, source)  # noqa: PLW0108


@intrinsic
def _copy(typing_context: Any, to: Any, source: Any) -> Any:
    """Copy a record word by word, all loads before all stores: what `apply` overwrites at once is then never stored."""
    size = VARIANTS[to].dtype.itemsize // 8

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        target, origin = (builder.bitcast(a, ir.IntType(64).as_pointer()) for a in arguments)
        if size > 16:
            cgutils.raw_memcpy(builder, target, origin, size, 8)
        else:
            places = [context.get_constant(types.intp, i) for i in range(size)]
            words = [builder.load(builder.gep(origin, [i])) for i in places]
            for i, word in zip(places, words, strict=True):
                builder.store(word, builder.gep(target, [i]))
        return context.get_dummy_value()

    return types.none(to, source), generate


@intrinsic
def _word(typing_context: Any, s: Any, i: Any) -> Any:
    """The i-th 64-bit word of a record, which compiled code holds as a pointer."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        words = builder.bitcast(arguments[0], ir.IntType(64).as_pointer())
        return builder.load(builder.gep(words, [arguments[1]]))

    return types.uint64(s, types.intp), generate
