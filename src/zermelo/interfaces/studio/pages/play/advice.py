"""Advice on the page to play on: hints, and the perfect moves of positions that endgame tables know.

Nobody is told a move who has not asked. A hint is for one move: all perfect ones are pointed out, and what every move
is worth is listed; where no tables know the position, the strongest player there is searches for it. The switch
"perfect moves" does the same at every position that tables know, and searches nowhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.compile.endings import numbers_endings
from zermelo.core.game import GameError
from zermelo.interfaces.studio.endings import perfect_moves
from zermelo.interfaces.studio.pages.play.judgement import Judgement
from zermelo.interfaces.studio.pages.play.thought import Thought
from zermelo.interfaces.studio.ticket import Cancelled, News

if TYPE_CHECKING:
    from zermelo.interfaces.studio.pages.play.controller import Controller

HINT = "level=10"
LOOKING = 5.0  # seconds looking something up may take, opening the files included
NAMED = 4  # moves of a hint


class Advice:
    """Of one visitor's page."""

    def __init__(self, controller: Controller):
        self.controller = controller
        self.is_on = False  # are perfect moves shown wherever they are known?
        self.hinted = ""
        self.unknown = ""  # why tables say nothing, where there might be some

    @property
    def has_tables(self) -> bool:
        """Can there be tables of this game?"""
        return numbers_endings(self.controller.played.game)

    @property
    def is_looking(self) -> bool:
        """Is every position looked up, judged or not?"""
        return self.is_on and self.has_tables

    @property
    def shown(self) -> News | None:
        """What tables say of the position that is looked at, if the visitor wants to see it."""
        played = self.controller.played
        is_wanted = self.is_on or (bool(played.hints) and played.is_present)
        return played.judgements.known(played.here) if is_wanted else None

    def set_on(self, on: object) -> None:
        self.is_on = self.controller.played.shows_perfect = bool(on)
        self.controller.view.refresh()
        self.controller.judge.look(self.controller.turn)

    def learn(self, ply: int, answer: News) -> None:
        """What an answer of a search process says of tables."""
        self.unknown = answer.get("unknown", "")
        if answer.get("known") is not None:
            self.controller.played.judgements.note(ply, Judgement.of_tables(answer["known"]))

    async def hint(self) -> None:
        controller, played, turn = self.controller, self.controller.played, self.controller.turn
        if not (played.is_present and played.is_visitors_turn):
            controller.visit.complain("a hint is for your own move")
            return
        try:
            known = await self._look_up(turn) if self.has_tables else None
            if known is None:
                moves = [(await controller.search("a hint", HINT, turn))["move"]]
            else:
                moves = perfect_moves(known)
        except GameError as problem:
            if not isinstance(problem, Cancelled):
                controller.visit.complain(problem)
            return
        if turn != controller.turn:
            return
        self.hinted = one_of(moves)
        if known is not None:
            controller.thought = Thought("a hint", f"{known['words']}, by the endgame tables", move=self.hinted)
        played.point_out(moves)
        controller.view.refresh()

    async def _look_up(self, turn: int) -> News | None:
        """What tables say of the present position; asked for, if it is not known yet."""
        controller, ply = self.controller, len(self.controller.played.history.moves)
        known = controller.played.judgements.known(ply)
        if known is None:
            answer = await controller.visit.ask("known", controller.played.question(), seconds=LOOKING)
            if controller.is_still(turn):
                self.learn(ply, answer)
                controller.view.show_value()
                known = answer.get("known")
        return known


def one_of(moves: list[str]) -> str:
    """Qd7, Ke3 or Kf3."""
    more = len(moves) - NAMED
    named = moves if more <= 0 else [*moves[:NAMED], f"{more} others" if more > 1 else moves[-1]]
    return named[0] if len(named) == 1 else f"{', '.join(named[:-1])} or {named[-1]}"
