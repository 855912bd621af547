"""Examines rules over records: run by plain Python first, then compiled, in lock-step.

Python goes first on everything new, because it can say what is wrong: a write past the end is an IndexError with a
line, where compiled code would silently write over something else. Its buffers are just as long as the game declares.
The compiled run gets the same lengths inside larger arrays, so that what it writes too far lands in a margin:

    states   margin | record | margin           out   max_actions numbers | margin
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.check.features import ask_features, compare_features
from zermelo.check.hooks import ask_hooks, compare_hooks
from zermelo.check.keys import Keys
from zermelo.check.planes import ask_owners, ask_planes, compare_planes
from zermelo.check.presentation import Presentation
from zermelo.check.states import (
    MARKS,
    SAME,
    Broken,
    Problem,
    Seen,
    blame,
    check_chances,
    check_distinct,
    check_player,
    check_written,
    is_whole,
    number,
    payoff_problems,
)
from zermelo.compile.dispatch import noisy, row
from zermelo.compile.guards import OverrunError
from zermelo.compile.kernel import JIT, kernel
from zermelo.compile.questions import identify, identify_repetition, judge, look, set_up, step
from zermelo.compile.record import Cells, RecordArray, field_names, rows
from zermelo.compile.record_game import RecordGame, State
from zermelo.core.game import CHANCE, OVER, GameError, shorten

MARGIN = 64  # numbers, and records, on either side of what compiled rules may write
MARK = -0x5A5A5A5A5A5A5A5B  # what nobody would write by chance
SOLVED, SMALL_TREE = 200, 300  # positions whose known result is verified, and nodes for each


@kernel
def list_noisy(states, moves):  # type: ignore[no-untyped-def]
    return noisy(states[0], row(moves, 0))


class NotCompiled(Exception):  # noqa: N818
    """The rules do not compile; `does_not_compile` says why."""


class RecordExaminer:
    """One state at a time; see `Examiner`."""

    def __init__(self, game: RecordGame):
        self.game = game.interpreted
        self.rules = game.variant
        self.compiled = game.compiled and JIT
        self.does_not_compile: Problem | None = None  # told once; after that the rules are only interpreted
        self.presentation = Presentation(self.game)
        self._solved = 0  # positions played out to the end
        self.keys = Keys(self)

    @property
    def fast_game(self) -> RecordGame:
        return RecordGame(self.rules, self.game.fields, compiled=self.compiled)

    # -- one state ---------------------------------------------------------------------------------------------------

    def start(self) -> State:
        with blame("start"):
            records = np.zeros(1, self.rules.dtype)
            with np.errstate(over="ignore"):
                self.rules.functions["start"](self.rules.view(records[0]))
        with suppress(NotCompiled):
            if self.compiled:
                self._same_record("start", records, self._run(set_up, np.zeros(1, self.rules.dtype))[1])
        with blame("start"):
            return self.game.start()  # with the fields somebody asked for, and seen by `validate`

    def examine(self, s: State, thorough: bool = True) -> Seen:
        seen = Seen()
        try:
            payoff = self._interpreted(s, seen)
            numbers = self._numbers(s, seen)
            if thorough:
                self._ask_again(s, seen, numbers)
            hooks = ask_hooks(self, s, seen, payoff, numbers)
            learned = ask_features(self, s, seen, payoff)
            shown, owned = ask_planes(self, s, seen), ask_owners(self, s, seen)
            with suppress(NotCompiled):
                if self.compiled:
                    self._compare(s, seen, payoff, numbers)
                    compare_hooks(self, s, seen, hooks)
                    compare_features(self, s, seen, learned)
                    compare_planes(self, s, shown)
                    compare_planes(self, s, owned, "owners")
            self.keys.compare(s, seen, payoff, numbers)
            if thorough and "key" in self.rules.functions:
                self.keys.compare_fields(s, seen, numbers["key"])
            self.keys.compare_search_key(seen, hooks)
            seen.problems += self._presented(s, seen, thorough)
        except Broken as fault:
            seen.problems.append(fault.problem)
            seen.actions = ()
        return seen

    def follow(self, s: State, a: int) -> State:
        records, again = s.record, s.record
        with blame("apply"), np.errstate(over="ignore"):
            self.rules.functions["apply"](self.rules.view(records[0]), int(a))
            self.rules.functions["apply"](self.rules.view(again[0]), int(a))
        if records.tobytes() != again.tobytes():
            difference = self._difference(records, again)
            sentence = f"the same move played twice gives two states ({difference}): chance belongs into chances"
            raise Broken("hash", "apply", sentence)
        with suppress(NotCompiled):
            if self.compiled:
                self._same_record("apply", records, self._run(step, s.record, int(a))[1])
        return State(self.game, records)

    def reversible_plies(self, s: State) -> int | None:
        if "reversible_plies" not in self.rules.functions:
            return None
        return int(self._ask("reversible_plies", s))

    def solved(self, s: State) -> float | None:
        """Player 0's payoff from `s` with best play, where that is quickly found; None otherwise."""
        if self.game.players > 2 or not self.rules.zero_sum or self._solved >= SOLVED:
            return None
        self._solved += 1
        try:
            return play_out(self.game, s, [SMALL_TREE])
        except Exception:  # too large, or rules that break further on: told where they do
            return None

    # -- by plain Python ---------------------------------------------------------------------------------------------

    def _ask(self, name: str, s: State, *arguments: Any) -> Any:
        """Call one function of the rules, which may read the record and not change it."""
        records = s.record
        with blame(name), np.errstate(over="ignore"):
            answer = self.rules.functions[name](self.rules.view(records[0]), *arguments)
        if records.tobytes() != s._bytes:
            raise Broken("changes", name, f"{name} changes the state ({self._difference(s.record, records)})")
        return answer

    def _interpreted(self, s: State, seen: Seen) -> Sequence[float]:
        """Who moves, what is offered, and the payoffs at the end."""
        seen.player = p = check_player(self.game, self._ask("player", s))
        if p == CHANCE:
            if "chances" not in self.rules.functions:
                raise Broken("chances", "player", "player says CHANCE, but the rules have no function chances")
            seen.actions, seen.probability = self._list("chances", s, self.rules.max_chance_outcomes)
            check_chances(seen.actions, seen.probability)
        elif p != OVER:
            seen.actions, _ = self._list("actions", s, self.rules.max_actions)
            check_distinct("actions", seen.actions)
            if not seen.actions:
                if not self.rules.stuck_ends:
                    raise Broken("stuck", "actions", f"player {p} has no action, and stuck_ends=True is not declared")
                seen.player = OVER
        if seen.player != OVER:
            return ()
        payoff = self._payoff(s)
        seen.problems += payoff_problems(self.game, payoff)
        return payoff

    def _list(self, name: str, s: State, room: int) -> tuple[list[int], list[float]]:
        """What actions, chances or noisy writes, having made sure that it writes as much as it says."""
        answers = []
        for mark in MARKS:
            out, probability = np.full(room, mark, np.int64).view(Cells), np.full(room, float(mark))
            n = self._ask(name, s, *((out, probability) if name == "chances" else (out,)))
            if not is_whole(n):
                raise Broken("count", name, f"{name} must return how many it wrote, not {shorten(n)}")
            if not 0 <= n <= room:
                limit = "max_chance_outcomes" if name == "chances" else "max_actions"
                raise Broken("count", name, f"{name} says it wrote {n}, but {limit} is {room}")
            answers.append((out[:n].tolist(), probability[:n].tolist()))
        if len(answers[0][0]) != len(answers[1][0]):
            raise Broken("unsteady", name, f"{name}, asked twice, writes {len(answers[0][0])} and {len(answers[1][0])}")
        for i, (a, p, b, q) in enumerate(zip(*answers[0], *answers[1], strict=True)):
            check_written(name, n, f"out[{i}]", a, b)
            if name == "chances":
                check_written(name, n, f"probability[{i}]", p, q)
        return answers[0]

    def _payoff(self, s: State) -> list[float]:
        first, second = (np.full(self.game.players, float(mark)) for mark in MARKS)
        self._ask("utility", s, first)
        self._ask("utility", s, second)
        for p in range(self.game.players):
            if first[p] != second[p] and not np.isnan(first[p]):
                if (first[p], second[p]) == MARKS:
                    raise Broken("utility", "utility", f"utility does not write the payoff of player {p}")
                said = f"utility, asked twice, pays player {p} {first[p]:g} and {second[p]:g}"
                raise Broken("unsteady", "utility", said)
        return first.tolist()

    def _numbers(self, s: State, seen: Seen) -> dict[str, Any]:
        """What evaluate, key, repetition_key and noisy say, where there are any."""
        numbers: dict[str, Any] = {}
        if "evaluate" in self.rules.functions:
            numbers["evaluate"] = number("evaluate", self._ask("evaluate", s))
        for name in ("key", "repetition_key"):
            if name in self.rules.functions:
                with blame(name):
                    numbers[name] = int(np.uint64(self._ask(name, s)))
            else:
                numbers[name] = self.game.key(s) if name == "key" else numbers["key"]
        again = State(self.game, np.frombuffer(s._bytes, self.rules.dtype).copy())
        if again != s or hash(again) != hash(s) or self.game.key(again) != numbers["key"]:
            raise Broken("hash", "key", "the same record gives two keys")
        if "noisy" in self.rules.functions and seen.player >= 0:
            numbers["noisy"], _ = self._list("noisy", s, self.rules.max_actions)
            wrong = [a for a in numbers["noisy"] if a not in seen.actions]
            if wrong:
                raise Broken("noisy", "noisy", f"noisy lists {wrong[0]}, which is not a legal action")
        return numbers

    def _ask_again(self, s: State, seen: Seen, numbers: dict[str, Any]) -> None:
        """The same position must be told the same again: rules keep nothing beside the record, and throw no dice."""
        said = {"player": self._ask("player", s)} if seen.actions else {}
        if "evaluate" in numbers:
            said["evaluate"] = number("evaluate", self._ask("evaluate", s))
        for name, again in said.items():
            before = seen.player if name == "player" else numbers[name]
            if again != before:
                raise Broken("unsteady", name, f"{name}, asked twice, says {before} and {again} of the same position")

    # -- and compiled ------------------------------------------------------------------------------------------------

    def _run(self, op: Any, records: RecordArray, *arguments: Any) -> tuple[Any, RecordArray]:
        """Run a kernel on a record with a margin around it: what it returned, and the record afterwards."""
        around = np.zeros(2 * MARGIN + 1, self.rules.dtype)
        states = around[MARGIN : MARGIN + 1]
        states[:] = records
        try:
            answer = op(states, *arguments)
        except OverrunError as fault:  # interpreted they do not
            name = fault.args[0]
            raise Broken("compiled", name, f"compiled, {name} says more than the rules declare") from None
        except Exception as mistake:
            lines = [line for line in str(mistake).splitlines() if line.strip()] or [type(mistake).__name__]
            self.does_not_compile = Problem("compile", "", lines[0].removeprefix(f"{self.game.name}: "))
            self.compiled = False
            raise NotCompiled from None
        if around[:MARGIN].tobytes().strip(b"\0") or around[MARGIN + 1 :].tobytes().strip(b"\0"):
            raise Broken("compiled", op.__name__, "compiled, the rules write outside of the state")
        return answer, states

    def _compare(self, s: State, seen: Seen, payoff: Sequence[float], numbers: dict[str, Any]) -> None:
        """Everything once more by the compiled rules, which must agree."""
        width = self.rules.width
        moves, chance = (
            rows(2, width),
            rows(2, width if self.rules.max_chance_outcomes else 1, "f8"),
        )  # one row, one margin
        moves["at"], chance["at"] = MARK, MARK
        paid = _with_margin(self.game.players, np.float64)
        (p, n), after = self._run(look, s.record, moves, chance, paid[: self.game.players])
        self._unchanged("player, actions, chances or utility", s, after)
        for margin in (moves["at"][1], chance["at"][1], paid[self.game.players :]):
            if (margin != MARK).any():
                raise Broken("compiled", "actions", "compiled, the rules write past the end of out")
        self._same("player", seen.player, int(p))
        self._same("chances" if p == CHANCE else "actions", list(seen.actions), moves["at"][0, :n].tolist())
        if p == CHANCE:
            self._near("chances", seen.probability, chance["at"][0, :n].tolist())
        if p == OVER:
            self._near("utility", payoff, paid[: self.game.players].tolist())
        for name, op in (("evaluate", judge), ("key", identify), ("repetition_key", identify_repetition)):
            if name in numbers and (name != "repetition_key" or name in self.rules.functions):
                answer, after = self._run(op, s.record)
                self._unchanged(name, s, after)
                if name == "evaluate":
                    self._near(name, [numbers[name]], [float(answer)])
                else:
                    self._same(name, numbers[name], int(answer))
        if "noisy" in numbers:
            n, after = self._run(list_noisy, s.record, moves)
            self._unchanged("noisy", s, after)
            self._same("noisy", numbers["noisy"], moves["at"][0, :n].tolist())

    def _same(self, name: str, interpreted: Any, compiled: Any) -> None:
        if interpreted != compiled:
            raise Broken("compiled", name, f"{name} says {interpreted} when interpreted and {compiled} when compiled")

    def _near(self, name: str, interpreted: Sequence[float], compiled: Sequence[float]) -> None:
        for a, b in zip(interpreted, compiled, strict=True):
            if a != b and not abs(a - b) <= SAME * max(1.0, abs(a)):
                self._same(name, list(interpreted), list(compiled))

    def _same_record(self, name: str, interpreted: RecordArray, compiled: RecordArray) -> None:
        if interpreted.tobytes() != compiled.tobytes():
            difference = self._difference(interpreted, compiled)
            raise Broken("compiled", name, f"{name} differs when compiled ({difference})")

    def _unchanged(self, name: str, s: State, after: RecordArray) -> None:
        if after.tobytes() != s._bytes:
            raise Broken("changes", name, f"compiled, {name} changes the state ({self._difference(s.record, after)})")

    def _difference(self, before: RecordArray, after: RecordArray) -> str:
        for name in field_names(self.rules.dtype):
            one, other = before[name][0], after[name][0]
            if not np.array_equal(one, other):
                return f"{name}: {_plain(one)} and {_plain(other)}"
        return "in the bytes that no field names"

    # -- the presentation --------------------------------------------------------------------------------------------

    def _presented(self, s: State, seen: Seen, thorough: bool) -> list[Problem]:
        found = list(self.presentation.problems(s, seen, thorough))
        if "validate" in self.rules.presentation:
            with blame("validate"):
                says = self.rules.presentation["validate"](s)
            if says:
                found.append(Problem("validate", "validate", f"validate objects to a position reached by play: {says}"))
        if seen.player == OVER:
            try:
                self.game.succ(s, 0)
            except GameError:
                return found
            found.append(Problem("end", "apply", "the game is over, and yet it can be played on"))
        return found


def play_out(game: RecordGame, s: State, room: list[int]) -> float:
    """The minimax value of `s` to player 0; a ValueError if that takes more than room[0] nodes."""
    room[0] -= 1
    if room[0] < 0:
        raise ValueError("too many positions")
    p = game.player(s)
    if p == OVER:
        return game.utility(s, 0)
    if p == CHANCE:
        return math.fsum(weight * play_out(game, game.succ(s, a), room) for a, weight in game.chances(s))
    return (min if game.side(p) else max)(play_out(game, game.succ(s, a), room) for a in game.actions(s))


def _with_margin(size: int, kind: Any) -> NDArray[Any]:
    return np.full(size + MARGIN, MARK, kind)


def _plain(value: Any) -> str:
    return " ".join(map(str, np.ravel(value).tolist()))
