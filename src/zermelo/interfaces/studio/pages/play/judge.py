"""The judge of the page to play on: it finds out what the present position is worth, beside whatever goes on.

It judges where a person thinks, and where programs play that do not say what they think. Nobody waits for it: the value
comes while the search deepens, and before that, why there is none is said. While it still compiles, a move does not
cancel it: it would begin to compile anew after every move. What endgame tables know is not searched for, and is looked
up also where nothing is judged but perfect moves are to be shown.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from zermelo.core.game import GameError
from zermelo.interfaces.studio.pages.play.judgement import Judgement
from zermelo.interfaces.studio.ticket import Cancelled, News, Ticket, delay

if TYPE_CHECKING:
    from zermelo.interfaces.studio.pages.play.controller import Controller

JUDGING = 1.0  # seconds, while somebody thinks
BRIEFLY = 0.15  # … while programs play on
SETTLES = 0.15  # seconds before it begins: whoever moves at once needs no judge, but a search process for the answer


class Judge:
    """Of one visitor's page."""

    def __init__(self, controller: Controller):
        self.controller = controller
        self.is_on = True
        self.verdict = ""  # why nothing is judged, where something is to be said
        self.silent: set[str] = set()  # players that do not say what they think
        self._waits_in: int | None = None  # the turn in which it is about to begin
        self._asked: Ticket | None = None
        self._is_ready = False  # has what was asked begun, and compiles no more?

    def clear(self) -> Ticket | None:
        """Something has happened: what was asked is not wanted any more, but for what is still compiling."""
        if self._asked is not None and not self._is_ready and self._is_of_this_game(self._asked):
            return self._asked
        self.verdict, self._asked = "", None
        return None

    def _is_of_this_game(self, ticket: Ticket) -> bool:
        question = self.controller.played.question()
        return all(ticket.message.get(name) == question[name] for name in ("game", "options"))

    def look(self, turn: int) -> None:
        """Judge the present position, if that is of use."""
        controller, played = self.controller, self.controller.played
        if not (self.is_on or controller.advice.is_looking) or not controller.is_still(turn):
            return
        if played.session.is_over:
            result = Judgement(played.session.payoffs()[0], is_proven=True)
            played.judgements.settle(len(played.history.moves), result)
            controller.view.show_value()
            return
        seat, known = played.history.player(), played.judgements.present
        is_busy = self._asked is not None or self._waits_in == turn
        if seat < 0 or is_busy or (known is not None and known.is_final):
            return
        if played.is_human(seat) or controller.paused:
            controller.visit.start(self._ask(turn, JUDGING))
        elif played.is_watched and played.session.players[seat] in self.silent:  # the others say it themselves
            controller.visit.start(self._ask(turn, BRIEFLY))

    async def _ask(self, turn: int, seconds: float) -> None:
        controller = self.controller
        ticket: Ticket | None = None
        self._waits_in = turn
        await asyncio.sleep(SETTLES)
        if self._waits_in == turn:
            self._waits_in = None
        if not controller.is_still(turn) or self._asked is not None or controller.played.history.player() < 0:
            return
        ply = len(controller.played.history.moves)
        task, doing = ("value", "being judged") if self.is_on else ("known", "")

        def hear(news: News) -> None:
            if "began" in news and ticket is not None:
                self._is_ready = True
                if not controller.is_still(turn):  # everything is compiled for the next one
                    ticket.cancel()
            if "report" not in news:
                self._say(doing if "began" in news else delay(news) or self.verdict)
            elif controller.is_still(turn):
                controller.believe(ply, news["report"])

        self._is_ready = False
        self._say(doing)
        question = {**controller.played.question(), "seconds": seconds}
        try:
            ticket = controller.visit.submit(task, question, seconds=seconds, hear=hear, urgent=False)
            self._asked = ticket
            answer = await ticket.result()
        except Cancelled:
            answer = {}
        except GameError as problem:
            self._say(f"not judged: {problem}")
            answer = {}
        if self._asked is ticket:
            self._asked = None
        if not controller.is_still(turn):
            self.look(controller.turn)
        elif answer:
            controller.learn(ply, answer)
            if task == "value" and answer["report"] is None and answer.get("known") is None:
                self._say("not judged: no search knows this game")

    def _say(self, verdict: str) -> None:
        self.verdict = verdict
        self.controller.view.show_value()
