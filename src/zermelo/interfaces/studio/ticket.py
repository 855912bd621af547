"""One task for a search process, from being asked for to its answer; and why there is nothing to show yet, in words."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from zermelo.core.game import GameError

if TYPE_CHECKING:
    from zermelo.interfaces.studio.pool import Pool, Worker

News = dict[str, Any]


def delay(news: Mapping[str, Any]) -> str:
    """Why a search has nothing to show yet, in words; empty if it has, or if this news does not say."""
    if "compiling" in news:
        return f"getting ready (only the first time): compiling {str(news['compiling'])[:60]}"
    if "waiting" not in news:
        return ""
    if news.get("starting"):
        return "a search process is starting"
    before = int(news["waiting"])
    others = "this search is the next" if not before else f"{before} other{'s are' if before > 1 else ' is'} before it"
    return f"waiting for a free place; {others}"


class Cancelled(GameError):  # noqa: N818
    """Nobody wants the answer any more."""


class Ticket:
    """One task, from being asked for to its answer."""

    def __init__(
        self,
        pool: Pool,
        number: int,
        message: News,
        seconds: float,
        hear: Callable[[News], None],
        urgent: bool,
    ):
        self.pool, self.number, self.message = pool, number, message
        self.seconds, self.hear, self.urgent = seconds, hear, urgent
        self.future: asyncio.Future[News] = asyncio.get_running_loop().create_future()
        self.worker: Worker | None = None
        self.asked = time.monotonic()

    @property
    def is_done(self) -> bool:
        return self.future.done()

    async def result(self) -> News:
        return await asyncio.shield(self.future)

    def cancel(self) -> None:
        self.pool.cancel(self)

    def stop(self) -> None:
        """Have the search answer with what it has found so far."""
        if self.worker is not None and not self.is_done:
            self.worker.send({"stop": self.number})

    def settle(self, answer: News | None = None, problem: GameError | None = None) -> None:
        if self.future.done():
            return
        if problem is not None:
            self.future.set_exception(problem)
            self.future.exception()  # nobody may be listening any more
        else:
            self.future.set_result(answer or {})

    def tell(self, news: News) -> None:
        if not self.future.done():
            self.hear(news)
