"""Examines rules over records: run by plain Python first, then compiled, in lock-step.

Python goes first on everything new, because it can say what is wrong: a write past the end is an IndexError with a
line, where compiled code would silently write over something else. Its buffers are just as long as the game declares.
The compiled run gets the same lengths inside larger arrays, so that what it writes too far lands in a margin:

    states   margin | record | margin           out   max_actions numbers | margin
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.check.features import ask_features, compare_features
from zermelo.check.hooks import ask_hooks, compare_hooks
from zermelo.check.planes import ask_planes, compare_planes
from zermelo.check.presentation import Presentation
from zermelo.check.states import (
    SAME,
    Broken,
    Problem,
    Seen,
    blame,
    check_chances,
    check_distinct,
    check_player,
    number,
    payoff_problems,
)
from zermelo.compile.dispatch import noisy, row
from zermelo.compile.kernel import JIT, kernel
from zermelo.compile.record import RecordArray, field_names, rows
from zermelo.compile.record_game import RecordGame, State, identify, identify_repetition, judge, look, set_up, step
from zermelo.core.game import CHANCE, OVER, GameError

MARGIN = 64  # numbers, and records, on either side of what compiled rules may write
MARK = -0x5A5A5A5A5A5A5A5B  # what nobody would write by chance
MARKS = (MARK, 0x1234567)  # buffers filled with either: what then differs was not written


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
        self._keys: dict[int, tuple[Any, bytes]] = {}  # what the first position with a key was like

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
            hooks = ask_hooks(self, s, seen, payoff, numbers)
            learned = ask_features(self, s, seen, payoff)
            shown = ask_planes(self, s, seen)
            with suppress(NotCompiled):
                if self.compiled:
                    self._compare(s, seen, payoff, numbers)
                    compare_hooks(self, s, seen, hooks)
                    compare_features(self, s, seen, learned)
                    compare_planes(self, s, shown)
            self._known_key(s, seen, payoff, numbers["key"])
            seen.problems += self._presented(s, seen, thorough)
        except Broken as fault:
            seen.problems.append(fault.problem)
            seen.actions = ()
        return seen

    def follow(self, s: State, a: int) -> State:
        records = s.record
        with blame("apply"), np.errstate(over="ignore"):
            self.rules.functions["apply"](self.rules.view(records[0]), int(a))
        with suppress(NotCompiled):
            if self.compiled:
                self._same_record("apply", records, self._run(step, s.record, int(a))[1])
        return State(self.game, records)

    def reversible_plies(self, s: State) -> int | None:
        if "reversible_plies" not in self.rules.functions:
            return None
        return int(self._ask("reversible_plies", s))

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
            out, probability = np.full(room, mark, np.int64), np.full(room, float(mark))
            n = self._ask(name, s, *((out, probability) if name == "chances" else (out,)))
            if isinstance(n, bool) or not hasattr(n, "__index__"):
                raise Broken("count", name, f"{name} must return how many it wrote, not {n!r}")
            if not 0 <= n <= room:
                limit = "max_chance_outcomes" if name == "chances" else "max_actions"
                raise Broken("count", name, f"{name} says it wrote {n}, but {limit} is {room}")
            answers.append((out[:n].tolist(), probability[:n].tolist()))
        if len(answers[0][0]) != len(answers[1][0]):
            raise Broken("count", name, f"how many {name} writes depends on what stood in out before")
        written = zip(*answers[0], *answers[1], strict=True)
        for i, (a, p, b, q) in enumerate(written):
            if a != b or (name == "chances" and not (p == q or p != p)):
                which = "out" if a != b else "probability"
                raise Broken("count", name, f"{name} says it wrote {n}, but did not write {which}[{i}]")
        return answers[0]

    def _payoff(self, s: State) -> list[float]:
        first, second = (np.full(self.game.players, float(mark)) for mark in MARKS)
        self._ask("utility", s, first)
        self._ask("utility", s, second)
        for p in range(self.game.players):
            if first[p] != second[p] and not np.isnan(first[p]):
                raise Broken("utility", "utility", f"utility does not write the payoff of player {p}")
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

    # -- and compiled ------------------------------------------------------------------------------------------------

    def _run(self, op: Any, records: RecordArray, *arguments: Any) -> tuple[Any, RecordArray]:
        """Run a kernel on a record with a margin around it: what it returned, and the record afterwards."""
        around = np.zeros(2 * MARGIN + 1, self.rules.dtype)
        states = around[MARGIN : MARGIN + 1]
        states[:] = records
        try:
            answer = op(states, *arguments)
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

    # -- keys, and the presentation ----------------------------------------------------------------------------------

    def _known_key(self, s: State, seen: Seen, payoff: Sequence[float], key: int) -> None:
        """Positions with one key share an entry in every table: they must at least be alike from outside."""
        alike = (seen.player, len(seen.actions), tuple(payoff))
        known, content = self._keys.setdefault(key, (alike, s._bytes))
        if known != alike and content != s._bytes:
            other = State(self.game, np.frombuffer(content, self.rules.dtype).copy())
            what = "whose turn it is" if known[0] != alike[0] else "how many actions there are"
            what = "the payoffs" if known[:2] == alike[:2] else what
            with blame("format"):
                shown = self.game.format(other)
            raise Broken("key", "key", f"key gives the same number to {shown}, which differs from this in {what}")

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


def _with_margin(size: int, kind: Any) -> NDArray[Any]:
    return np.full(size + MARGIN, MARK, kind)


def _plain(value: Any) -> str:
    return " ".join(map(str, np.ravel(value).tolist()))
