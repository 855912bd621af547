"""Endings on the page to play on: exact values, perfect moves for who asks for them, an ending played to its end."""

from __future__ import annotations

import asyncio

import pytest

from tests.interfaces.studio.fake_visit import FakeView, FakeVisit
from tests.interfaces.studio.pages.play.test_controller import program, report
from tests.solve.test_expected import position, race
from zermelo.interfaces.studio.endings import known_json, look_up, perfect_moves, without_plies
from zermelo.interfaces.studio.pages.play.advice import one_of
from zermelo.interfaces.studio.pages.play.advice_html import advice_html, moves_html
from zermelo.interfaces.studio.pages.play.controller import Controller
from zermelo.interfaces.studio.pages.play.judgement import Judgement, Judgements
from zermelo.interfaces.studio.pages.play.marks import marks_of
from zermelo.interfaces.studio.tasks import Job, Loaded
from zermelo.solve.tables.build import build_tables
from zermelo.tables.tables import find_tables
from zermelo.tables.verdict import judge

TWO_KINGS_TO_ONE = "W:WK9,K10:BK5"  # white, player 1, wins in 13 plies by 10-14
LOADED = Loaded()


@pytest.fixture(autouse=True)
def _at_once(monkeypatch, tmp_path):
    monkeypatch.setenv("ZERMELO_TABLES", str(tmp_path))  # none of the user's own: those of the package
    monkeypatch.setattr("zermelo.interfaces.studio.pages.play.judge.SETTLES", 0.0)


def as_asked(task: str, message: dict) -> dict:
    """What a search process answers."""
    return Job({"task": task, **message}, lambda news: None, LOADED).perform()


def run(test, seats: str, start: str = TWO_KINGS_TO_ONE, answer=as_asked, judging: bool = True) -> None:
    async def go() -> None:
        visit = FakeVisit(answer)
        controller = Controller(visit)  # type: ignore[arg-type]
        controller.view = FakeView()
        controller.set_pace(0)
        controller.judge.is_on = judging
        controller.open("checkers", seats, start)
        await visit.rest()
        assert visit.complaints == []
        await test(controller, visit)

    asyncio.run(go())


def told(controller: Controller) -> str:
    judged, ago = controller.played.judgements.latest(controller.played.here)
    return "" if judged is None else judged.text(ago)


@pytest.mark.jit
def test_the_value_is_exact_and_no_move_is_given_away():
    async def test(controller: Controller, visit: FakeVisit) -> None:
        assert told(controller) == "lost for player 0 in 13 plies (by the endgame tables)"
        assert [task for task, _ in visit.asked] == ["value"]
        assert controller.advice.shown is None
        assert marks_of(controller.played).arrows == ()
        assert "10-14" not in advice_html(controller.advice)
        controller.play_text("10-15")  # which draws
        await visit.rest()
        assert told(controller) == "drawn (by the endgame tables)"
        assert controller.played.judgements.values == [-1.0, 0.0]

    run(test, "human,human")


@pytest.mark.jit
def test_a_hint_shows_the_perfect_moves_and_what_every_move_is_worth():
    async def test(controller: Controller, visit: FakeVisit) -> None:
        await controller.advice.hint()
        assert [task for task, _ in visit.asked] == ["value"]  # nothing more had to be asked
        assert controller.advice.hinted == "10-14"
        assert controller.thought.numbers() == "won in 13 plies, by the endgame tables"
        assert marks_of(controller.played).arrows == (("10", "14"),)
        listed = advice_html(controller.advice)
        assert "won in 17 plies" in listed
        assert "lost in 10 plies" in listed
        assert listed.count("★") == 1
        controller.point(["9"])  # a hint is gone with the next click
        assert controller.advice.shown is None
        assert marks_of(controller.played).arrows == ()

    run(test, "human,human")


@pytest.mark.jit
def test_the_switch_shows_them_everywhere_though_nothing_is_judged():
    async def test(controller: Controller, visit: FakeVisit) -> None:
        assert visit.asked == []
        controller.advice.set_on(True)
        await visit.rest()
        assert [task for task, _ in visit.asked] == ["known"]
        assert perfect_moves(controller.advice.shown) == ["10-14"]
        controller.play_text("10-14")
        await visit.rest()
        assert told(controller) == "lost for player 0 in 12 plies (by the endgame tables)"
        assert len(visit.asked) == 2
        assert controller.advice.shown["view"] == 0
        controller.look(0)
        assert marks_of(controller.played).arrows == (("10", "14"),)  # of what has been, too
        controller.look(None)
        await controller.begin_again("W:W21,22,23,24:B1,2,3,4,5")
        await visit.rest()
        assert "in none of the endgame tables there are" in advice_html(controller.advice)
        controller.advice.set_on(False)
        assert controller.advice.shown is None

    run(test, "human,human", judging=False)


@pytest.mark.jit
def test_an_ending_played_by_hints_is_won_as_soon_as_was_said():
    async def test(controller: Controller, visit: FakeVisit) -> None:
        played, left = controller.played, 13
        while not played.session.is_over:
            await controller.advice.hint()
            worth = controller.advice.shown
            assert (worth["value"], worth["plies"] <= left) == (-1.0, True)
            left = worth["plies"] - 2  # a program that does not know better makes it shorter
            controller.play_text(perfect_moves(worth)[0])
            await visit.rest()
        assert played.session.result() == "player 1 wins"
        assert len(played.history.moves) <= 13
        assert told(controller) == "value for player 0: -1.00 (proven)"  # the game is over: nothing is looked up
        assert set(played.judgements.values) == {-1.0}

    run(test, "random,human")


def test_a_hint_where_tables_know_nothing_is_searched_for():
    def answer(task: str, message: dict) -> dict:
        if task == "known":
            return {"known": None, "unknown": "there are none"}
        told = {"value": {"report": report(0.5)}, "move": {"move": "9-13", "report": None, "note": ""}}[task]
        return {**told, "known": None, "unknown": "there are none"}

    async def test(controller: Controller, visit: FakeVisit) -> None:
        await controller.advice.hint()
        assert [task for task, _ in visit.asked] == ["value", "known", "move"]
        assert controller.advice.hinted == "9-13"
        assert marks_of(controller.played).arrows == (("9", "13"),)
        controller.advice.set_on(True)
        assert "there are none" in advice_html(controller.advice)

    run(test, "human,human", "B:W21,22,23,24:B9,2,3,4,5", answer=answer)


def test_games_that_number_no_endings_are_not_asked_about():
    async def go() -> None:
        visit = FakeVisit(program)
        controller = Controller(visit)  # type: ignore[arg-type]
        controller.view = FakeView()
        controller.judge.is_on = False
        controller.open("tic-tac-toe", "human,random", "")
        controller.advice.set_on(True)
        await visit.rest()
        assert visit.asked == []
        assert not controller.advice.has_tables

    asyncio.run(go())


@pytest.mark.jit
def test_a_damaged_table_is_told_without_its_place(tmp_path):
    job = Job({"game": "checkers", "start": TWO_KINGS_TO_ONE}, lambda news: None, Loaded())
    shipped = find_tables(job.game())
    folder = tmp_path / "checkers"
    folder.mkdir()
    for header in shipped.headers():
        (folder / f"{header.number:05d}.wdl").write_bytes(b"zermelo table 1\n and no more")
    looked = look_up(job, job.history())
    assert looked["known"] is None
    assert "cannot be read here" in looked["unknown"]
    assert str(tmp_path) not in looked["unknown"]


def test_on_average(tmp_path):
    game = race()
    tables = build_tables(game, 2, folder=tmp_path)
    rolled = game.succ(position(game, 3, 5, turn=1), 2)
    verdict = judge(tables, rolled)
    known = known_json(verdict, game, rolled)
    assert known["value"] == -verdict.worth.value
    assert known["is_average"]
    assert without_plies(known) == ""
    assert known["moves"][0]["words"] == f"{verdict.worth.value:+.4f} on average"
    judged = Judgement.of_tables(known)
    assert judged.text() == f"value for player 0: {known['value']:+.4f} (exact on average, by the endgame tables)"
    before = known_json(judge(tables, position(game, 3, 5)), game, position(game, 3, 5))
    assert not any(one["is_perfect"] for one in before["moves"])  # nobody chooses a roll


def test_what_tables_say_counts_before_what_was_searched_and_goes_on_with_the_move():
    moves = [
        {"move": "a", "words": "won", "value": 1.0, "plies": None, "is_perfect": True, "is_as_good": True},
        {"move": "b", "words": "not in the tables", "value": None, "plies": None, "is_perfect": False, "is_as_good": 0},
    ]
    known = {"view": 0, "words": "won", "value": 1.0, "plies": None, "is_average": False, "has_plies": False}
    exact = Judgement.of_tables({**known, "moves": moves})
    judged = Judgements(0)
    judged.note(0, exact)
    judged.note(0, Judgement.of(report(0.0, proof="proven", seconds=9.0)))
    assert judged.present is exact
    assert exact.text() == "won for player 0 (by the endgame tables)"
    assert "built without --distance" in moves_html(exact.known)
    judged.played("a", True)
    assert judged.present.text() == "won for player 0 (by the endgame tables)"
    assert not judged.present.is_final  # its own moves have still to be looked up
    judged.cut(0)
    judged.played("b", True)
    assert judged.present is None
    judged.settle(1, Judgement(0.0, is_proven=True))
    assert judged.values == [1.0, 0.0]


def test_moves_of_a_hint_in_words():
    assert one_of(["a"]) == "a"
    assert one_of(["a", "b", "c"]) == "a, b or c"
    assert one_of(list("abcde")) == "a, b, c, d or e"
    assert one_of(list("abcdefg")) == "a, b, c, d or 3 others"
