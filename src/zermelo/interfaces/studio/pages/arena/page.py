"""Train & arena, at /arena."""

from __future__ import annotations

from zermelo.interfaces.studio.pages.arena.controller import Controller
from zermelo.interfaces.studio.pages.arena.view import View
from zermelo.interfaces.studio.visit import Visit


async def page(visit: Visit) -> None:
    controller = Controller(visit)
    controller.view = View(controller)
    await controller.open()
