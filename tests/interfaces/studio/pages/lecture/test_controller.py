"""The controller of the lecture page, without a browser: clicks faster than drawings, playing, trees from anywhere."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from tests.interfaces.studio.fake_visit import FakeView, FakeVisit
from zermelo.interfaces.studio.pages.lecture.controller import Controller
from zermelo.interfaces.studio.tasks import perform


def run(test: Callable[[Controller, FakeVisit, FakeView], Awaitable[None]]) -> None:
    async def go() -> None:
        visit, view = FakeVisit(lambda task, message: perform({**message, "task": task})), FakeView()
        controller = Controller(visit)  # type: ignore[arg-type]
        controller.view = view
        await controller.show()
        await test(controller, visit, view)

    asyncio.run(go())


def test_clicks_that_come_faster_than_drawings_are_all_counted_and_drawn_once():
    async def test(controller: Controller, visit: FakeVisit, view: FakeView) -> None:
        view.shown.clear()
        await asyncio.gather(*(controller.step(1) for _ in range(5)), controller.step(-1))
        assert controller.walk.step == 4
        assert view.shown == ["show"]
        assert controller.picture.svg == controller.walk.lesson.drawing(4).svg

    run(test)


def test_it_plays_to_the_end_and_begins_anew():
    async def test(controller: Controller, visit: FakeVisit, view: FakeView) -> None:
        await controller.go_to(26)
        await controller.play_or_pause()
        await controller.tick()
        assert controller.walk.is_at_end
        assert not controller.is_playing
        await controller.play_or_pause()
        assert controller.is_playing
        assert controller.walk.step == 0

    run(test)


def test_trees_from_dice_typed_and_from_a_position():
    async def test(controller: Controller, visit: FakeVisit, view: FakeView) -> None:
        await controller.take_random(1, 2, 3, False)
        assert controller.walk.settings.tree.leaves == 8
        await controller.take_typed("[[1, 2], [3, 4]]", None)
        assert controller.walk.lesson.result.startswith("value 3")
        await controller.take_position("tic-tac-toe", "xox oxo ...", 2)
        assert controller.walk.settings.title == "tic-tac-toe xox oxo ..."
        before = controller.walk.settings
        for act in (
            controller.take_random(1, 10, 8, False),
            controller.take_typed("[", None),
            controller.take_position("no game", "", 2),
            controller.take_preset("../etc"),
            controller.set_sampling("rounds", 10_000),
            controller.click("<b>"),
        ):
            complaints = len(visit.complaints)
            await act
            assert len(visit.complaints) == complaints + 1
        assert controller.walk.settings == before

    run(test)


@pytest.mark.parametrize("step", [None, "3", float("nan"), float("inf"), [], {}])
def test_a_slider_may_say_anything(step):
    async def test(controller: Controller, visit: FakeVisit, view: FakeView) -> None:
        await controller.go_to(step)
        assert controller.walk.step == 0

    run(test)
