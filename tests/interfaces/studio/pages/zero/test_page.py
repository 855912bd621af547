"""The page of Zero: stages as they come, what is drawn of them, and a training that is stopped."""

from __future__ import annotations

import asyncio

import pytest

from tests.experiments.test_zero import Pretender
from tests.interfaces.studio.fake_visit import FakeView, FakeVisit
from zermelo.core.game import GameError
from zermelo.core.registry import load
from zermelo.interfaces.studio.pages.zero.controller import Controller, games_of
from zermelo.interfaces.studio.pages.zero.pictures import board_html, curve_svg, example_words, figures_html
from zermelo.interfaces.studio.tasks import perform

GAME = "tic-tac-toe"


def stage(rounds: int, right: float) -> dict:
    moves = [
        {"move": "b2", "policy": right, "visits": 0.9, "keeps": True},
        {"move": "a1", "policy": 1 - right, "visits": 0.1, "keeps": False},
    ]
    example = {"position": "..x ... ...", "truth": 0.0, "judged": -0.2, "searched": 0.1, "moves": moves}
    return {
        "rounds": rounds, "of": 40, "games": 9 * rounds, "updates": rounds, "seconds": 1.0 * rounds, "loss": 1.0,
        "policy_right": right, "search_right": 0.9, "policy_error": 0.5, "search_error": 0.1, "examples": [example],
    }  # fmt: skip


def opened(answer) -> tuple[Controller, FakeVisit]:
    visit = FakeVisit(answer)
    controller = Controller(visit, games_of(visit.site))
    controller.view = FakeView()
    return controller, visit


def test_small_games_are_offered():
    controller, visit = opened(lambda task, message: {})
    assert GAME in controller.games
    assert "go" not in controller.games
    assert controller.title == controller.games[0]
    visit.complaints.clear()
    controller.choose("go")
    assert controller.title != "go"


def test_stages_are_shown_as_they_come():
    def answer(task, message):
        assert task == "zero_lesson"
        assert message["seconds"] < visit.site.bounds.seconds
        for one in (stage(0, 0.3), stage(5, 0.8)):
            visit.tickets[-1].hear({"stage": one})
        return {"figures": [["games of self-play", "4.9 million", "45"]], "finished": True}

    controller, visit = opened(answer)
    asyncio.run(controller.begin())
    assert [one["rounds"] for one in controller.stages] == [0, 5]
    assert controller.at == 1
    assert controller.state == "Finished."
    assert not controller.is_busy
    controller.go(0)
    assert controller.at == 0
    for wrong in (7, -1, True, "1", None):
        controller.go(wrong)
        assert controller.at == 0


def test_what_goes_wrong_is_told():
    def answer(task, message):
        raise GameError("networks over planes need JAX")

    controller, visit = opened(answer)
    asyncio.run(controller.begin())
    assert visit.complaints == ["networks over planes need JAX"]
    assert controller.state == "Stopped."
    assert not controller.is_busy


def test_a_training_that_was_stopped_says_no_more():
    def answer(task, message):
        controller.stop()
        visit.tickets[-1].hear({"stage": stage(5, 0.5)})
        return {"figures": [], "finished": True}

    controller, visit = opened(answer)
    asyncio.run(controller.begin())
    assert controller.stages == []
    assert controller.state == "Stopped."


def test_pictures():
    stages = [stage(0, 0.3), stage(40, 0.8)]
    drawn = curve_svg(stages, 1)
    assert drawn.count("<path") == 2
    assert drawn.count("<circle") == 2 * 2 + 2
    assert curve_svg([], 0).startswith("<svg")
    board = board_html(load(GAME, compiled=False), stages[0]["examples"][0], "policy")
    assert board.count('class="heat"') == 2
    assert ">70<" in board
    truth, before, after = example_words(stages[0]["examples"][0])
    assert truth == "In truth drawn for whoever moves; the only right move is b2."
    assert (before, after) == ("value −0.20", "value +0.10")
    assert "4.9 million" in figures_html([["games", "4.9 million", "45 <"]])
    assert "45 &lt;" in figures_html([["games", "4.9 million", "45 <"]])


@pytest.mark.jit
def test_the_task(monkeypatch):
    pytest.importorskip("jax")
    monkeypatch.setattr("zermelo.learn.zero.trainer.Trainer", Pretender)
    monkeypatch.setattr("zermelo.interfaces.studio.pages.zero.task.ASKED", 10)
    news: list[dict] = []
    message = {"task": "zero_lesson", "game": GAME, "options": {}, "rounds": 4, "every": 2, "seed": 1, "seconds": 60}
    answer = perform(message, news.append)
    stages = [one["news"]["stage"] for one in news if "stage" in one.get("news", {})]
    assert [one["rounds"] for one in stages] == [0, 2, 4]
    assert {"began": True} in news
    assert answer["finished"]
    assert answer["figures"][1][2] == "20"  # games
    short = perform({**message, "seconds": 0}, news.append)
    assert not short["finished"]
