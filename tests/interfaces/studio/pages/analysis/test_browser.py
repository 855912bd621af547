"""The page of analysis in a real browser: search, open nodes, see values, bounds and visits."""

from __future__ import annotations

from urllib.parse import quote

import pytest

pytest.importorskip("selenium", reason="browser tests need selenium")
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.interfaces.studio import steps

WON = "xo. .x. ..o"


def find(browser, name: str, within: str = ""):
    return browser.find_element(By.CSS_SELECTOR, f'[data-testid="analysis-{name}"] {within}'.strip())


def text(browser, name: str) -> str:
    """Read in one step: the page may be writing it anew at this moment."""
    return browser.execute_script(
        "const at = document.querySelector(arguments[0]); return at ? at.innerText : ''",
        f'[data-testid="analysis-{name}"]',
    )


def row(browser, path: str) -> str:
    return browser.execute_script(
        "const at = document.querySelector(arguments[0]); return at ? at.innerText.replaceAll('\\n', ' ') : ''",
        f'[data-testid="analysis-tree"] [data-path="{path}"]',
    )


def click(browser, selector: str) -> None:
    browser.execute_script("document.querySelector(arguments[0]).click()", selector)


def until(browser, condition, message: str = "") -> None:
    steps.wait(browser, condition, message)


def look(browser, server, game: str, position: str | None = None) -> None:
    browser.get(f"{server.url}/analysis?game={game}" + (f"&position={quote(position)}" if position else ""))
    until(browser, lambda: "<svg" in (find(browser, "board").get_attribute("innerHTML") or ""), "no board")


def choose(browser, words: str) -> None:
    """Choose a search by some of its words."""
    find(browser, "search").click()
    until(browser, lambda: steps.choose(browser, ".q-item", lambda item: words in item))
    shown = lambda: text(browser, "search") + (find(browser, "search").get_attribute("value") or "")  # noqa: E731
    until(browser, lambda: words in shown())


def search(browser) -> None:
    click(browser, '[data-testid="analysis-go"]')
    until(browser, lambda: row(browser, "r.0"), "no tree")


def test_alphabeta_opens(server, browser):
    look(browser, server, "tic-tac-toe", WON)
    assert "Player 0 is to move" in text(browser, "turn")
    search(browser)
    assert "worth 1 (proven" in text(browser, "summary")
    assert "player 0's view" in text(browser, "view")
    moves = browser.find_elements(By.CSS_SELECTOR, '[data-testid="analysis-moves"] tbody tr')
    assert len(moves) == 5
    assert "= 1 proven" in moves[0].text
    assert "= 1" in row(browser, "r.0")
    assert "[−∞, ∞]" in row(browser, "r.0")
    assert not row(browser, "r.0.0")
    board = find(browser, "board").get_attribute("innerHTML")
    ActionChains(browser).move_to_element(moves[1]).perform()  # pointing at a move shows it
    until(browser, lambda: find(browser, "board").get_attribute("innerHTML") != board)
    ActionChains(browser).move_to_element(find(browser, "summary")).perform()
    until(browser, lambda: find(browser, "board").get_attribute("innerHTML") == board)
    click(browser, '[data-path="r.0"]')
    until(browser, lambda: row(browser, "r.0.0"))
    assert "= 1" in row(browser, "r.0.0")
    until(browser, lambda: text(browser, "turn").startswith("The position after"))
    until(browser, lambda: find(browser, "drawing").get_attribute("innerHTML").count("zermelo-tree") >= 1)
    browser.find_element(By.CSS_SELECTOR, '[data-path="r.0"]').send_keys(Keys.ENTER)  # and by the keyboard
    until(browser, lambda: not row(browser, "r.0.0"))
    click(browser, '[data-testid="analysis-moves"] tbody tr:nth-child(3)')
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, '[data-path="r.2"][aria-expanded="true"]'))


def test_a_click_on_the_drawing_opens(server, browser):
    look(browser, server, "tree")
    search(browser)
    until(browser, lambda: find(browser, "drawing").find_elements(By.CSS_SELECTOR, "#n-2"))
    find(browser, "drawing", "#n-2 .value").click()
    until(browser, lambda: row(browser, "r.2.1"))
    assert "[1, ∞]" in row(browser, "r.2")
    assert "≤ −5" in row(browser, "r.2")
    assert "α-cut" in row(browser, "r.2.1")
    decoration = "return getComputedStyle(document.querySelector('[data-path=\"r.2.1\"] .za-move')).textDecorationLine"
    assert browser.execute_script(decoration) == "line-through"


def test_mcts_shows_visits_and_goes_deeper(server, browser):
    look(browser, server, "tic-tac-toe")
    choose(browser, "Monte Carlo")
    until(browser, lambda: find(browser, "simulations").send_keys("60") is None)
    search(browser)
    assert "60 visits" in row(browser, "r")
    assert "visits" in row(browser, "r.0")
    assert "≈" in row(browser, "r.0")
    path = "r.0"
    while row(browser, f"{path}.0") or "▹" not in row(browser, path):  # down to where nothing is known
        click(browser, f'[data-path="{path}"]')
        until(browser, lambda path=path: row(browser, f"{path}.0"))
        path += ".0"
    click(browser, f'[data-path="{path}"]')
    until(browser, lambda: "from a new search" in text(browser, "tree") and row(browser, f"{path}.0"))


def test_the_game_on_the_page_to_play_on(server, browser):
    browser.get(f"{server.url}/?game=nim&seats=human,human")
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, ".z-board svg"), "no board to play on")
    browser.get(f"{server.url}/analysis")
    until(browser, lambda: find(browser, "mine").is_displayed())
    until(browser, lambda: find(browser, "game").get_attribute("value") == "nim" or "nim" in text(browser, "game"))


def test_looking_further(server, browser):
    look(browser, server, "tic-tac-toe", WON)
    search(browser)
    click(browser, '[data-path="r.0"]')
    until(browser, lambda: find(browser, "here").is_displayed())
    click(browser, '[data-testid="analysis-here"]')
    until(browser, lambda: "after 1 move" in text(browser, "turn"))
    assert "Player 1" in text(browser, "turn")
    click(browser, '[data-testid="analysis-back"]')
    until(browser, lambda: text(browser, "turn") == "Player 0 is to move")


def test_wrong_words_are_answered_with_sentences(server, browser):
    look(browser, server, "no-such-game")
    until(browser, lambda: "there is no game 'no-such-game'" in browser.page_source)
    look(browser, server, "tic-tac-toe", WON)
    field = find(browser, "position")
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys("<b>nonsense</b>", Keys.ENTER)
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, ".q-notification"))
    assert "Player 0" in text(browser, "turn")
    seconds = find(browser, "seconds")
    seconds.send_keys(Keys.CONTROL, "a")
    seconds.send_keys("1e9")
    click(browser, '[data-testid="analysis-go"]')
    until(browser, lambda: "the seconds must be a number" in browser.page_source)


def test_cancel(server, browser):
    look(browser, server, "connect-four")
    seconds = find(browser, "seconds")
    seconds.send_keys(Keys.CONTROL, "a")
    seconds.send_keys("20")
    click(browser, '[data-testid="analysis-go"]')
    until(browser, lambda: "depth 1" in text(browser, "status"), "no news")
    click(browser, '[data-testid="analysis-cancel"]')
    until(browser, lambda: "cancelled" in text(browser, "status"))
    assert not row(browser, "r")
