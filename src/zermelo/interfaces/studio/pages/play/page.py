"""Play, at /: a game, who sits where and a position may come from the address."""

from __future__ import annotations

from zermelo.interfaces.studio.pages.play.controller import Controller
from zermelo.interfaces.studio.pages.play.view import View
from zermelo.interfaces.studio.visit import Visit


async def page(visit: Visit, game: str = "", seats: str = "", position: str = "") -> None:
    controller = Controller(visit)
    controller.view = View(controller)
    if await visit.is_connected():
        controller.open(game, seats, position)
