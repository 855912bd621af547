"""The controller of the page of agents, without a browser: an episode, its frames, a comparison, stopping."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from tests.interfaces.studio.fake_visit import FakeView, FakeVisit
from zermelo.interfaces.studio.pages.agents.controller import COMPARED, Controller, scenarios_of
from zermelo.interfaces.studio.ticket import Cancelled

ENDED = {"scores": [7], "wins": 1, "ending": "all dots are eaten", "cut_short": False, "seconds": 1.0}


class Episodes(FakeVisit):
    """Answers with a short episode: three frames of the start."""

    async def ask(self, task: str, message: dict[str, Any], *, seconds: float, hear: Any = None) -> dict[str, Any]:
        ticket = self.submit(task, message, seconds=seconds)
        game = self.site.catalogue[message["game"]].load(**message["options"])
        position = game.format(game.start())
        await asyncio.sleep(0)
        if ticket.is_cancelled:
            raise Cancelled("cancelled")
        frames = [
            {"ply": n, "position": position, "score": -n, "mover": 0, "move": "east", "thought": None} for n in range(3)
        ]
        hear({"frames": frames} if message["games"] == 1 else {"scores": [7]})
        return {**ENDED, "scores": [7] * message["games"]}


def run(test: Callable[[Controller, FakeVisit], Awaitable[None]]) -> None:
    async def go() -> None:
        visit = Episodes()
        controller = Controller(visit, scenarios_of(visit.site))  # type: ignore[arg-type]
        controller.view = FakeView()
        controller.open()
        await test(controller, visit)

    asyncio.run(go())


def test_an_episode_is_played_back_and_walked_through():
    async def test(controller: Controller, visit: FakeVisit) -> None:
        assert controller.says == "Ready"
        await controller.run({"layout": "trapped"})
        assert controller.setting.choices["layout"] == "trapped"
        assert controller.playback.playing
        assert not controller.is_busy
        for _ in range(4):
            controller.tick()
        assert not controller.playback.playing
        assert controller.says == "All dots are eaten, with 7 points."
        controller.step("first")
        assert controller.playback.at == 0
        controller.slide(2)
        assert controller.playback.at == 2
        await controller.play_or_pause({})  # from the beginning
        assert controller.playback.at == 0
        assert controller.playback.playing

    run(test)


def test_what_is_stopped_leaves_nothing_behind():
    async def test(controller: Controller, visit: FakeVisit) -> None:
        comparing = asyncio.create_task(controller.compare({}))
        await asyncio.sleep(0)
        assert controller.is_busy
        controller.stop()
        await comparing
        assert not controller.is_busy
        assert controller.compared == []
        await controller.compare({})
        assert controller.compared[0]["games"] == COMPARED

    run(test)


def test_what_cannot_be_chosen_is_said():
    async def test(controller: Controller, visit: FakeVisit) -> None:
        for act in (controller.run({"seed": None}), controller.compare({"layout": "/etc/passwd"})):
            await act
        controller.preview({"depth": 99})
        controller.choose_scenario("no such game")
        assert len(visit.complaints) == 3
        assert visit.asked == []
        assert controller.says == "Ready"

    run(test)
