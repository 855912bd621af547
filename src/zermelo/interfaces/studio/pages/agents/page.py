"""Agents, at /agents: games whose own file describes agents to watch."""

from __future__ import annotations

from zermelo.interfaces.studio.pages.agents.controller import Controller, scenarios_of
from zermelo.interfaces.studio.pages.agents.view import View
from zermelo.interfaces.studio.visit import Visit


async def page(visit: Visit) -> None:
    scenarios = await visit.in_thread(visit.site.shared, scenarios_of)
    controller = Controller(visit, scenarios)
    controller.view = View(controller)
    controller.open()
