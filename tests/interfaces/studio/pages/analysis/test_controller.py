"""The controller of the page of analysis, without a browser: positions, a search, the tree opened, stale answers."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from tests.interfaces.studio.fake_visit import FakeView, FakeVisit
from zermelo.interfaces.studio.pages.analysis.controller import Controller
from zermelo.interfaces.studio.tasks import perform

WON = "xo. .x. ..o"
FIELDS = {"search": "textbook", "seconds": 5.0, "depth": 2, "simulations": None, "learned": True}


def run(test: Callable[[Controller, FakeVisit], Awaitable[None]]) -> None:
    async def go() -> None:
        visit = FakeVisit(lambda task, message: perform({**message, "task": task}))
        controller = Controller(visit)  # type: ignore[arg-type]
        controller.view = FakeView()
        await controller.open("tic-tac-toe", WON)
        await test(controller, visit)

    asyncio.run(go())


def test_a_search_is_shown_and_opened_and_searched_further():
    async def test(controller: Controller, visit: FakeVisit) -> None:
        await controller.search(FIELDS)
        assert controller.answer is not None
        assert controller.answer["depth"] == 2
        assert "<svg" in controller.drawing
        assert not controller.is_busy
        await controller.click({"path": "r.1"})
        assert controller.selected == "r.1"
        assert controller.is_below
        assert controller.outline is not None
        below = controller.outline.at("r.1").children
        deep = f"r.1.{next(n for n, child in enumerate(below) if not child.children)}"
        await controller.click({"path": deep})  # nothing is known below: it is searched
        assert len(visit.asked) == 2
        assert len(visit.asked[1][1]["moves"]) == 2
        await controller.look_from_here()
        assert len(controller.position.moves) == 2  # type: ignore[union-attr]
        assert controller.answer is None
        await controller.go_back()
        assert controller.position.text == WON  # type: ignore[union-attr]

    run(test)


def test_what_is_wrong_is_said_and_what_is_shown_stays():
    async def test(controller: Controller, visit: FakeVisit) -> None:
        await controller.search(FIELDS)
        shown = controller.answer
        for act in (
            controller.search({**FIELDS, "seconds": 1e9}),
            controller.search({**FIELDS, "depth": "deep"}),
            controller.search({**FIELDS, "search": "magic"}),
            controller.set_position("no position"),
            controller.choose_game("no game"),
            controller.click({"path": "r.99"}),
            controller.click({"id": "board"}),
        ):
            before = len(visit.complaints)
            await act
            assert len(visit.complaints) == before + 1
        for nonsense in (None, 7, [], {"move": {}}, {"more": "r"}):
            await controller.click(nonsense)
            await controller.point(nonsense)
        assert controller.answer is shown
        assert controller.position.text == WON  # type: ignore[union-attr]

    run(test)


def test_an_answer_to_a_position_that_has_been_left_is_not_shown():
    async def test(controller: Controller, visit: FakeVisit) -> None:
        search = asyncio.create_task(controller.search(FIELDS))
        while not controller.is_busy:
            await asyncio.sleep(0)
        await controller.set_start()
        await search
        assert controller.answer is None
        assert controller.status == ""

    run(test)
