"""Lecture, at /lecture."""

from __future__ import annotations

from zermelo.interfaces.studio.pages.lecture.controller import Controller
from zermelo.interfaces.studio.pages.lecture.view import View
from zermelo.interfaces.studio.visit import Visit


async def page(visit: Visit) -> None:
    controller = Controller(visit)
    controller.view = View(controller)
    if await visit.is_connected():
        await controller.show()
