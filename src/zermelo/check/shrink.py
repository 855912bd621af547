"""Shorter lists of moves that show the same fault.

A fault found at the end of a long random game is shown by that game, most of which has nothing to do with it. What is
tried, for as long as there is time, and kept wherever it shows the same fault sooner:

    loops       between two places where the same position stands nothing is needed
    deletion    moves are left out, in halves, quarters and single plies, while the rest stays legal
    mending     some moves are left out or changed; of the rest whatever is still legal is played, and then at random
    habits      games from the start, played by somebody who likes some moves far better than others: such games come
                to extremes (a full board, a lost army) that evenly random ones hardly ever see
    helpers     … by two who both want the same one to win, as far as the rules' `evaluate` sees

Most such faults stand at the end of a game (a wrong payoff). For these only the ends are examined, and the moves
between are played by the compiled rules where those may be trusted, so that many games are tried a second.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from zermelo.check.states import Broken, Problem, blame
from zermelo.core.game import OVER

if TYPE_CHECKING:
    from zermelo.check.walk import Walk

EVENLY = 0.3  # of the games tried, so many are evenly random
LONG = 20  # moves, of which many must be too many
SOME = 12  # moves that a helper looks at
HABIT = 2.5  # how much better one move is liked than another: standard deviations of a logarithm
IN_VAIN = 2_000  # attempts after which there is little hope
OF_THE_WAY = ("endless", "reversible_plies", "symmetries")  # kinds of faults that no position shows by itself
UNSAFE = {"raises", "count", "compiled", "changes", "loops", "compile", "hash"}  # then compiled rules are not trusted
PRESENTED = ("drawing", "moves")  # kinds of faults that only a thorough look is sure to find


class Shrinking:
    """The search for a shorter way to one fault."""

    def __init__(self, walk: Walk, problem: Problem, actions: Sequence[Any], until: float):
        self.walk, self.problem, self.until = walk, problem, until
        self.best = list(actions)
        self.random = walk.random
        self.game = walk.game
        self.at_end = False  # does the fault stand at the end of a game?
        self.in_vain = 0  # attempts since the last that helped
        self.wish = 0  # 1: everybody plays for player 0, -1: against, 0: nobody cares
        self.habits: dict[Any, float] | None = None  # how well the moves are liked; None: all alike

    @property
    def is_over(self) -> bool:
        shortest = len(self.best) <= 1 or self.walk.is_shortest_length(self.problem, len(self.best))
        shortest |= self.walk.is_endless
        return shortest or self.in_vain >= IN_VAIN or time.monotonic() > self.until

    def run(self) -> None:
        """As short as it gets before the time is up; every improvement is noted at once."""
        try:
            if self.problem.kind not in OF_THE_WAY:
                self._cut_loops()
                self.at_end = self._ends_the_game(self.best)
            if self.at_end and not any(kind in UNSAFE for kind, _ in self.walk.faults):
                self.game = self.walk.examiner.fast_game
            self._play_anew()
            self._delete()
            while not self.is_over:
                self.in_vain += 1
                if self.random.random() < 0.5:
                    self._mend()
                else:
                    self._from_the_start()
        except Broken:
            pass  # rules that do not say the same twice: what was found stands

    # -- the ways ------------------------------------------------------------------------------------------------------

    def _cut_loops(self) -> None:
        s = self.walk.examiner.start()
        kept: list[Any] = []
        at = {s: 0}  # how many of the kept moves lead there
        for a in self.best[:-1]:
            s = self.walk.examiner.follow(s, a)
            if s in at:
                kept = kept[: at[s]]
                at = {t: n for t, n in at.items() if n <= len(kept)}
            else:
                kept.append(a)
                at[s] = len(kept)
        self._keep(self._shown_by([*kept, *self.best[-1:]]))

    def _play_anew(self) -> None:
        """Where a long game ends badly, shorter games are sooner found than made out of it."""
        until = time.monotonic() + (self.until - time.monotonic()) / 3
        while self.at_end and len(self.best) > LONG and time.monotonic() < until and not self.is_over:
            self._from_the_start()

    def _delete(self) -> None:
        size = max(1, len(self.best) // 2)
        while size >= 1:
            shorter = False
            for i in range(len(self.best) - size, -1, -1):
                if self.is_over:
                    return
                rest = self.best[:i] + self.best[i + size :]
                shorter |= len(rest) < len(self.best) and self._keep(self._shown_by(rest))
            if not shorter:
                size //= 2
            size = min(size, len(self.best))

    def _mend(self) -> None:
        """Leave some moves out, or play another in their place, and go on with the rest as far as that is legal."""
        first = self.random.randrange(len(self.best))
        gone = self.random.choice((1, 1, 1, 2, 3, len(self.best)))
        self._acquire_habits()
        self._play(self.best[:first], self.best[first + gone :], changed=self.random.random() < 0.5)

    def _from_the_start(self) -> None:
        self._acquire_habits()
        keep = self.random.choice((0, 0, self.random.randrange(len(self.best))))
        self._play(self.best[:keep], [], changed=True)

    # -- playing -------------------------------------------------------------------------------------------------------

    def _play(self, prefix: list[Any], rest: list[Any], changed: bool) -> None:
        """Play `prefix`, a new move if `changed`, what is legal of `rest`, then by habit, and keep what shows it."""
        line: list[Any] = []
        wanted = [*prefix, *([None] if changed else []), *rest][::-1]
        with suppress(Broken):
            s = self.walk.examiner.start()
            while len(line) < len(self.best):
                if not self.at_end and len(line) > len(prefix) and self._is_shown_at(s):
                    break
                actions = self.walk.offered(self.game, s)
                if not actions:
                    break
                planned = next_legal(wanted, actions)
                line.append(self._choose(s, actions) if planned is None else planned)
                with blame("apply"):
                    s = self.game.succ(s, line[-1])
        if len(line) < len(self.best) and line != self.best:
            self._keep(self._shown_by(line))

    def _is_shown_at(self, s: Any) -> bool:
        seen = self.walk.look(s, thorough=self.problem.kind in PRESENTED)
        return any(other.identity == self.problem.identity for other in seen.problems)

    def _acquire_habits(self) -> None:
        """How the next game is played."""
        self.habits = None if self.random.random() < EVENLY else {}
        self.wish = self.random.choice((0, 0, -1, 1)) if self.game.has_evaluation else 0

    def _choose(self, s: Any, actions: Sequence[Any]) -> Any:
        if self.wish and self.random.random() > EVENLY / 2:
            some = actions if len(actions) <= SOME else self.random.sample(actions, SOME)
            with blame("apply"):
                return max(some, key=lambda a: self.wish * self.game.evaluate(self.game.succ(s, a)))
        return choose(self.random, actions, self.habits)

    # -- does it show? -------------------------------------------------------------------------------------------------

    def _ends_the_game(self, actions: Sequence[Any]) -> bool:
        s = self.walk.examiner.start()
        for a in actions:
            try:
                s = self.walk.examiner.follow(s, a)
            except Broken:
                return False
        try:
            return bool(self.walk.game.player(s) == OVER)
        except Exception:
            return False

    def _keep(self, shown: tuple[list[Any], Problem] | None) -> bool:
        if shown is None or len(shown[0]) >= len(self.best):
            return False
        self.best, self.in_vain = shown[0], 0
        self.walk.note(shown[1], shown[0])
        return True

    def _shown_by(self, actions: Sequence[Any]) -> tuple[list[Any], Problem] | None:
        """As many of these moves as it takes to show the problem, as it shows there; None if they do not."""
        s = self.walk.examiner.start()
        stood: dict[Any, int] = {}
        for i in range(len(actions) + 1):
            seen = self.walk.look(s, thorough=self.problem.kind in PRESENTED)
            back = self.walk.look_back(s, stood, i) if self.problem.kind in OF_THE_WAY else None
            for problem in (*seen.problems, *([back] if back else [])):
                if problem.identity == self.problem.identity:
                    return list(actions[:i]), problem
            if i == len(actions) or actions[i] not in seen.actions:
                return None
            try:
                s = self.walk.examiner.follow(s, actions[i])
            except Broken as fault:
                same = fault.problem.identity == self.problem.identity
                return (list(actions[: i + 1]), fault.problem) if same else None
        return None


def next_legal(wanted: list[Any], actions: Sequence[Any]) -> Any:
    """The next of the wanted moves, the last in the list first, that is legal; None: play what you like."""
    while wanted:
        planned = wanted.pop()
        if planned is None or planned in actions:
            return planned
    return None


def choose(rng: random.Random, actions: Sequence[Any], habits: dict[Any, float] | None) -> Any:
    """One of the actions: evenly, or by habits, which are made up where there are none yet."""
    if habits is None:
        return rng.choice(actions)
    for a in actions:
        if a not in habits:
            habits[a] = rng.lognormvariate(0.0, HABIT)
    return rng.choices(actions, [habits[a] for a in actions])[0]
