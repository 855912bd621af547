"""A visitor without a browser and without a server, for controllers: searches are answered by a function."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import nullcontext
from typing import Any

from zermelo.core.game import GameError
from zermelo.interfaces.studio.bounds import Bounds
from zermelo.interfaces.studio.catalogue import Catalogue
from zermelo.interfaces.studio.site import Site
from zermelo.interfaces.studio.ticket import Cancelled

News = dict[str, Any]
Answer = Callable[[str, News], News]


class FakeTicket:
    def __init__(self, message: News, answer: Callable[[], News], hear: Callable[[News], None]):
        self.message, self._answer, self.hear, self.is_cancelled = message, answer, hear, False

    def cancel(self) -> None:
        self.is_cancelled = True

    async def result(self) -> News:
        await asyncio.sleep(0)
        if self.is_cancelled:
            raise Cancelled("cancelled")
        return self._answer()


class FakeVisit:
    """See zermelo.interfaces.studio.visit.Visit."""

    def __init__(self, answer: Answer = lambda task, message: {}, runs: str = "."):
        self.site = Site(Catalogue(), Bounds(), "tic-tac-toe", runs)
        self.client, self.gone = nullcontext(), False
        self.answer = answer
        self.tab: dict[str, Any] = {}
        self.asked: list[tuple[str, News]] = []
        self.tickets: list[FakeTicket] = []
        self.complaints: list[str] = []
        self.is_stopped = False
        self.work: list[asyncio.Task[None]] = []

    def submit(
        self, task: str, message: News, *, seconds: float, hear: Any = lambda news: None, urgent: bool = True
    ) -> FakeTicket:
        if seconds > self.site.bounds.seconds:
            raise GameError("too long")
        self.asked.append((task, message))
        self.tickets.append(FakeTicket(message, lambda: self.answer(task, message), hear))
        return self.tickets[-1]

    async def ask(self, task: str, message: News, *, seconds: float, hear: Any = lambda news: None) -> News:
        return await self.submit(task, message, seconds=seconds, hear=hear).result()

    def stop(self) -> None:
        self.is_stopped = True

    def cancel(self, but: FakeTicket | None = None) -> None:
        for ticket in self.tickets:
            if ticket is not but:
                ticket.cancel()

    def complain(self, problem: object) -> None:
        self.complaints.append(str(problem))

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        self.work.append(asyncio.get_running_loop().create_task(work))

    async def in_thread(self, work: Callable[..., Any], *given: Any) -> Any:
        await asyncio.sleep(0)
        return work(*given)

    async def rest(self) -> None:
        """Until nothing goes on any more."""
        while self.work:
            await self.work.pop()


class FakeView:
    """Counts what it was asked to show."""

    def __init__(self) -> None:
        self.shown: list[str] = []

    def __getattr__(self, name: str) -> Callable[..., None]:
        if name.startswith("_"):
            raise AttributeError(name)
        return lambda *given: self.shown.append(name)
