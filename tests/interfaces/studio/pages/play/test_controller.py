"""The controller of the page to play on, without a browser: whose turn it is, what is asked for, what becomes stale."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from tests.interfaces.studio.fake_visit import FakeView, FakeVisit
from zermelo.interfaces.studio.pages.play.controller import HINT, Controller

CELLS = [column + row for row in "123" for column in "abc"]


def program(task: str, message: dict) -> dict:
    """Plays the first free cell of tic-tac-toe, and judges every position even."""
    if task == "value":
        return {"value": 0.0, "proof": "estimate", "pv": []}
    free = [cell for cell in CELLS if cell not in message["moves"]]
    return {"move": free[0], "report": None}


def run(test: Callable[[Controller, FakeVisit], Awaitable[None]], **asked: str) -> None:
    async def go() -> None:
        visit = FakeVisit(program)
        controller = Controller(visit)  # type: ignore[arg-type]
        controller.view = FakeView()
        controller.set_pace(0)
        controller.open("tic-tac-toe", asked.get("seats", "human,random"), asked.get("position", ""))
        await visit.rest()
        await test(controller, visit)

    asyncio.run(go())


def test_a_click_is_answered_by_the_program_and_kept_for_the_tab():
    async def test(controller: Controller, visit: FakeVisit) -> None:
        controller.point(["b2"])
        await visit.rest()
        assert controller.played.session.moves() == ["b2", "a1"]
        moves = [message for task, message in visit.asked if task == "move"]
        assert [message["player"] for message in moves] == ["random"]
        assert moves[0]["moves"] == ["b2"]
        assert visit.tab["play"]["moves"] == ["b2", "a1"]
        assert controller.played.values[-1] == 0.0

    run(test)


def test_an_answer_to_what_is_not_the_case_any_more_is_not_played():
    async def test(controller: Controller, visit: FakeVisit) -> None:
        controller.point(["b2"])
        controller.take_back()  # before the program has answered
        await visit.rest()
        assert controller.played.session.moves() == []

    run(test)


def test_programs_in_all_seats_play_to_the_end_unless_they_are_paused():
    async def test(controller: Controller, visit: FakeVisit) -> None:
        assert controller.played.session.moves() == CELLS[:7]
        assert controller.played.session.result() == "player 0 wins"
        assert controller.played.values[-1] == 1.0
        controller.paused = True
        controller.played.begin("tic-tac-toe", None, ["random", "random"])
        controller.changed()
        await visit.rest()
        assert controller.played.session.moves() == []
        controller.pause()  # which goes on
        await visit.rest()
        assert controller.played.session.moves() == CELLS[:7]

    run(test, seats="random,random")


def test_what_cannot_be_is_said_and_changes_nothing():
    async def test(controller: Controller, visit: FakeVisit) -> None:
        assert not controller.play_text("nonsense")
        assert not await controller.begin("no such game")
        assert not await controller.take_record("{")
        controller.set_seat(1, "uci:/bin/sh")
        await visit.rest()
        assert len(visit.complaints) == 4
        assert controller.played.session.players == ["human", "random"]
        assert controller.played.session.moves() == []

    run(test)


def test_a_hint_asks_the_best_and_only_on_ones_own_turn():
    async def test(controller: Controller, visit: FakeVisit) -> None:
        await controller.hint()
        assert visit.asked[-1][1]["player"] == HINT
        assert controller.hinted == "a1"
        controller.pause()
        controller.point(["b2"])
        await controller.hint()
        assert visit.complaints == ["a hint is for your own move"]
        controller.move_now()
        assert visit.is_stopped
        await visit.rest()

    run(test)
