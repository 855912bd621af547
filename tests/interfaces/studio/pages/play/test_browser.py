"""Whole games on the Play page, in a real browser."""

from __future__ import annotations

import json
from urllib.parse import urlencode

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.interfaces.studio.conftest import status
from tests.interfaces.studio.steps import (
    PHONE,
    cell,
    click,
    drag,
    let_go,
    moves,
    named,
    open_page,
    place,
    press,
    resize,
    text_of,
    wait,
)
from zermelo.core.game import OVER
from zermelo.core.history import History
from zermelo.core.registry import load
from zermelo.interfaces.studio.pages.play.clicks import ClickSequence


def address(server, **asked: str) -> str:
    return f"{server.url}/?{urlencode(asked)}"


def replay(name: str, played: list[str], position: str | None = None) -> History:
    game = load(name, compiled=False)
    history = History(game, None if position is None else game.parse(position))
    for text in played:
        history.play(game.parse_action(history.state, text))
    return history


def play_on(chrome, name: str, choose, position: str | None = None, most: int = 60) -> list[str]:
    """Play with the mouse until the game is over; `choose(history, clicks)` gives the cells of a move."""
    history = replay(name, [], position)

    def our_turn() -> bool:
        for text in moves(chrome)[len(history.moves) :]:
            history.play(history.game.parse_action(history.state, text))
        return history.player() in (0, OVER)

    for _ in range(most):
        wait(chrome, our_turn, "our turn")
        if history.is_over:
            break
        for each in choose(history, ClickSequence(history)):
            if chrome.find_elements(By.CSS_SELECTOR, f'[data-testid="cell-{each}"]'):
                press(chrome, f"cell-{each}")
            else:
                click(chrome, each)
        before = len(history.moves)
        wait(chrome, lambda before=before: len(moves(chrome)) > before, "the move to be played")
    wait(chrome, lambda: is_over(chrome), "the result")
    return moves(chrome)


def is_over(chrome) -> bool:
    said = text_of(chrome, "status")
    return "wins" in said or "drawn" in said or "over" in said


def first_way(history, clicks):
    return clicks.ways[0][0]


def test_a_whole_game_of_tic_tac_toe_between_two_people(server, browser):
    open_page(browser, address(server, game="tic-tac-toe", seats="human,human"))
    click(browser, "a1", "a2", "b1", "b2", "c1")
    wait(browser, lambda: text_of(browser, "status") == "player 0 wins")
    assert moves(browser) == ["a1", "a2", "b1", "b2", "c1"]
    wait(browser, lambda: "+1.00" in text_of(browser, "value"))


def test_a_whole_game_of_connect_four_against_a_level(server, browser):
    open_page(browser, address(server, game="connect-four", seats="human,level=1"))
    played = play_on(browser, "connect-four", first_way)
    assert replay("connect-four", played).is_over
    assert len(played) >= 7


def test_take_back_hint_flip_and_the_past(server, browser):
    open_page(browser, address(server, game="tic-tac-toe", seats="human,random"))
    press(browser, "hint")
    wait(browser, lambda: "hint: " in text_of(browser, "status"), "a hint")
    assert "value" in text_of(browser, "thought")
    click(browser, "b2")
    wait(browser, lambda: len(moves(browser)) == 2, "the answer")
    press(browser, "back")
    wait(browser, lambda: moves(browser) == [], "the move taken back")
    click(browser, "b2")
    wait(browser, lambda: len(moves(browser)) == 2, "the answer")
    browser.find_element(By.CSS_SELECTOR, '[data-testid="moves"] a[data-at="1"]').click()
    press(browser, "branch")  # go on from there: the program answers anew
    wait(browser, lambda: len(moves(browser)) == 2 and text_of(browser, "status") == "your move")
    before = cell(browser, "a1").location["y"]
    press(browser, "flip")
    wait(browser, lambda: cell(browser, "a1").location["y"] < before, "the board turned over")


def test_chess_with_a_promotion_by_drag_and_a_mate(server, browser):
    position = "7k/4P3/6K1/8/8/8/8/8 w - - 0 1"
    open_page(browser, address(server, game="chess", seats="human,human", position=position))
    drag(browser, "e7", "e8")
    wait(browser, lambda: named(browser, "cell-=Q"), "the pieces to choose from")
    assert {button.text for button in browser.find_elements(By.CSS_SELECTOR, '[data-testid^="cell-="]')} == {
        "=Q", "=R", "=B", "=N",
    }  # fmt: skip
    press(browser, "cell-=Q")
    wait(browser, lambda: text_of(browser, "status") == "player 0 wins")
    assert moves(browser) == ["e8=Q#"]


DRAWN_ANEW = """
const old = document.querySelector('.z-board svg'), copy = old.cloneNode(true)
for (const shape of copy.querySelectorAll('.z-left')) shape.classList.remove('z-left')
old.replaceWith(copy)
"""


def test_a_piece_is_lifted_follows_the_pointer_and_shows_where_it_may_go(server, browser):
    open_page(browser, address(server, game="chess", seats="human,human"))
    drag(browser, "g1", "e5", half=True)
    wait(browser, lambda: browser.page_source.count('class="target"') == 2, "the targets")

    def is_at_the_pointer():
        lifted = browser.find_element(By.CSS_SELECTOR, "svg.z-lifted .man").rect
        return abs(lifted["x"] + lifted["width"] / 2 - place(browser, "e5")[0]) < 5

    wait(browser, is_at_the_pointer, "the piece at the pointer")
    wait(browser, lambda: browser.find_element(By.CSS_SELECTOR, ".z-board .z-left"), "the place it has left")
    browser.execute_script(DRAWN_ANEW)
    wait(browser, lambda: browser.find_element(By.CSS_SELECTOR, ".z-board .z-left"), "the place on the new board")
    let_go(browser)
    wait(browser, lambda: "no legal move goes from g1 to e5" in text_of(browser, "status"), "the reason")
    assert not browser.find_elements(By.CSS_SELECTOR, ".z-lifted")
    drag(browser, "g1", "f3")
    wait(browser, lambda: moves(browser) == ["Nf3"], "the move")
    assert "no legal" not in text_of(browser, "status")


def test_a_finger_drags_pieces_and_not_the_page(server, browser):
    resize(browser, PHONE)
    browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    try:
        open_page(browser, address(server, game="chess", seats="human,human"))
        drag(browser, "e7", "e5", touch=True)  # not its turn: nothing happens, and nothing scrolls
        before = browser.execute_script("return scrollY")
        drag(browser, "d2", "d4", touch=True)
        wait(browser, lambda: moves(browser) == ["d4"], "the move")
        assert browser.execute_script("return scrollY") == before
    finally:
        browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_what_a_level_thought_stays_and_what_may_not_move_is_told_why(server, browser):
    open_page(browser, address(server, game="connect-four", seats="human,level=3"))
    click(browser, "d1")
    wait(browser, lambda: len(moves(browser)) == 2, "the answer")
    wait(browser, lambda: "depth 2 · value" in text_of(browser, "thought"), "what it thought")
    assert text_of(browser, "thinker") == f"player 1 (level=3): {moves(browser)[1]}"
    assert len(text_of(browser, "line").split()) >= 2
    open_page(browser, address(server, game="checkers", seats="human,human", position="B:W22,17,32:B14,6,K2,K3"))
    click(browser, "6")
    wait(browser, lambda: "a capture must be made: 14x21" in text_of(browser, "status"), "the reason")
    wait(browser, lambda: "value for player 0" in text_of(browser, "value"), "a value where one move is legal")


@pytest.mark.jit
def test_an_ending_that_tables_know(server, browser):
    open_page(browser, address(server, game="checkers", seats="human,human", position="W:WK9,K10:BK5"))
    exact = "lost for player 0 in 13 plies (by the endgame tables)"
    wait(browser, lambda: text_of(browser, "value") == exact, "the exact value")
    assert "10-14" not in text_of(browser, "advised")
    press(browser, "hint")
    wait(browser, lambda: "hint: 10-14" in text_of(browser, "status"), "the hint")
    assert "★ 10-14 won in 13 plies" in " ".join(text_of(browser, "advised").split("\n"))
    click(browser, "10", "14")
    wait(browser, lambda: "lost for player 0 in 12 plies" in text_of(browser, "value"), "the value after it")
    press(browser, "perfect")
    wait(browser, lambda: "each move as player 0 sees it" in text_of(browser, "advised"), "the moves")
    open_page(browser, address(server, game="tic-tac-toe", seats="human,human"))
    wait(browser, lambda: not named(browser, "advised").is_displayed(), "nothing about tables where there are none")


def test_a_whole_game_of_chess_typed_and_clicked(server, browser):
    open_page(browser, address(server, game="chess", seats="human,human"))
    click(browser, "f2", "f3", "e7", "e5")
    box = named(browser, "typed").find_element(By.XPATH, "./ancestor-or-self::input | .//input")
    box.send_keys("nonsense", Keys.ENTER)
    wait(browser, lambda: "nonsense" in browser.find_element(By.CSS_SELECTOR, ".q-notification").text, "a complaint")
    box.send_keys(Keys.CONTROL, "a")
    box.send_keys("g4", Keys.ENTER)
    wait(browser, lambda: moves(browser) == ["f3", "e5", "g4"])
    click(browser, "d8", "h4")
    wait(browser, lambda: text_of(browser, "status") == "player 1 wins")
    assert moves(browser)[-1] == "Qh4#"


def test_checkers_with_a_multiple_jump_to_the_end(server, browser):
    position = "B:W18,27:B3,14"
    open_page(browser, address(server, game="checkers", seats="human,human", position=position))
    click(browser, "14", "23")
    wait(browser, lambda: browser.page_source.count("rim white") == 1, "the first man jumped to be gone")
    click(browser, "32")
    wait(browser, lambda: text_of(browser, "status") == "player 0 wins")
    assert moves(browser) == ["14x23x32"]


def test_a_game_of_backgammon_is_borne_off(server, browser):
    # Both sides have two checkers left: some rolls and plays, and the game is over.
    start = "AwAAgAEAAAAAAA:0:-"
    open_page(browser, address(server, game="backgammon", seats="human,random", position=start))
    played = play_on(browser, "backgammon", first_way, start)
    assert replay("backgammon", played, start).is_over
    assert "off" in " ".join(played)


@pytest.mark.slow
def test_a_whole_game_of_backgammon(server, browser):
    open_page(browser, address(server, game="backgammon", seats="human,level=2"))
    played = play_on(browser, "backgammon", lambda history, clicks: clicks.ways[-1][0], most=300)
    assert replay("backgammon", played).is_over


def test_positions_and_records_are_pasted(server, browser):
    open_page(browser, address(server, game="tic-tac-toe", seats="human,human"))
    click(browser, "b2")
    wait(browser, lambda: moves(browser) == ["b2"])
    press(browser, "record")
    box = wait(browser, lambda: named(browser, "record-text"))
    area = box if box.tag_name == "textarea" else box.find_element(By.CSS_SELECTOR, "textarea")
    record = json.loads(area.get_attribute("value"))
    assert record["moves"] == ["b2"]
    area.send_keys(Keys.CONTROL, "a")
    area.send_keys('{"broken')
    press(browser, "record-take")
    wait(browser, lambda: "JSON" in browser.find_element(By.TAG_NAME, "body").text, "a complaint")
    area.send_keys(Keys.CONTROL, "a")
    area.send_keys(json.dumps({**record, "moves": ["a1", "b2", "c3"]}))
    press(browser, "record-take")
    wait(browser, lambda: moves(browser) == ["a1", "b2", "c3"])
    browser.refresh()
    wait(browser, lambda: moves(browser) == ["a1", "b2", "c3"], "the tab's game after reloading")


@pytest.mark.jit
def test_a_program_is_told_to_move_now_and_two_programs_are_watched(server, browser):
    open_page(browser, address(server, game="connect-four", seats="alphabeta:seconds=25,human"))
    wait(browser, lambda: "depth" in text_of(browser, "thought"), "the search")
    press(browser, "stop")
    wait(browser, lambda: len(moves(browser)) == 1, "its move")
    open_page(browser, address(server, game="tic-tac-toe", seats="random,random"))
    wait(browser, lambda: len(moves(browser)) >= 1, "the first move")
    press(browser, "pause")
    wait(browser, lambda: named(browser, "pause").text.lower().endswith("go on"), "the pause")
    press(browser, "pause")
    wait(browser, lambda: is_over(browser), "the end")


@pytest.mark.jit
def test_leaving_the_page_ends_its_search(server, browser):
    open_page(browser, address(server, game="connect-four", seats="alphabeta:seconds=28,human"))
    wait(browser, lambda: "depth" in text_of(browser, "thought"), "the search")
    assert status(server)["running"] >= 1  # the page before may still have its last position judged
    browser.get("about:blank")
    wait(browser, lambda: status(server)["running"] == 0, "the search to end")
    open_page(browser, server.url)  # and who comes back finds the game
    wait(browser, lambda: "depth" in text_of(browser, "thought"), "the search anew")
    press(browser, "pause")
