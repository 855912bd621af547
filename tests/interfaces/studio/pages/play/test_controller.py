"""The controller of the page to play on, without a browser: whose turn it is, what is asked for, what becomes stale."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from tests.interfaces.studio.fake_visit import Answer, FakeTicket, FakeView, FakeVisit
from zermelo.core.game import GameError
from zermelo.interfaces.studio.pages.play.advice import HINT
from zermelo.interfaces.studio.pages.play.controller import Controller
from zermelo.interfaces.studio.pages.play.judgement import Judgement
from zermelo.interfaces.studio.pages.play.marks import marks_of
from zermelo.interfaces.studio.pages.play.thought import Thought


@pytest.fixture(autouse=True)
def _at_once(monkeypatch):
    """The judge does not wait until somebody has looked at the position."""
    monkeypatch.setattr("zermelo.interfaces.studio.pages.play.judge.SETTLES", 0.0)


CELLS = [column + row for row in "123" for column in "abc"]


def program(task: str, message: dict) -> dict:
    """Plays the first free cell of tic-tac-toe, and judges every position even."""
    if task == "value":
        return {"report": report(0.0)}
    free = [cell for cell in CELLS if cell not in message["moves"]]
    return {"move": free[0], "report": None, "note": "played without a search"}


def report(value: float, **known: object) -> dict:
    return {
        "value": value, "proof": "estimate", "depth": 5, "sampled": False, "seconds": 0.15, "best": None, "pv": [],
        "nodes": 10, "nodes_per_second": 0.0, **known,
    }  # fmt: skip


def run(test: Callable[[Controller, FakeVisit], Awaitable[None]], answer: Answer = program, **asked: str) -> None:
    async def go() -> None:
        visit = FakeVisit(answer)
        controller = Controller(visit)  # type: ignore[arg-type]
        controller.view = FakeView()
        controller.set_pace(0)
        game = asked.get("game", "tic-tac-toe")
        controller.open(game, asked.get("seats", "human,random"), asked.get("position", ""))
        await visit.rest()
        assert visit.complaints == []
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
        assert controller.played.judgements.values[-1] == 0.0

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
        assert controller.played.judgements.values[-1] == 1.0
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
        await controller.advice.hint()
        assert visit.asked[-1][1]["player"] == HINT
        assert controller.advice.hinted == "a1"
        controller.pause()
        controller.point(["b2"])
        await controller.advice.hint()
        assert visit.complaints == ["a hint is for your own move"]
        controller.move_now()
        assert visit.is_stopped
        await visit.rest()

    run(test)


# -- what the program thinks -------------------------------------------------------------------------------------------


def test_what_a_program_thought_stays_after_its_move_and_after_ones_own():
    def level(task: str, message: dict) -> dict:
        if task == "value":
            return {"report": report(0.0)}
        free = [cell for cell in CELLS if cell not in message["moves"]]
        return {"move": free[0], "report": report(0.25, best=free[0], pv=free[:2], depth=2), "note": ""}

    async def test(controller: Controller, visit: FakeVisit) -> None:
        controller.point(["b2"])
        await visit.rest()
        thought = controller.thought
        assert thought.title() == "player 1 (level=3): a1"
        assert thought.numbers().startswith("depth 2 · value +0.25")
        assert thought.line() == "a1 b1"
        controller.pause()
        controller.point(["b1"])
        await visit.rest()
        assert controller.thought is thought
        await controller.begin_again()
        assert controller.thought.numbers() == "nothing yet"

    run(test, level, seats="human,level=3")


def test_a_search_that_was_ended_before_it_knew_anything_leaves_nothing():
    async def test(controller: Controller, visit: FakeVisit) -> None:
        controller.point(["b2"])
        await asyncio.sleep(0)
        assert controller.thought.numbers() == "thinking"
        controller.pause()
        await visit.rest()
        assert controller.thought.numbers() == "nothing yet"

    run(test)


def test_a_program_that_does_not_search_says_so_and_a_weak_one_what_it_saw():
    async def test(controller: Controller, visit: FakeVisit) -> None:
        controller.point(["b2"])
        await visit.rest()
        assert controller.thought.numbers() == "played without a search"

    run(test)
    weak = Thought("player 1 (level=1)", "", report(0.5, best="b2", pv=["b2", "a1"]), "c3")
    assert weak.line() == "b2 a1 (seen as best; it did not play it)"


# -- the value ---------------------------------------------------------------------------------------------------------


def test_the_bar_takes_over_what_a_hint_has_proven_and_keeps_it():
    def proves(task: str, message: dict) -> dict:
        if task == "value":
            return {"report": report(0.23, seconds=1.0)}
        return {"move": "a1", "report": report(1.0, proof="proven", seconds=0.4, best="a1", pv=["a1"]), "note": ""}

    async def test(controller: Controller, visit: FakeVisit) -> None:
        assert controller.played.judgements.present.text() == "value for player 0: +0.23 (depth 5)"
        await controller.advice.hint()
        assert controller.played.judgements.present.text() == "value for player 0: +1.00 (proven)"
        controller.believe(0, report(0.3, seconds=9.0))
        assert controller.played.judgements.present.value == 1.0
        controller.point(["a1"])  # the move by which it is won
        assert controller.played.judgements.values == [1.0, 1.0]
        controller.take_back()
        controller.point(["b2"])
        assert controller.played.judgements.values == [1.0, None]
        await visit.rest()

    run(test, proves, seats="human,human")


def test_why_nothing_is_judged_is_said():
    def fails(task: str, message: dict) -> dict:
        raise GameError("the search process died")

    async def test(controller: Controller, visit: FakeVisit) -> None:
        assert controller.judge.verdict == "not judged: the search process died"
        assert "show_value" in controller.view.shown
        assert visit.complaints == []  # the game goes on
        visit.tickets[-1].hear({"compiling": "chess: search"})
        assert "compiling chess" in controller.judge.verdict
        visit.tickets[-1].hear({"report": report(0.5)})  # known before the search ends
        assert controller.played.judgements.present.value == 0.5

    run(test, fails, seats="human,human")


class Compiling(FakeVisit):
    """Positions are judged once `ready` is set; nobody has told yet that it has begun."""

    ready: asyncio.Event

    def submit(self, task: str, message: dict, **given: object) -> FakeTicket:
        ticket = super().submit(task, message, **given)  # type: ignore[arg-type]
        if task == "value":
            at_once = ticket.result

            async def later() -> dict:
                await self.ready.wait()
                return await at_once()

            ticket.result = later  # type: ignore[method-assign]
        return ticket

    @property
    def judged(self) -> list[FakeTicket]:
        return [ticket for ticket, (task, _) in zip(self.tickets, self.asked, strict=True) if task == "value"]


def compiling(test: Callable[[Controller, Compiling], Awaitable[None]], seats: str) -> None:
    async def go() -> None:
        visit = Compiling(program)
        visit.ready = asyncio.Event()
        controller = Controller(visit)  # type: ignore[arg-type]
        controller.view = FakeView()
        controller.set_pace(0)
        controller.open("tic-tac-toe", seats, "")
        async with asyncio.timeout(20):
            await test(controller, visit)

    asyncio.run(go())


def test_programs_do_not_wait_for_the_judge():
    async def test(controller: Controller, visit: Compiling) -> None:
        while not controller.played.session.is_over:
            await asyncio.sleep(0.01)
        assert len(visit.judged) == 1  # and one is enough while it compiles
        visit.ready.set()
        await visit.rest()

    compiling(test, "random,random")


def test_what_the_judge_compiles_is_not_begun_anew_after_every_move():
    async def test(controller: Controller, visit: Compiling) -> None:
        await asyncio.sleep(0.01)
        (first,) = visit.judged
        controller.point(["a1"])
        controller.point(["b1"])
        await asyncio.sleep(0.01)
        assert visit.judged == [first]
        assert not first.is_cancelled
        first.hear({"compiling": "tic-tac-toe: search"})
        assert "compiling" in controller.judge.verdict
        first.hear({"began": True})  # what it would tell now is about an old position
        assert first.is_cancelled
        visit.ready.set()
        await visit.rest()
        assert [ticket.message["moves"] for ticket in visit.judged] == [[], ["a1", "b1"]]
        assert controller.played.judgements.values == [None, None, 0.0]
        controller.point(["c1"])
        assert controller.judge.verdict == ""
        await visit.rest()

    compiling(test, "human,human")


# -- taking back -------------------------------------------------------------------------------------------------------


def test_taking_back_while_nature_is_about_to_move(monkeypatch):
    monkeypatch.setattr("zermelo.interfaces.studio.pages.play.controller.DICE", 0.05)

    async def test(controller: Controller, visit: FakeVisit) -> None:
        await asyncio.sleep(0.1)
        before = controller.played.session.moves()
        (cell, *_) = controller.played.clicks.next
        controller.point([cell])
        await asyncio.sleep(0.01)
        controller.take_back()  # the tile has not come yet
        await asyncio.sleep(0.1)
        await visit.rest()  # was an IndexError
        assert controller.played.session.moves() == before

    run(test, seats="human", game="game-2048")


def test_taking_back_half_a_turn_leaves_the_turn_before():
    async def test(controller: Controller, visit: FakeVisit) -> None:
        played = controller.played
        (here, there, *_), _ = played.clicks.ways[0]
        controller.point([here])
        controller.point([there])
        assert played.clicks.cells == (here, there)
        before = played.session.moves()
        controller.take_back()
        assert played.clicks.cells == ()
        assert played.session.moves() == before
        controller.point([here])
        controller.take_back()
        assert played.clicks.cells == ()
        assert played.session.moves() == before

    run(test, seats="human,human", game="backgammon", position="4HPwATDgc/ABMA:0:31")


# -- clicks and drags --------------------------------------------------------------------------------------------------


def test_a_piece_that_may_not_move_is_told_why():
    async def test(controller: Controller, visit: FakeVisit) -> None:
        controller.point(["2"])
        assert controller.played.refusal.startswith("2 may not move, a capture must be made: 14x")
        controller.point(["14"])
        assert controller.played.refusal == ""

    run(test, seats="human,human", game="checkers", position="B:W22,17:B14,6,K2")


def test_where_nothing_begins_is_said_for_every_game():
    async def chess(controller: Controller, visit: FakeVisit) -> None:
        controller.point(["e4"])
        assert controller.played.refusal == "no legal move begins at e4"
        controller.point(["a1"])
        assert controller.played.refusal == "a1 has no legal move"
        controller.point(["e2"])
        controller.point(["e5"])
        assert controller.played.refusal == "no legal move goes from e2 to e5"

    run(chess, seats="human,human", game="chess")

    async def tic_tac_toe(controller: Controller, visit: FakeVisit) -> None:
        controller.point(["a1"])
        controller.point(["a1"])
        assert controller.played.refusal == "a1 is not a legal move"

    run(tic_tac_toe, seats="human,human")


def test_a_lifted_piece_shows_its_targets_and_is_put_down_where_it_cannot_go():
    async def test(controller: Controller, visit: FakeVisit) -> None:
        controller.lift("g1")
        assert set(marks_of(controller.played).targets) == {"f3", "h3"}
        controller.point(["g1", "g5"])
        assert controller.played.clicks.cells == ()
        assert controller.played.refusal == "no legal move goes from g1 to g5"
        controller.lift("e2")
        controller.point(["e2", "e4"])
        assert controller.played.session.moves() == ["e4"]
        controller.point(["d7", "d5"])  # without having been told of the lift
        assert controller.played.session.moves() == ["e4", "d5"]
        controller.lift("e5")  # nothing there
        assert controller.played.refusal == "no legal move begins at e5"
        controller.lift(["x"])
        controller.point(["a1", "a5"])
        assert controller.played.session.moves() == ["e4", "d5"]

    run(test, seats="human,human", game="chess")


def test_the_piece_that_has_just_come_may_be_dragged_on():
    async def test(controller: Controller, visit: FakeVisit) -> None:
        played = controller.played
        way = next(way for way, _ in played.clicks.ways if len(way) == 4 and way[1] == way[2])
        controller.point([way[0], way[1]])
        controller.point([way[2], way[3]])
        assert len(played.session.moves()) == 1

    run(test, seats="human,human", game="backgammon", position="4HPwATDgc/ABMA:0:31")

    async def jumps(controller: Controller, visit: FakeVisit) -> None:
        controller.point(["14", "23"])
        controller.point(["23", "32"])
        assert controller.played.session.moves() == ["14x23x32"]

    run(jumps, seats="human,human", game="checkers", position="B:W18,27:B3,14")


def test_a_drag_plays_nothing_where_a_click_is_a_move():
    async def test(controller: Controller, visit: FakeVisit) -> None:
        controller.lift("a1")
        controller.point(["a1", "b2"])
        assert controller.played.session.moves() == []

    run(test, seats="human,human")


def test_whom_the_bar_believes():
    shallow, deep = Judgement(0.1, depth=3, seconds=5.0), Judgement(0.2, depth=9, seconds=0.1)
    assert deep.beats(shallow)
    assert not shallow.beats(deep)
    samples, more = Judgement(0.3, seconds=0.2), Judgement(0.4, seconds=0.3)  # depth says nothing
    assert more.beats(samples)
    assert not samples.beats(more)
    assert shallow.beats(samples)
    assert Judgement(1.0, is_proven=True).beats(deep)
    assert not deep.beats(Judgement(1.0, is_proven=True))
    assert samples.beats(None)


def test_directions_are_pushed_as_they_are_seen():
    async def test(controller: Controller, visit: FakeVisit) -> None:
        played = controller.played
        assert set(played.clicks.pushes) == set(played.clicks.next)
        (way, *_) = played.clicks.pushes
        other = {"up": "down", "down": "up", "left": "right", "right": "left"}[way]
        controller.flip()
        controller.push(other)  # the board is upside down
        assert played.session.moves()[-1] == way
        for nonsense in ("sideways", None, ["up"]):
            controller.push(nonsense)

    run(test, seats="human", game="game-2048")

    async def none(controller: Controller, visit: FakeVisit) -> None:
        assert controller.played.clicks.pushes == {}
        controller.push("up")
        assert controller.played.session.moves() == []

    run(none, seats="human,human", game="chess")


def test_who_moves_at_once_is_not_judged(monkeypatch):
    monkeypatch.setattr("zermelo.interfaces.studio.pages.play.judge.SETTLES", 0.05)

    async def test(controller: Controller, visit: FakeVisit) -> None:
        visit.asked.clear()
        controller.point(["a1"])
        await asyncio.sleep(0.01)
        controller.point(["b1"])
        await visit.rest()
        assert [message["moves"] for _, message in visit.asked] == [["a1", "b1"]]

    run(test, seats="human,human")
