"""Examines a subclass of `Game` over any Python object, through the formalism alone."""

from __future__ import annotations

import copy
from typing import Any

from zermelo.check.presentation import Presentation
from zermelo.check.states import (
    Broken,
    Seen,
    blame,
    check_chances,
    check_distinct,
    check_player,
    number,
    payoff_problems,
)
from zermelo.core.game import CHANCE, OVER, Game


class PlainExaminer:
    """One state at a time; see `Examiner`."""

    def __init__(self, game: Game[Any, Any]):
        self.game = self.fast_game = game
        self.presentation = Presentation(game)

    def start(self) -> Any:
        with blame("start"):
            return self._hashable("start", self.game.start())

    def examine(self, s: Any, thorough: bool = True) -> Seen:
        seen = Seen()
        try:
            with blame("state"):
                before, text = copy.deepcopy(s), repr(s)
                comparable = bool(before == s)
            self._look(s, seen)
            if (comparable and before != s) or (repr(before) == text and repr(s) != text):
                raise Broken("changes", "state", "asking about the state changed it")
            seen.problems += self.presentation.problems(s, seen, thorough)
        except Broken as fault:
            seen.problems.append(fault.problem)
            seen.actions = ()
        return seen

    def _look(self, s: Any, seen: Seen) -> None:
        game = self.game
        with blame("player"):
            seen.player = check_player(game, game.player(s))
        with blame("is_end"):
            ended = bool(game.is_end(s))
        if ended != (seen.player == OVER):
            raise Broken("end", "is_end", f"is_end says {ended}, but player says {seen.player}")
        with blame("actions"):
            actions = list(game.actions(s))
            check_distinct("actions", actions)
        if seen.player == OVER:
            if actions:
                raise Broken("end", "actions", f"the game is over, but actions offers {len(actions)}: {actions[0]!r} …")
            with blame("utility"):
                payoff = [float(game.utility(s, p)) for p in range(game.players)]
            seen.problems += payoff_problems(game, payoff)
            return
        if not actions:
            raise Broken("stuck", "actions", f"player {seen.player} has no action, and player does not say OVER")
        if seen.player == CHANCE:
            self._chances(s, seen, actions)
        if game.has_evaluation:
            with blame("evaluate"):
                estimate = game.evaluate(s)
            number("evaluate", estimate)
        seen.actions = actions

    def _chances(self, s: Any, seen: Seen, actions: list[Any]) -> None:
        with blame("chances"):
            pairs = [(a, float(p)) for a, p in self.game.chances(s)]
        seen.probability = [p for _, p in pairs]
        check_chances([a for a, _ in pairs], seen.probability)
        if {a for a, _ in pairs} != set(actions):
            raise Broken("chances", "actions", "at a chance node actions must list the outcomes that chances lists")
        actions[:] = [a for a, _ in pairs]

    def follow(self, s: Any, a: Any) -> Any:
        with blame("succ"):
            before, text = copy.deepcopy(s), repr(s)
            comparable = bool(before == s)
            after = self._hashable("succ", self.game.succ(s, a))
            if (comparable and before != s) or (repr(before) == text and repr(s) != text):
                raise Broken("changes", "succ", "succ changed the state it was given")
            again = self.game.succ(s, a)
            if after != again or hash(after) != hash(again):
                raise Broken("hash", "succ", "the same move played twice gives two states that are not equal")
        return after

    def reversible_plies(self, s: Any) -> int | None:
        return None

    def _hashable(self, where: str, s: Any) -> Any:
        try:
            hash(s)
        except TypeError as mistake:
            raise Broken("hash", where, f"{where} gives a state that cannot be hashed ({mistake})") from None
        return s
