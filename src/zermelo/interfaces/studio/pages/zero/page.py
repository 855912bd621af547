"""Zero, at /zero: a network that learns a small game from nothing but its rules."""

from __future__ import annotations

from zermelo.interfaces.studio.pages.zero.controller import Controller, games_of
from zermelo.interfaces.studio.pages.zero.view import View
from zermelo.interfaces.studio.visit import Visit


async def page(visit: Visit) -> None:
    games = await visit.in_thread(visit.site.shared, games_of)
    controller = Controller(visit, games)
    controller.view = View(controller)
    controller.show()
