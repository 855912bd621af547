"""Agents without a browser: what they think and do, what a visitor may choose, how an episode is sent and shown."""

from __future__ import annotations

from itertools import pairwise
from math import isclose
from random import Random
from typing import Any

import pytest

import zermelo
from zermelo.compile.record_game import RecordGame
from zermelo.core.game import GameError
from zermelo.interfaces.studio.catalogue import Catalogue
from zermelo.interfaces.studio.pages.agents.episode import others_move, play, think, worst
from zermelo.interfaces.studio.pages.agents.playback import (
    Drawings,
    Playback,
    compared,
    comparison_html,
    result_sentence,
    shown,
    thought_html,
)
from zermelo.interfaces.studio.pages.agents.scenario import AGENTS, MOVES, Scenario, find_scenarios, scenario_of
from zermelo.interfaces.studio.tasks import perform
from zermelo.textbook import limited_expectimax, limited_minimax, uniform


@pytest.fixture(scope="module")
def scenario() -> Scenario:
    return find_scenarios(Catalogue())["pac-man"]


def episode(message: dict[str, Any], send: Any) -> dict[str, Any]:
    def send_rest(what: dict[str, Any]) -> None:
        if "compiling" not in what.get("news", {}):
            send(what)

    return perform({**message, "task": "episode"}, send_rest)


def load(**options: Any) -> Any:
    return zermelo.load("pac-man", compiled=False, **options)


def watch(game: Any, world: Any, agent: str, depth: int, seed: int = 0) -> list[Any]:
    return [frame for _, frame in play(game, world, lambda s: int(s.score), agent, depth, seed)]


# -- agents ------------------------------------------------------------------------------------------------------------


def test_trapped_minimax_gives_up_and_expectimax_hopes():
    game = load(layout="trapped")
    s = game.start()
    action, thought = think(game, s, "minimax", 3)
    assert game.format_action(s, action) == thought.best == "east"
    assert {one.move: one.value for one in thought.worth}["east"] == -501
    action, thought = think(game, s, "expectimax", 3)
    ghosts = {1: uniform(game), 2: uniform(game)}
    assert game.format_action(s, action) == "west"
    for a, one in zip(game.actions(s), thought.worth, strict=True):
        assert one.value == limited_expectimax(game, game.succ(s, a), 3, ghosts, count="rounds")
    assert max(one.value for one in thought.worth) > -200


@pytest.mark.parametrize("layout", ["tiny", "small", "trapped"])
def test_alpha_beta_decides_like_minimax_and_looks_at_less(layout):
    game = load(layout=layout, moves=12)
    saved = 0
    for s, _ in play(game, None, lambda s: 0, "minimax", 1, 0):
        if game.player(s) != 0:
            continue
        plainly, full = think(game, s, "minimax", 2)
        quickly, cut = think(game, s, "alphabeta", 2)
        assert plainly == quickly
        assert cut.positions <= full.positions
        saved += full.positions - cut.positions
        for exact, found in zip(full.worth, cut.worth, strict=True):
            assert exact.value <= found.value if found.is_bound else exact.value == found.value
    assert saved > 0


def test_a_ghost_at_its_worst_minimizes():
    game = load(layout="trapped")
    s = game.succ(game.start(), game.actions(game.start())[0])
    values = {a: limited_minimax(game, game.succ(s, a), 2, count="rounds") for a in game.actions(s)}
    assert values[worst(game, s, 2)] == min(values.values())


def test_the_others_follow_the_odds_of_their_world():
    game, world = load(layout="open"), load(layout="open", ghosts="directional")
    s = game.succ(game.start(), game.actions(game.start())[0])
    odds = dict(world.chances(world.parse(game.format(s))))
    random = Random(1)
    seen = [others_move(game, world, s, 1, random) for _ in range(1000)]
    for action, probability in odds.items():
        assert isclose(seen.count(action) / len(seen), probability, abs_tol=0.06)


def test_there_is_no_other_agent():
    game = load(layout="tiny")
    with pytest.raises(GameError, match="no agent 'oracle'"):
        think(game, game.start(), "oracle", 1)


# -- episodes ----------------------------------------------------------------------------------------------------------


def test_pac_man_starves_on_the_score_alone():
    frames = watch(load(layout="starving", evaluation="score", moves=40), None, "minimax", 3)
    waiting = frames[1:-2]  # with the last two moves it is now or never
    assert [frame.move for frame in waiting] == ["south", "north"] * 19
    assert all(frame.score == -frame.ply for frame in waiting)


def test_pac_man_wins_with_the_better_evaluation():
    frames = watch(load(layout="starving", evaluation="better", moves=40), None, "minimax", 3)
    assert len(frames) == 11
    assert frames[-1].score == 510


def test_frames_are_the_positions_of_one_game():
    game, world = load(layout="small", moves=15), load(layout="small", moves=15, ghosts="uniform")
    frames = watch(game, world, "expectimax", 1, seed=3)
    assert frames == watch(game, world, "expectimax", 1, seed=3)
    s = game.start()
    for before, after in pairwise(frames):
        assert game.format(s) == before.position
        assert (before.thought is not None) == (game.player(s) == 0)
        assert after.mover == game.player(s)
        s = game.succ(s, game.parse_action(s, after.move))
    assert game.is_end(s)
    assert frames[-1].thought is None


def test_no_frame_is_too_large_to_be_sent_often():
    frames = watch(load(layout="medium", moves=1), None, "minimax", 1)
    assert all(len(str(frame.as_dict())) < 2000 for frame in frames)


# -- the task ----------------------------------------------------------------------------------------------------------


def message_for(scenario: Scenario, **chosen: Any) -> dict[str, Any]:
    games, seconds = chosen.pop("games", 1), chosen.pop("seconds", 20)
    setting = scenario.setting(chosen)
    return {
        "game": scenario.origin, "options": scenario.options(setting), "world": scenario.world(setting),
        "agent": setting.agent, "depth": setting.depth, "seed": setting.seed, "games": games, "seconds": seconds,
    }  # fmt: skip


def test_the_task_tells_frames_and_gives_the_result(scenario):
    sent: list[dict[str, Any]] = []
    answer = episode(message_for(scenario, layout="trapped", world="uniform", agent="minimax"), sent.append)
    assert sent[0] == {"began": True}
    frames = [frame for news in sent[1:] for frame in news["news"]["frames"]]
    assert [frame["ply"] for frame in frames] == list(range(len(frames)))
    assert answer["scores"] == [-501]
    assert (answer["wins"], answer["ending"], answer["cut_short"]) == (0, "pac-man is caught", False)


def test_the_task_compares_many_games(scenario):
    sent: list[dict[str, Any]] = []
    answer = episode(message_for(scenario, layout="trapped", world="uniform", agent="minimax", games=5), sent.append)
    assert answer["scores"] == [-501] * 5
    assert [len(news["news"]["scores"]) for news in sent[1:]] == [1, 2, 3, 4, 5]


def test_an_episode_whose_time_is_up_says_so(scenario):
    answer = episode(message_for(scenario, layout="trapped", world="uniform", seconds=0), lambda news: None)
    assert answer["cut_short"]
    assert "time on this page is spent" in result_sentence(answer)
    assert episode(message_for(scenario, layout="trapped", seconds=0, games=9), lambda news: None)["scores"] == []


def test_a_game_without_lessons_has_no_episodes():
    with pytest.raises(GameError, match="no lessons"):
        episode({"game": "tic-tac-toe", "agent": "minimax", "depth": 1, "seed": 0, "seconds": 1}, lambda news: None)


# -- what a visitor may choose -----------------------------------------------------------------------------------------


def test_what_is_not_chosen_is_as_usual(scenario):
    setting = scenario.setting({})
    assert setting.as_dict() == scenario.usual
    assert scenario.options(setting) == {
        "layout": "small",
        "evaluation": "better",
        "ghosts": "minimizers",
        "moves": MOVES,
    }
    assert scenario.world(setting) == {**scenario.options(setting), "ghosts": "directional"}
    assert scenario.world(scenario.setting({"world": "minimizers"})) is None


@pytest.mark.parametrize(
    "sent",
    [
        {"layout": "/etc/passwd"}, {"layout": "%%%\n%P%\n%%%"}, {"layout": None}, {"layout": ["small"]}, {"layout": {}},
        {"depth": 9}, {"depth": "3"}, {"depth": True}, {"depth": 2.5}, {"depth": None}, {"agent": "mcts"}, {"agent": 3},
        {"world": "nice"}, {"seed": -1}, {"seed": 1e30}, {"seed": float("nan")}, {"seed": "7"}, {"seed": None},
        {"seed": True}, {"moves": 10**9}, {"__class__": 1},
    ],
)  # fmt: skip
def test_anything_else_is_refused_in_a_sentence(scenario, sent):
    with pytest.raises(GameError):
        scenario.setting(sent)


def test_a_game_that_describes_its_lessons_wrongly_is_left_out(monkeypatch):
    monkeypatch.setattr(RecordGame, "hook", lambda game, name: lambda: {"title": "x"})
    with pytest.raises(GameError, match="not described"):
        scenario_of("x", "x", load(layout="tiny"))
    assert find_scenarios(Catalogue()) == {}


# -- the playback ------------------------------------------------------------------------------------------------------


def frames(n: int) -> list[dict[str, Any]]:
    thought = {"best": "east", "worth": [{"move": "east", "value": 1.0, "is_bound": False}], "positions": 7}
    return [
        {"ply": i, "position": "…", "score": -i, "mover": None if i == 0 else i % 2, "move": "east" if i else "",
         "thought": thought if i % 2 == 0 else None}
        for i in range(n)
    ]  # fmt: skip


def test_a_playback_runs_while_it_grows_and_stops_at_its_end():
    playback = Playback()
    assert playback.frame is None
    assert not playback.tick()
    playback.add(frames(3))
    playback.playing = True
    assert [playback.tick() for _ in range(3)] == [True, True, False]
    assert playback.playing  # more may come
    playback.add(frames(4)[3:])
    playback.complete = True
    assert [playback.tick(), playback.tick()] == [True, False]
    assert not playback.playing
    assert playback.is_at_end
    assert playback.moves() == 1
    assert playback.positions() == 14


@pytest.mark.parametrize(
    ("to", "at"), [(2, 2), (99, 4), (-3, 0), (2.0, 2), ("2", 1), (None, 1), (float("nan"), 1), (True, 1)]
)
def test_a_slider_may_say_anything(to, at):
    playback = Playback(frames(5), at=1)
    playback.go(to)
    assert playback.at == at


def test_drawings_are_kept_a_while():
    drawings = Drawings(most=1)
    game = load(layout="tiny")
    start = game.format(game.start())
    drawn = drawings.draw(game, start)
    assert drawn == game.svg(game.start())
    assert drawings.draw(load(layout="tiny"), start) is drawn
    drawings.draw(load(layout="tiny", moves=9), start.replace("left 500", "left 9"))
    again = drawings.draw(game, start)
    assert again == drawn
    assert again is not drawn  # there was no room for two


def test_captions():
    playback = Playback(frames(3), at=1, result="Caught.")
    assert playback.caption("pac-man", "the ghosts") == "Move 0 · −1 points · the ghosts, no. 1: east"
    playback.at = 2
    assert playback.caption("pac-man", "the ghosts") == "Move 1 · −2 points · pac-man: east"
    playback.complete = True
    assert playback.caption("pac-man", "the ghosts") == "Caught."


def test_thoughts_are_shown_with_bounds_and_escaped():
    worth = [{"move": "<b>", "value": -3.0, "is_bound": False}, {"move": "west", "value": -4.5, "is_bound": True}]
    html = thought_html({"best": "<b>", "worth": worth, "positions": 1})
    assert "&lt;b&gt;" in html
    assert "<b>" not in html
    assert "≤ −4.5" in html
    assert "run an episode" in thought_html(None)


def test_numbers_and_sentences():
    assert [shown(x) for x in (-501, 12.34, 0.0, -0.04)] == ["−501", "12.3", "0", "0"]
    row = compared("<minimax>", {"scores": [1, 2], "wins": 1})
    assert row["mean"] == 1.5
    assert "&lt;minimax&gt;" in comparison_html([row])
    assert comparison_html([]) == ""


def test_the_sentence_names_what_is_chosen(scenario):
    for agent in AGENTS:
        assert agent[:5] in scenario.sentence(scenario.setting({"agent": agent})).replace("-", "")
