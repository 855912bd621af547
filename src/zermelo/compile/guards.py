"""What rules answer is looked at before it is used, wherever they run.

Rules write into arrays that kernels give them, and say how much they wrote. An answer that is not within what they
declare would send a kernel past the end of an array. So the function that stands for a hook is not always the rules'
own, but one that calls it and raises an OverrunError where the answer cannot be used:

    actions, noisy      0 … max_actions                      chances    0 … max_chance_outcomes
    features            0 … max_active_features, and every number below num_features
    policy_index        below policy_size

A kernel is left at once, and `RecordGame.run` makes a sentence of it (diagnostics/overrun.py); on a card the thread
ends there. The count is in a register when it is compared, which costs nothing that can be measured. To look at
`player` would double the time of a small game (docs/performance.md), so who uses that as an index asks `need_player`.

What was written before the count is known went into slack (`roomy` in record.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from zermelo.compile.declarations import RulesError
from zermelo.compile.variant import Variant

Answer = Callable[..., Any]


class OverrunError(RulesError):
    """The answer of a hook, named by the only argument, is not within what the rules declare."""


def guarded(rules: Variant, name: str, default: Answer | None) -> Any:
    """What stands for the hook `name` of `rules`: `default`, unless they have their own, with its answer looked at."""
    return guard(rules, name, rules.functions.get(name, default))


def guard(rules: Variant, name: str, own: Answer | None) -> Any:
    """`own`, with its answer looked at."""
    make = GUARDS.get(name)
    return own if own is None or make is None else make(rules, name, own)


def _actions(rules: Variant, name: str, own: Answer) -> Answer:
    most = rules.max_actions

    def actions(s: Any, out: Any) -> Any:
        n = np.int64(own(s, out))
        if not 0 <= n <= most:
            raise OverrunError(name)
        return n

    return actions


def _chances(rules: Variant, name: str, own: Answer) -> Answer:
    most = rules.max_chance_outcomes

    def chances(s: Any, out: Any, probability: Any) -> Any:
        n = np.int64(own(s, out, probability))
        if not 0 <= n <= most:
            raise OverrunError(name)
        return n

    return chances


def _features(rules: Variant, name: str, own: Answer) -> Answer:
    most, numbers = rules.max_active_features or 0, rules.num_features or 0

    def features(s: Any, index: Any, value: Any) -> Any:
        n = np.int64(own(s, index, value))
        if not 0 <= n <= most:
            raise OverrunError(name)
        outside = 0
        for i in range(n):
            outside += 1 if not 0 <= index[i] < numbers else 0  # no branch: several at a time
        if outside > 0:
            raise OverrunError(name)
        return n

    return features


def _policy_index(rules: Variant, name: str, own: Answer) -> Answer:
    if rules.policy_size is None:
        return own
    most = rules.policy_size

    def policy_index(s: Any, action: Any) -> Any:
        i = np.int64(own(s, action))
        if not 0 <= i < most:
            raise OverrunError(name)
        return i

    return policy_index


GUARDS: dict[str, Callable[[Variant, str, Answer], Answer]] = {
    "actions": _actions,
    "noisy": _actions,
    "chances": _chances,
    "features": _features,
    "policy_index": _policy_index,
}
