"""One open page in a browser, as its controller sees it: searches to ask for, and what else needs the browser.

    answer = await visit.ask("move", {…}, seconds=5, hear=show)     a search; see pool.py, tasks.py
    found = await visit.in_thread(work, …)                          what takes a moment in plain Python
    visit.complain(problem)                                         one sentence on the page

When the visitor leaves, what it had asked for is cancelled.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, MutableMapping
from contextlib import suppress
from typing import Any, TypeVar

from nicegui import app, background_tasks, run, ui

from zermelo.core.game import GameError
from zermelo.interfaces.studio.site import Site
from zermelo.interfaces.studio.ticket import News, Ticket

CONNECTS = 30.0  # seconds a browser may take to connect after the page was sent
LONGEST = 300  # characters of a complaint
T = TypeVar("T")


class Visit:
    """One open page."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.client = ui.context.client
        self.tickets: list[Ticket] = []
        self.gone = False
        self.client.on_delete(self.leave)

    # -- searches ------------------------------------------------------------------------------------------------------

    def submit(
        self,
        task: str,
        message: News,
        *,
        seconds: float,
        hear: Callable[[News], None] = lambda news: None,
        urgent: bool = True,
    ) -> Ticket:
        """Ask for a search; `hear` may touch the page."""
        bounds = self.site.bounds
        self.tickets = [ticket for ticket in self.tickets if not ticket.is_done]
        if len(self.tickets) >= bounds.each:
            raise GameError("this page has asked for enough already; wait for an answer, or stop it")
        if seconds > bounds.seconds:
            raise GameError(f"a search may take at most {bounds.seconds:g} s on this page")

        def hear_here(news: News) -> None:
            if not self.gone:
                with self.client:
                    hear(news)

        ticket = self.site.pool.submit(task, message, seconds=seconds, hear=hear_here, urgent=urgent)
        self.tickets.append(ticket)
        return ticket

    async def ask(
        self, task: str, message: News, *, seconds: float, hear: Callable[[News], None] = lambda news: None
    ) -> News:
        """Ask for a search and wait for its answer; a GameError says what went wrong."""
        return await self.submit(task, message, seconds=seconds, hear=hear).result()

    def stop(self) -> None:
        """Have the searches of this page answer with what they have found so far."""
        for ticket in self.tickets:
            ticket.stop()

    def cancel(self, but: Ticket | None = None) -> None:
        """Stop everything this page asked for, but for one."""
        for ticket in self.tickets:
            if ticket is not but:
                ticket.cancel()
        self.tickets = [] if but is None else [but]

    def leave(self) -> None:
        self.gone = True
        self.cancel()

    # -- the browser ---------------------------------------------------------------------------------------------------

    async def is_connected(self) -> bool:
        """Wait until the browser answers, which `tab` needs; False if none does (a program read the page)."""
        with suppress(TimeoutError):
            await self.client.connected(CONNECTS)
        return self.client.has_socket_connection

    @property
    def tab(self) -> MutableMapping[str, Any]:
        """What is kept for this browser tab, from page to page; empty before it is connected."""
        if not self.client.has_socket_connection:
            return {}
        with self.client:
            return app.storage.tab

    def complain(self, problem: object) -> None:
        """Say what is wrong, in one sentence, if anybody is there."""
        if not self.gone:
            with self.client:
                ui.notify(str(problem)[:LONGEST], type="warning", position="top", multi_line=True)

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Have something go on beside what is clicked; it may touch the page."""

        async def here() -> None:
            with self.client:
                await work

        background_tasks.create(here(), name="visit")

    async def in_thread(self, work: Callable[..., T], *given: Any) -> T:
        """What takes a moment in plain Python, so that the server goes on answering."""
        found = await run.io_bound(work, *given)
        if app.is_stopping:
            raise asyncio.CancelledError  # NiceGUI gives None then
        return found  # type: ignore[return-value]
