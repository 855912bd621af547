"""What rules offer a learner, looked at by `check`: features, perspective, utility_values, policy_index.

Whether features say what matters, only a training can tell. What can be said of one state: there are as many as
declared at most, their numbers and values are numbers within bounds, they change nothing, and compiled they are the
same; perspective is one of the two players; a payoff is one of utility_values; no two actions have the same number.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from zermelo.check.states import MARKS, SAME, Broken, Seen, check_written, is_whole, number
from zermelo.compile.dispatch import features, perspective, policy_index, row
from zermelo.compile.kernel import kernel
from zermelo.compile.record import Cells, rows
from zermelo.compile.record_game import State
from zermelo.core.game import OVER, shorten

MARGIN = 64  # numbers behind what compiled features may write
NEAR = 1e-6  # values are single precision


@kernel
def read_features(states, index, value):  # type: ignore[no-untyped-def]
    return features(states[0], index, value), perspective(states[0])


@kernel
def read_policy_indices(states, moves, count, order):  # type: ignore[no-untyped-def]
    for i in range(count):
        order[i] = policy_index(states[0], row(moves, 0)[i])


def ask_features(examiner: Any, s: State, seen: Seen, payoff: Sequence[float]) -> dict[str, Any]:
    """What the interpreted functions say, having made sure that it makes sense. `examiner` is the records' one."""
    rules = examiner.rules
    said: dict[str, Any] = {}
    if payoff and rules.utility_values is not None and min(abs(payoff[0] - u) for u in rules.utility_values) > SAME:
        listed = ", ".join(f"{u:g}" for u in rules.utility_values)
        raise Broken("utility_values", "utility", f"utility pays {payoff[0]:g}, but utility_values lists only {listed}")
    if payoff and "ending" in rules.functions and rules.utility_values is None and not rules.max_chance_outcomes:
        least, most = rules.utility_range or (payoff[0], payoff[0])
        if min(abs(payoff[0] - u) for u in (least, 0.0, most)) > SAME:
            told = f"utility pays {payoff[0]:g}, and tables of endings say won, drawn or lost: declare utility_values"
            raise Broken("utility_values", "utility", told)
    if seen.player == OVER:
        return said
    if "features" in rules.functions:
        said["features"] = _features(examiner, s)
        said["perspective"] = _perspective(examiner, s)
    if seen.player >= 0 and (rules.policy_size is not None or "policy_index" in rules.functions):
        said["policy_index"] = _policy_indices(examiner, s, seen.actions)
    return said


def compare_features(examiner: Any, s: State, seen: Seen, said: dict[str, Any]) -> None:
    """The same once more by the compiled functions."""
    if "features" in said:
        most = examiner.rules.max_active_features
        index, value = np.full(most + MARGIN, MARKS[0], np.int64), np.full(most + MARGIN, MARKS[0], np.float32)
        (n, seat), after = examiner._run(read_features, s.record, index[:most], value[:most])
        examiner._unchanged("features or perspective", s, after)
        if (index[most:] != MARKS[0]).any() or (value[most:] != np.float32(MARKS[0])).any():
            raise Broken("compiled", "features", "compiled, features writes past the end of index or value")
        numbers, values = said["features"]
        examiner._same("features", numbers, index[:n].tolist())
        if not np.allclose(values, value[:n], rtol=NEAR, atol=NEAR):
            examiner._same("features", values, value[:n].tolist())
        examiner._same("perspective", said["perspective"], int(seat))
    if "policy_index" in examiner.rules.functions and "policy_index" in said:
        moves, order = rows(1, examiner.rules.width), np.zeros(max(1, len(seen.actions)), np.int64)
        moves["at"][0, : len(seen.actions)] = seen.actions
        _, after = examiner._run(read_policy_indices, s.record, moves, len(seen.actions), order)
        examiner._unchanged("policy_index", s, after)
        examiner._same("policy_index", said["policy_index"], order[: len(seen.actions)].tolist())


def _features(examiner: Any, s: State) -> tuple[list[int], list[float]]:
    """The numbers and values written, having made sure that so many were."""
    count, most = examiner.rules.num_features, examiner.rules.max_active_features
    answers = []
    for mark in MARKS:
        index, value = np.full(most, mark, np.int64).view(Cells), np.full(most, mark, np.float32)
        n = _whole("features", "how many it wrote", examiner._ask("features", s, index, value))
        if not 0 <= n <= most:
            raise Broken(
                "count", "features", f"features says it wrote {n}, but max_active_features says at most {most}"
            )
        answers.append((index[:n].tolist(), value[:n].tolist()))
    (numbers, values), (again, values_again) = answers
    if len(numbers) != len(again):
        raise Broken("unsteady", "features", f"features, asked twice, writes {len(numbers)} and {len(again)}")
    for i in range(len(numbers)):
        check_written("features", len(numbers), f"index[{i}]", numbers[i], again[i])
        check_written("features", len(numbers), f"value[{i}]", values[i], values_again[i])
        if not 0 <= numbers[i] < count:
            raise Broken(
                "features", "features", f"features writes number {numbers[i]}, but num_features says 0 to {count - 1}"
            )
        number("features", values[i])
    return numbers, values


def _perspective(examiner: Any, s: State) -> int:
    if "perspective" not in examiner.rules.functions:
        return 0
    seat = _whole("perspective", "a player", examiner._ask("perspective", s))
    if seat not in (0, 1):
        raise Broken("perspective", "perspective", f"perspective says {seat}, but features are seen by player 0 or 1")
    return seat


def _policy_indices(examiner: Any, s: State, actions: Sequence[int]) -> list[int]:
    """The number of every action."""
    own, most = "policy_index" in examiner.rules.functions, examiner.rules.policy_size
    if most is None:
        raise Broken("policy_size", "policy_index", "policy_index gives numbers, but policy_size does not say how many")
    given = [int(a) for a in actions]
    if own:
        given = [_whole("policy_index", "a number", examiner._ask("policy_index", s, a)) for a in given]
    for i, n in enumerate(given):
        if not 0 <= n < most:
            who = f"policy_index says {n}" if own else "there is no policy_index to number it"
            raise Broken(
                "policy_size", "policy_index", f"action {actions[i]}: {who}, but policy_size says 0 to {most - 1}"
            )
        if n in given[:i]:
            other = actions[given.index(n)]
            raise Broken(
                "policy_size", "policy_index", f"policy_index gives actions {other} and {actions[i]} the same number"
            )
    return given


def _whole(where: str, what: str, value: Any) -> int:
    if not is_whole(value):
        raise Broken("count", where, f"{where} must return {what}, not {shorten(value)}")
    return int(value)
