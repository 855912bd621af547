"""What rules offer a search, looked at by `check`: utility_range, side_to_move, search_key, reversible_plies,
evaluate_players, move_score, threatened, null_move, known_result.

Whether they are wise, nobody can say from one state. What can be said: they are numbers, they change nothing (but for
a null move, which hands the turn over), they stay within the payoffs declared, and compiled they say the same.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from zermelo.check.states import Broken, Seen, blame, is_whole, number
from zermelo.compile.dispatch import (
    evaluate_players,
    known_result,
    move_score,
    null_move,
    reversible_plies,
    row,
    search_key,
    side_to_move,
    threatened,
)
from zermelo.compile.kernel import kernel
from zermelo.compile.record import rows
from zermelo.compile.record_game import State
from zermelo.core.game import OVER, shorten

NEARLY = 1e-6  # of the estimates: what a sum of them may be off


@kernel
def read_hooks(states, moves, count, order, out):  # type: ignore[no-untyped-def]
    s = states[0]
    for i in range(count):
        order[i] = move_score(s, row(moves, 0)[i])
    return side_to_move(s), search_key(s), reversible_plies(s), threatened(s), known_result(s, out)


@kernel
def estimate_players(states, payoff):  # type: ignore[no-untyped-def]
    evaluate_players(states[0], payoff)


@kernel
def hand_over(states):  # type: ignore[no-untyped-def]
    return null_move(states[0])


def ask_hooks(examiner: Any, s: State, seen: Seen, payoff: Sequence[float], numbers: dict[str, Any]) -> dict[str, Any]:
    """What the interpreted hooks say, having made sure that it makes sense. `examiner` is the records' one."""
    said: dict[str, Any] = {}
    functions = examiner.rules.functions
    if "evaluate" in numbers and seen.player != OVER:
        _within(examiner, "evaluate", numbers["evaluate"])
    if payoff:
        _within(examiner, "utility", payoff[0])
    if "side_to_move" in functions:
        said["side_to_move"] = _side_to_move(examiner, s, seen)
    if seen.player < 0:
        return said
    if "search_key" in functions:
        with blame("search_key"):
            said["search_key"] = int(np.uint64(examiner._ask("search_key", s)))
    if "reversible_plies" in functions:
        said["reversible_plies"] = _plies(examiner._ask("reversible_plies", s))
    if "evaluate_players" in functions:
        said["evaluate_players"] = _estimates(examiner, s)
        _within(examiner, "evaluate_players", said["evaluate_players"][0])
    if "move_score" in functions:
        said["move_score"] = [_scored(examiner._ask("move_score", s, int(a))) for a in seen.actions]
    if "threatened" in functions:
        said["threatened"] = bool(examiner._ask("threatened", s))
    if "known_result" in functions:
        said["known_result"] = _known(examiner, s)
    if said.get("known_result") is None and all(p == -math.inf for p in said.get("move_score", [0.0])):
        raise Broken(
            "move_score", "move_score", "move_score is -inf for every action: a search would leave all of them out"
        )
    if "null_move" in functions:
        said["null_move"] = _handed_over(examiner, s, seen)
    return said


def _estimates(examiner: Any, s: State) -> list[float]:
    """What evaluate_players writes: a number for every player, which sum to zero as the payoffs do."""
    first, second = (np.full(examiner.rules.players, mark) for mark in (np.inf, -np.inf))
    examiner._ask("evaluate_players", s, first)
    examiner._ask("evaluate_players", s, second)
    for p in range(examiner.rules.players):
        if first[p] == np.inf and second[p] == -np.inf:
            raise Broken("evaluate_players", "evaluate_players", f"evaluate_players writes nothing for player {p}")
    estimates = [number("evaluate_players", value) for value in first]
    total = math.fsum(estimates)
    if examiner.rules.zero_sum and abs(total) > NEARLY * max(1.0, *map(abs, estimates)):
        shown = ", ".join(f"{value:g}" for value in estimates)
        raise Broken(
            "evaluate_players",
            "evaluate_players",
            f"the estimates ({shown}) sum to {total:g}, not to 0 as payoffs do where zero_sum=False is not declared",
        )
    return estimates


def _scored(value: Any) -> float:
    """A number, or -inf for an action that need never be tried."""
    return -math.inf if value == -math.inf else number("move_score", value)


def compare_hooks(examiner: Any, s: State, seen: Seen, said: dict[str, Any]) -> None:
    """The same once more by the compiled hooks."""
    if not said:
        return
    moves, order, out = rows(1, examiner.rules.width), np.zeros(max(1, len(seen.actions))), np.zeros(2)
    moves["at"][0, : len(seen.actions)] = seen.actions
    (side, key, plies, is_threatened, known), after = examiner._run(
        read_hooks, s.record, moves, len(seen.actions), order, out
    )
    named = "side_to_move, search_key, reversible_plies, move_score, threatened or known_result"
    examiner._unchanged(named, s, after)
    compiled = {
        "side_to_move": int(side),
        "search_key": int(key),
        "reversible_plies": int(plies),
        "threatened": bool(is_threatened),
        "known_result": tuple(out.tolist()) if known else None,
    }
    for name in compiled:
        if name in said:
            examiner._same(name, said[name], compiled[name])
    if "evaluate_players" in said:
        estimates = np.zeros(examiner.rules.players)
        _, after = examiner._run(estimate_players, s.record, estimates)
        examiner._unchanged("evaluate_players", s, after)
        examiner._near("evaluate_players", said["evaluate_players"], estimates.tolist())
    if "move_score" in said:
        examiner._near("move_score", said["move_score"], order.tolist())
    if "null_move" in said:
        made, after = examiner._run(hand_over, s.record)
        examiner._same("null_move", said["null_move"][0], bool(made))
        examiner._same_record("null_move", said["null_move"][1], after)


def _side_to_move(examiner: Any, s: State, seen: Seen) -> int:
    """`player`, but for the end: there, somebody may still have moves."""
    with blame("side_to_move"):
        said = int(examiner._ask("side_to_move", s))
    wanted = f"{seen.player}" if seen.player != OVER else "a player or OVER"
    if said != seen.player and (seen.player != OVER or not 0 <= said < examiner.rules.players):
        raise Broken("side_to_move", "side_to_move", f"side_to_move says {said}, where player says {wanted}")
    return said


def _plies(value: Any) -> int:
    if not is_whole(value) or value < 0:
        said = f"reversible_plies says {shorten(value)}, not 0 plies or more"
        raise Broken("reversible_plies", "reversible_plies", said)
    return int(value)


def _within(examiner: Any, name: str, value: float) -> None:
    if examiner.rules.utility_range is None:
        return
    least, most = examiner.rules.utility_range
    if not least <= value <= most:
        raise Broken("utility_range", name, f"{name} says {value:g}, but utility_range says {least:g} to {most:g}")


def _known(examiner: Any, s: State) -> tuple[float, float] | None:
    out = np.full(2, np.nan)
    if not examiner._ask("known_result", s, out):
        return None
    value, plies = number("known_result", out[0]), number("known_result", out[1])
    _within(examiner, "known_result", value)
    exact = examiner.solved(s)
    if exact is not None and abs(exact - value) > NEARLY:
        sentence = f"known_result says {value:g}, but playing it out gives {exact:g} to player 0"
        raise Broken("known_result", "known_result", sentence)
    if plies < 0 or plies != int(plies):
        raise Broken(
            "known_result", "known_result", f"known_result says {plies:g} plies, which is not a whole number from 0 up"
        )
    return value, plies


def _handed_over(examiner: Any, s: State, seen: Seen) -> tuple[bool, Any]:
    """(whether a null move was made, the record after it)."""
    records = s.record
    with blame("null_move"), np.errstate(over="ignore"):
        made = bool(examiner.rules.functions["null_move"](examiner.rules.view(records[0])))
    if not made and records.tobytes() != s._bytes:
        raise Broken("null_move", "null_move", "null_move says that it did nothing, and yet it changes the state")
    with blame("player"), np.errstate(over="ignore"):
        after = examiner.rules.functions["player"](examiner.rules.view(records[0]))
    if made and after == seen.player:
        raise Broken("null_move", "null_move", f"after null_move it is still the turn of player {after}")
    return made, records
