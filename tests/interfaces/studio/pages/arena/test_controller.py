"""The controller of the page of trainings and tournaments, without a browser: the list, pages of games, a replay."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path

from tests.interfaces.studio.fake_visit import FakeView, FakeVisit
from tests.interfaces.studio.pages.arena.test_page import make_run, tournament
from zermelo.interfaces.studio.pages.arena.controller import LIST_EVERY, Controller
from zermelo.interfaces.studio.pages.arena.training_run import WatchedRun

__all__ = ["tournament"]


def run(folder: Path, test: Callable[[Controller, FakeVisit, FakeView], Awaitable[None]]) -> None:
    async def go() -> None:
        visit, view = FakeVisit(runs=str(folder)), FakeView()
        controller = Controller(visit)  # type: ignore[arg-type]
        controller.view = view
        await controller.open()
        await test(controller, visit, view)

    asyncio.run(go())


def test_the_list_grows_and_the_first_is_opened(tmp_path):
    async def test(controller: Controller, visit: FakeVisit, view: FakeView) -> None:
        assert controller.opened is None
        make_run(tmp_path / "training", games=350, rows=3, seconds=10.0)
        for _ in range(LIST_EVERY):
            await controller.look()
        assert isinstance(controller.opened, WatchedRun)
        assert controller.opened.training.games == 350  # type: ignore[union-attr]
        assert view.shown[-1] == "show_run"

    run(tmp_path, test)


def test_games_are_turned_and_replayed(tmp_path, tournament):
    shutil.copy(tournament, tmp_path / "robin.jsonl")

    async def test(controller: Controller, visit: FakeVisit, view: FakeView) -> None:
        assert len(controller.games) == 12
        controller.turn(5)
        assert controller.number == controller.pages - 1 == 0
        for nonsense in (None, -1, 12, "0", True, {}):
            await controller.choose_game(nonsense)
        assert len(visit.complaints) == 6
        await controller.choose_game(3)
        assert controller.replay is not None
        assert controller.ply == controller.replay.last > 0
        controller.go(controller.ply - 1)
        assert controller.ply == controller.replay.last - 1
        for to, ply in ((-9, 0), (10**6, controller.replay.last), (float("nan"), controller.replay.last)):
            controller.go(to)
            assert controller.ply == ply

    run(tmp_path, test)


def test_a_folder_that_is_not_there_is_said(tmp_path):
    async def test(controller: Controller, visit: FakeVisit, view: FakeView) -> None:
        assert "is not there" in controller.problem
        assert controller.items == []

    run(tmp_path / "nowhere", test)
