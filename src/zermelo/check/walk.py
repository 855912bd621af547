"""How `check` reaches states: breadth first, so that the first fault found is the nearest; then random games, whose
move lists are shrunk.

A list of moves is the shortest that shows a fault when every position nearer to the start has been looked at. Beyond
the reach of the breadth-first search it is the shortest that was found: loops are cut out of the random game, then
moves are left out, in halves, quarters and single plies, for as long as the rest stays legal and shows the same fault.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from zermelo.check.states import Broken, Examiner, Problem, Seen, blame
from zermelo.core.game import CHANCE
from zermelo.core.history import History

MEMORY = 100_000  # states remembered as looked at
CYCLE_STARTS, CYCLE_STATES = 100, 200  # how far a repeated position is looked for
SHRINKING = 2.0  # seconds spent on one list of moves
DRAWN, DRAWN_AFTER = 400, 16  # positions looked at thoroughly; and after so many, one in so many
OF_THE_WAY = ("endless", "reversible_plies", "symmetries")  # kinds of faults that no position shows by itself
PRESENTED = ("drawing", "moves")  # kinds of faults that only a thorough look is sure to find
AT_MOST = 12  # different faults; somebody who has these to mend needs no more


@dataclass
class Found:
    """A fault and the actions that lead to it from the start."""

    problem: Problem
    actions: list[Any]


class OutOfTime(Exception):  # noqa: N818
    pass


class Walk:
    """Walks the states of a game, each looked at once, and keeps the nearest instance of every fault."""

    def __init__(
        self, examiner: Examiner, seed: int, longest: int, tell: Callable[[str], None] = lambda text: None
    ) -> None:
        self.examiner = examiner
        self.game = examiner.game
        self.longest = longest  # plies of a random game
        self.max_plies = getattr(getattr(self.game, "variant", self.game), "max_plies", None)
        self.random = random.Random(seed)
        self.tell = tell
        self.deadline = time.monotonic() + 3600.0
        self.drawing_budget = 3600.0  # seconds for looking thoroughly: drawings may be slow to make
        self.drawing = 0.0
        self.is_drawn = True  # every position so far was looked at thoroughly
        self.faults: dict[tuple[str, str], Found] = {}
        self.states = self.games = self.unfinished = 0
        self.depth = -1  # every position of up to so many plies has been looked at
        self.drawn_depth = -1  # … and thoroughly so
        self.is_complete = False  # … and so has every other
        self._looked: dict[Any, tuple[Seen, bool]] = {}  # what was seen, and whether it was looked at thoroughly

    # -- one state -----------------------------------------------------------------------------------------------------

    def look(self, s: Any, thorough: bool | None = None) -> Seen:
        if thorough is None:
            affordable = self.states < DRAWN and self.drawing < self.drawing_budget
            thorough = affordable or self.states % DRAWN_AFTER == 0
        seen, was_thorough = self._looked.get(s, (None, False))
        if seen is None or (thorough and not was_thorough):
            self.states += seen is None
            self.is_drawn &= thorough
            began = time.monotonic()
            seen = self.examiner.examine(s, thorough)
            self.drawing += thorough * (time.monotonic() - began)
            if len(self._looked) < MEMORY:
                self._looked[s] = seen, thorough
        return seen

    def note(self, problem: Problem, actions: Sequence[Any]) -> bool:
        """Keep a fault unless as short a list of moves shows it already; say whether it was kept."""
        known = self.faults.get(problem.identity)
        if len(self.faults) >= AT_MOST if known is None else len(actions) >= len(known.actions):
            return False
        self.faults[problem.identity] = Found(problem, list(actions))
        return True

    def is_shortest(self, found: Found) -> bool:
        """Has everything nearer been looked at? (The last move is part of looking at the position before it.)"""
        if found.problem.kind == "length":
            return True  # nothing shorter could be longer than declared
        if found.problem.kind in OF_THE_WAY or found.problem.where == "repetition":
            return False  # what counts is the way there, and not every way has been tried
        depth = self.drawn_depth if found.problem.kind in PRESENTED else self.depth
        return len(found.actions) <= depth + 1

    def hurry(self) -> None:
        if time.monotonic() > self.deadline:
            raise OutOfTime

    # -- breadth first -------------------------------------------------------------------------------------------------

    def breadth_first(self, most: int, depth: int | None = None) -> None:
        """Look at the positions nearest to the start, `most` of them, or down to `depth` plies."""
        start = self._start()
        if start is None:
            return
        came: dict[Any, tuple[Any, Any] | None] = {start: None}  # from which state, by which action
        level, plies, looked = [start], 0, 0
        while level and (depth is None or plies <= depth):
            below: list[Any] = []
            for s in level:
                if plies and (looked >= most or time.monotonic() > self.deadline):
                    return
                looked += 1
                for a, after in self._follow_all(s, _path(s, came)):
                    if after not in came and len(came) <= most:  # one too many says that not all were looked at
                        came[after] = (s, a)
                        below.append(after)
            self.depth = max(self.depth, plies)
            if self.is_drawn:
                self.drawn_depth = plies
            self.tell(f"{self.states:,} positions, {plies} plies deep")
            level, plies = below, plies + 1
        self.is_complete = not level and not self.faults  # a fault may hide what lies behind it

    def _start(self) -> Any:
        try:
            return self.examiner.start()
        except Broken as fault:
            self.note(fault.problem, [])
        return None

    def _follow_all(self, s: Any, path: list[Any]) -> Iterator[tuple[Any, Any]]:
        """Look at `s`, to which `path` leads: every action with the state it leads to."""
        seen = self.look(s)
        for problem in seen.problems:
            self.note(problem, path)
        if self.max_plies is not None and seen.actions and len(path) >= self.max_plies:
            self.note(self._too_long(), path)
            return
        for a in seen.actions:
            try:
                after = self.examiner.follow(s, a)
            except Broken as fault:
                self.note(fault.problem, [*path, a])
            else:
                yield a, after

    # -- random games --------------------------------------------------------------------------------------------------

    def random_games(self, games: int) -> None:
        try:
            for i in range(games):
                self.tell(f"random games: {i} of {games}; {self.states:,} positions")
                self._random_game(i + 1)
                self.games += 1
        except OutOfTime:
            return

    def _random_game(self, number: int) -> None:
        self.hurry()
        s = self._start()
        path: list[Any] = []
        history = History(self.game, s) if self.game.repetition and s is not None else None
        stood: dict[Any, int] = {}  # the ply at which a position first stood
        while s is not None:
            self.hurry()
            seen = self.look(s)
            for problem in seen.problems:
                self._blame(problem, path)
            if not seen.actions or self._is_too_long(number, path):
                return
            try:
                self._look_back(s, stood, path)
                chosen = self._pick(seen, history)
                if not chosen:
                    self._stuck(seen, history, path)
                    return
                path += chosen
                s = self.examiner.follow(s, path[-1])
                if history is not None:
                    history.play(path[-1])
            except Broken as fault:
                self._blame(fault.problem, path)
                return

    def _blame(self, problem: Problem, path: list[Any]) -> None:
        if self.note(problem, path) and not self.is_shortest(self.faults[problem.identity]):
            self._shrink(problem, path)

    def _pick(self, seen: Seen, history: History[Any, Any] | None) -> list[Any]:
        """One action at random that no repetition forbids, as a list; empty if there is none."""
        if seen.player == CHANCE:
            return [] if history and history.is_repeated else self.random.choices(seen.actions, seen.probability)
        if history is None:
            return [self.random.choice(seen.actions)]
        with blame("repetition_key"):
            shuffled = self.random.sample(seen.actions, len(seen.actions))
            return next(([a] for a in shuffled if history.is_legal(a)), [])

    def _look_back(self, s: Any, stood: dict[Any, int], path: list[Any]) -> None:
        """Does `s` stand again across a move that the rules call irreversible?"""
        plies = self.examiner.reversible_plies(s)
        if plies is None:
            return
        with blame("repetition_key"):
            ago = len(path) - stood.setdefault(self.game.repetition_key(s), len(path))
        if ago > plies:
            sentence = f"reversible_plies says {plies}, but the same position stood {ago} plies before"
            self.note(Problem("reversible_plies", "reversible_plies", sentence), path)

    def _stuck(self, seen: Seen, history: History[Any, Any] | None, path: list[Any]) -> None:
        if history is not None and not history.is_repeated:
            sentence = f"every move of player {seen.player} is a forbidden repetition, and nobody has won"
            self.note(Problem("stuck", "repetition", sentence), path)

    # -- games without an end ------------------------------------------------------------------------------------------

    def _too_long(self) -> Problem:
        sentence = f"the game is not over, though max_plies says that none is longer than {self.max_plies}"
        return Problem("length", "max_plies", sentence)

    def _is_too_long(self, number: int, path: list[Any]) -> bool:
        if self.max_plies is not None:
            if len(path) >= self.max_plies:
                self.note(self._too_long(), path)
                return True
        elif len(path) >= self.longest:
            self.unfinished += 1
            if not self.game.repetition and ("endless", "") not in self.faults:
                self._endless(number, path)
            return True
        return False

    def _endless(self, number: int, path: list[Any]) -> None:
        sentence = (
            f"random game {number} is not over after {len(path):,} plies; neither max_plies nor repetition is declared"
        )
        cycle = self._shortest_cycle()
        if cycle is None:
            self.note(Problem("endless", "", f"{sentence}; no position came back near the start"), path)
        else:
            before, around = cycle
            sentence += f"; the position after {len(before)} plies stands again after {len(before) + len(around)}"
            self.note(Problem("endless", "", sentence), before + around)

    def _shortest_cycle(self) -> tuple[list[Any], list[Any]] | None:
        """The moves to a position and back to it again, as few as were found; None if no position near returns."""
        best: tuple[list[Any], list[Any]] | None = None
        until = time.monotonic() + SHRINKING
        for s, before in self._nearest(self.game.start(), CYCLE_STARTS):
            for t, around in self._nearest(s, CYCLE_STATES):
                length = len(before) + len(around) + 1
                if (best is not None and length >= len(best[0]) + len(best[1])) or time.monotonic() > until:
                    break
                back = [a for a in self.game.actions(t) if self.game.succ(t, a) == s]
                if back:
                    best = before, [*around, back[0]]
                    break
        return best

    def _nearest(self, s: Any, most: int) -> Iterator[tuple[Any, list[Any]]]:
        """States in the order of their distance from `s`, with the moves that lead there."""
        came: dict[Any, tuple[Any, Any] | None] = {s: None}
        for t in (queue := [s]):
            yield t, _path(t, came)
            for a in self.game.actions(t) if len(came) < most else ():
                after = self.game.succ(t, a)
                if after not in came:
                    came[after] = (t, a)
                    queue.append(after)

    # -- shorter lists of moves ----------------------------------------------------------------------------------------

    def _shrink(self, problem: Problem, path: list[Any]) -> None:
        """Leave out what the fault does not need."""
        until = min(self.deadline, time.monotonic() + SHRINKING)
        best = self._without_loops(problem, path)
        size = max(1, len(best) // 2)
        while size >= 1:
            shorter = False
            for i in range(len(best) - size, -1, -1):
                if time.monotonic() > until:
                    return
                rest = best[:i] + best[i + size :]
                shown = self._shows(problem, rest) if len(rest) < len(best) else None
                if shown is not None:
                    best, shorter = shown, True
                    self.note(problem, best)
            if not shorter:
                size //= 2
            size = min(size, len(best))

    def _without_loops(self, problem: Problem, path: list[Any]) -> list[Any]:
        """A position that stands twice: nothing between is needed."""
        s = self.examiner.start()
        kept: list[Any] = []
        at = {s: 0}  # how many of the kept moves lead there
        for a in path[:-1]:
            s = self.examiner.follow(s, a)
            if s in at:
                kept = kept[: at[s]]
                at = {t: n for t, n in at.items() if n <= len(kept)}
            else:
                kept.append(a)
                at[s] = len(kept)
        shown = self._shows(problem, [*kept, *path[-1:]])
        if shown is None:
            return path
        self.note(problem, shown)
        return shown

    def _shows(self, problem: Problem, actions: Sequence[Any]) -> list[Any] | None:
        """As many of these moves as it takes to show the problem; None if they are not legal or do not show it."""
        s = self.examiner.start()
        for i in range(len(actions) + 1):
            seen = self.look(s, thorough=problem.kind in PRESENTED)
            if any(other.identity == problem.identity for other in seen.problems):
                return list(actions[:i])
            if i == len(actions) or actions[i] not in seen.actions:
                return None
            try:
                s = self.examiner.follow(s, actions[i])
            except Broken as fault:
                return list(actions[: i + 1]) if fault.problem.identity == problem.identity else None
        return None


def _path(s: Any, came: dict[Any, tuple[Any, Any] | None]) -> list[Any]:
    actions: list[Any] = []
    step = came[s]
    while step is not None:
        actions.append(step[1])
        step = came[step[0]]
    return actions[::-1]
