"""What an OverrunError means, in one sentence: the game, the function, the declaration, the position.

Compiled code leaves no more behind than the name of the hook. But the position is still in the arrays that the kernel
worked in: each of them is shown to the rules once more, interpreted and with plenty of room, until they say it again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from zermelo.compile.declarations import RulesError
from zermelo.compile.guards import OverrunError
from zermelo.compile.record import RecordArray
from zermelo.compile.variant import Variant
from zermelo.core.game import CHANCE, OVER

MOST = 10_000  # positions that are looked at
PLENTY = 1 << 14  # numbers: a game's arrays have less

_IN_GENERAL = {  # where no position is found, or the interpreted rules answer otherwise there
    "actions": "actions lists more than max_actions = {max_actions}, or a negative number of them",
    "noisy": "noisy lists more than max_actions = {max_actions}, or a negative number of them",
    "chances": "chances lists more than max_chance_outcomes = {max_chance_outcomes}, or a negative number of them",
    "features": "features writes more than max_active_features = {max_active_features}, or a number that is not below "
    "num_features = {num_features}",
    "policy_index": "policy_index gives a number that is not below policy_size = {policy_size}",
    "player": "player says neither one of the {players} players nor OVER, or CHANCE without a function chances",
    "rank": "rank gives a number that is not below the size that endings lists for the class",
    "race_rank": "race_rank gives a number that is not below the size of the one-sided class, or something else than a "
    "roll and a choice of the same player comes between two of its positions",
    "turns": "a race in a one-sided class of endings can take 64 turns or more",
    "ending": "ending says -1 after an action in a class, and the game is not over there",
}


def explain_overrun(
    fault: OverrunError, variant: Variant, title: str, arguments: Iterable[Any], show: Callable[[RecordArray], str]
) -> RulesError:
    """What `fault`, which came out of a kernel with these arguments, means; `show(records)` is a position as text."""
    name = fault.args[0]
    advice = f"`zermelo check {title}` looks into it"
    for records in _positions(variant, arguments):
        try:
            with np.errstate(over="ignore"):
                found = _found(name, variant, variant.view(records[0]))
        except Exception:  # a record that is no position
            continue
        if found:
            return RulesError(f"{title}: {found} (position: {show(records)}); {advice}")
    says = {word: getattr(variant, word) for word in variant.__dataclass_fields__}
    return RulesError(f"{title}: {_IN_GENERAL[name].format(**says)}; {advice}")


def _positions(variant: Variant, arguments: Iterable[Any]) -> Iterator[RecordArray]:
    """The records in the arrays a kernel was given, each once; records of zeros, which are room not used yet, last."""
    seen: set[bytes] = set()
    zero = bytes(variant.dtype.itemsize)
    for array in _arrays(arguments):
        if array.dtype == variant.dtype:
            for i in range(min(len(array), MOST)):
                content = array[i].tobytes()
                if content not in seen and content != zero:
                    seen.add(content)
                    yield np.frombuffer(content, variant.dtype).copy()
    yield np.zeros(1, variant.dtype)


def _arrays(arguments: Iterable[Any]) -> Iterator[Any]:
    for argument in arguments:
        if isinstance(argument, np.ndarray):
            yield argument
        elif isinstance(argument, tuple):
            yield from _arrays(argument)


def _found(name: str, rules: Variant, s: Any) -> str:
    """What is wrong with the answer of the hook `name` at `s`; nothing, if it is as declared."""
    own = rules.functions
    whose = own["player"](s)
    out, probability, single = np.zeros(PLENTY, np.int64), np.zeros(PLENTY), np.zeros(PLENTY, np.float32)
    if name == "player":
        return "" if whose in _turns(rules) else f"player says {whose}, which is {_no_turn(rules, whose)}"
    if name != "features" and (whose == OVER or (whose == CHANCE) != (name == "chances")):
        return ""  # the hook is not asked there
    if name == "chances":
        return _count(name, "outcomes", own[name](s, out, probability), rules, "max_chance_outcomes")
    if name in ("actions", "noisy"):
        return _count(name, "actions", own[name](s, out), rules, "max_actions")
    if name == "features":
        n = own[name](s, out, single)
        wrong = [int(i) for i in out[: max(n, 0)] if not 0 <= i < (rules.num_features or 0)]
        named = f"features names number {wrong[0]} where num_features = {rules.num_features}" if wrong else ""
        return _count(name, "features", n, rules, "max_active_features") or (f"{named} is declared" if named else "")
    if name in ("rank", "ending", "race_rank", "turns"):
        return ""  # that takes the sizes of classes, or the position before
    for a in out[: own["actions"](s, out)].tolist():
        i = own[name](s, a) if name in own else a
        if not 0 <= i < (rules.policy_size or 0):
            return f"policy_index of action {a} is {i} where policy_size = {rules.policy_size} is declared"
    return ""


def _count(name: str, what: str, n: int, rules: Variant, declaration: str) -> str:
    most = getattr(rules, declaration)
    if n < 0:
        return f"{name} says it wrote {n} {what}"
    return f"{name} wrote {n} {what} where {declaration} = {most} is declared" if n > most else ""


def _turns(rules: Variant) -> set[int]:
    return {OVER, *range(rules.players)} | ({CHANCE} if "chances" in rules.functions else set())


def _no_turn(rules: Variant, p: int) -> str:
    if p == CHANCE:
        return "CHANCE, but there is no function chances"
    return f"none of 0 to {rules.players - 1}, CHANCE and OVER"
