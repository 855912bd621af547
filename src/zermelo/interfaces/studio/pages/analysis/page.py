"""Analysis, at /analysis: the position comes from the address, else from the game on the page to play on, else from
the fields."""

from __future__ import annotations

from zermelo.interfaces.studio.pages.analysis.controller import Controller
from zermelo.interfaces.studio.pages.analysis.view import View
from zermelo.interfaces.studio.visit import Visit


async def page(visit: Visit, game: str | None = None, position: str | None = None) -> None:
    controller = Controller(visit)
    controller.view = View(controller)
    if await visit.is_connected():
        await controller.open(game, position)
