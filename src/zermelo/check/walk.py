"""How `check` reaches states: breadth first, so that the first fault found is the nearest; then random games, whose
move lists are shrunk.

A list of moves is the shortest that shows a fault when every position nearer to the start has been looked at. Beyond
the reach of the breadth-first search it is the shortest that was found; see `shrink`.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from zermelo.check.cycles import path_to, shortest_cycle
from zermelo.check.shrink import OF_THE_WAY, PRESENTED, Shrinking, choose
from zermelo.check.states import Broken, Examiner, Problem, Seen, blame
from zermelo.check.turns import Turns
from zermelo.core.game import CHANCE, OVER, Game
from zermelo.core.history import History

MEMORY = 100_000  # states remembered as looked at
AT_ONCE = 0.2  # seconds spent on one list of moves where it is found; there is more time for it in the end
DRAWN, DRAWN_AFTER = 400, 16  # positions looked at thoroughly; and after so many, one in so many
HABITUAL = 0.5  # of the random games, so many are played by habit: some moves again and again, others hardly ever
EVASIVE, EVASIONS = 0.35, 6  # … and so many by somebody who rather plays another of so many moves than end the game
QUICK = 0.05  # of the positions on the way of a quick game, so many are looked at
AT_MOST = 12  # different faults; somebody who has these to mend needs no more


@dataclass
class Found:
    """A fault and the actions that lead to it from the start."""

    problem: Problem
    actions: list[Any]
    variant: Game[Any, Any] | None = None  # a smaller variant of the game, where the moves are that one's


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
        self.habits: dict[Any, float] | None = None  # how well moves are liked in this game; None: all alike
        self.turns = Turns(self.game)
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
            self.turns.count(seen)
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
        return found.variant is None and self.is_shortest_length(found.problem, len(found.actions))

    def is_shortest_length(self, problem: Problem, plies: int) -> bool:
        if problem.kind == "length":
            return True  # nothing shorter could be longer than declared
        if problem.kind == "idle":
            return True
        if problem.kind in OF_THE_WAY or problem.where == "repetition":
            return False  # what counts is the way there, and not every way has been tried
        depth = self.drawn_depth if problem.kind in PRESENTED else self.depth
        return plies <= depth + 1

    def far(self) -> list[Found]:
        """The faults that a shorter way may lead to."""
        far = [f for f in self.faults.values() if not self.is_shortest(f) and f.problem.where != "repetition"]
        return [f for f in far if f.problem.kind not in ("endless", "symmetries") and f.variant is None]

    def shrink(self, until: float) -> None:
        """Look for shorter ways to all faults that may have one, each for its share of the time until then."""
        far = self.far()
        for i, found in enumerate(far):
            now = time.monotonic()
            share = max(0.0, until - now) / (len(far) - i)
            Shrinking(self, found.problem, found.actions, now + share).run()

    @property
    def is_endless(self) -> bool:
        """Has a function been found that does not return? Then every game takes long that is not looked at."""
        return any(kind == "loops" for kind, _ in self.faults)

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
                path = path_to(s, came)
                for a, after in self._follow_all(s, path):
                    self.turns.follow(s, after, [*path, a], self.look)
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

    def look_at_the_start(self) -> None:
        """Is there a game at all?"""
        s = self._start()
        if s is not None and not self.faults and self.look(s).player == OVER:
            where = "actions" if getattr(getattr(self.game, "variant", None), "stuck_ends", False) else "player"
            self.note(Problem("end", where, "the game is over before the first move"), [])

    # -- random games --------------------------------------------------------------------------------------------------

    def random_games(self, games: int) -> None:
        try:
            for i in range(games):
                self.tell(f"random games: {i} of {games}; {self.states:,} positions")
                self._random_game(i + 1)
                self.games += 1
        except OutOfTime:
            return

    def quick_games(self, games: int) -> None:
        """Games of which hardly more than the end is looked at: what goes wrong there is seldom seen otherwise."""
        try:
            for i in range(games if not self.is_endless else 0):
                self.tell(f"quick games: {i} of {games}; {self.states:,} positions")
                self._quick_game()
        except OutOfTime:
            return

    def _quick_game(self) -> None:
        s = self._start()
        path: list[Any] = []
        moved: list[int] = []
        evasive = self.random.random() < EVASIVE
        habits: dict[Any, float] | None = {} if self.random.random() < HABITUAL else None
        while s is not None:
            self.hurry()
            actions = self.offered(self.game, s)
            self.turns.pass_by(s, path, moved)
            if not actions or self.random.random() < QUICK:
                seen = self.look(s)
                for problem in seen.problems:
                    self._blame(problem, path)
                if not actions or not seen.actions or self._is_too_long(0, path):
                    return
            try:
                for _ in range(EVASIONS if evasive else 1):
                    chosen = choose(self.random, actions, habits)
                    with blame("apply"):
                        after = self.game.succ(s, chosen)
                        hash(after)
                    if not evasive or self.offered(self.game, after):
                        break
            except Broken:
                self._follow_to_the_end([*path, chosen])
                return
            s = after
            path.append(chosen)

    @staticmethod
    def offered(game: Game[Any, Any], s: Any) -> Sequence[Any]:
        """The actions, or what may happen; nothing at the end, and where the examiner must say what is wrong."""
        with suppress(Broken), blame("actions"):
            if game.player(s) == CHANCE:
                return [a for a, p in game.chances(s) if p > 0]
            return game.actions(s) if game.player(s) != OVER else ()
        return ()

    def _follow_to_the_end(self, path: list[Any]) -> None:
        s = self._start()
        for i, a in enumerate(path):
            try:
                s = self.examiner.follow(s, a)
            except Broken as fault:
                self._blame(fault.problem, path[: i + 1])
                return

    def _random_game(self, number: int) -> None:
        self.hurry()
        self.habits = {} if self.random.random() < HABITUAL else None
        s = self._start()
        path: list[Any] = []
        history = History(self.game, s) if self.game.repetition and s is not None else None
        stood: dict[Any, int] = {}  # the ply at which a position first stood
        while s is not None:
            self.hurry()
            seen = self.look(s)
            self.turns.passed += 1
            for problem in seen.problems:
                self._blame(problem, path)
            if not seen.actions or self._is_too_long(number, path):
                return
            try:
                back = self.look_back(s, stood, len(path))
                if back is not None:
                    self._blame(back, path)
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
            Shrinking(self, problem, path, min(self.deadline, time.monotonic() + AT_ONCE)).run()

    def _pick(self, seen: Seen, history: History[Any, Any] | None) -> list[Any]:
        """One action at random that no repetition forbids, as a list; empty if there is none."""
        if seen.player == CHANCE:
            if history and history.is_repeated:
                return []
            if self.habits is None:
                return self.random.choices(seen.actions, seen.probability)
        if history is None or seen.player == CHANCE:
            return [choose(self.random, seen.actions, self.habits)]
        with blame("repetition_key"):
            shuffled = self.random.sample(seen.actions, len(seen.actions))
            return next(([a] for a in shuffled if history.is_legal(a)), [])

    def look_back(self, s: Any, stood: dict[Any, int], ply: int) -> Problem | None:
        """Does `s` stand again across a move that the rules call irreversible? `stood`: when positions first stood."""
        plies = self.examiner.reversible_plies(s)
        if plies is None:
            return None
        with blame("repetition_key"):
            ago = ply - stood.setdefault(self.game.repetition_key(s), ply)
        if ago <= plies:
            return None
        sentence = f"reversible_plies says {plies}, but the same position stood {ago} plies before"
        return Problem("reversible_plies", "reversible_plies", sentence)

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
            honest = number > 0 and self.habits is None  # habits may keep any game from its end
            if honest and not self.game.repetition and ("endless", "") not in self.faults:
                with suppress(Broken), blame("succ"):  # rules that do not say the same twice are told so elsewhere
                    self._endless(number, path)
            return True
        return False

    def _endless(self, number: int, path: list[Any]) -> None:
        sentence = (
            f"random game {number} is not over after {len(path):,} plies; neither max_plies nor repetition is declared"
        )
        cycle = shortest_cycle(self.game)
        if cycle is None:
            self.note(Problem("endless", "", f"{sentence}; no position came back near the start"), path)
        else:
            before, around = cycle
            sentence += f"; the position after {len(before)} plies stands again after {len(before) + len(around)}"
            self.note(Problem("endless", "", sentence), before + around)

    # -- who moves -----------------------------------------------------------------------------------------------------

    def look_for_idlers(self) -> None:
        """A player whose turn it never is, while another moves again and again: the turn was not handed over."""
        found = self.turns.idlers(self.states, self.is_complete)
        if found is not None:
            self.note(*found)
