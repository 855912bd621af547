"""A game of one's own on the page: checked, played, drawn from its text; a faulty one is told about."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlencode

import pytest
from selenium.webdriver.common.by import By

from tests.interfaces.studio.conftest import Server
from tests.interfaces.studio.steps import moves, open_page, text_of, wait

OWN = Path(__file__).with_name("own_games.py")  # where it stays, so that what was compiled is found again


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    folder = tmp_path_factory.mktemp("own")
    faulty = OWN.read_text(encoding="utf-8").replace("else 1.0", "else 2.0")  # it is not zero-sum
    (folder / "faulty.py").write_text(faulty.replace("countdown", "faulty-countdown"), encoding="utf-8")
    running = Server(folder, f"{OWN}:TakeTwo", f"{OWN}:Countdown", "faulty.py:Countdown")
    yield running
    assert "Traceback" not in running.close()


def choose(chrome, words: str) -> None:
    def done() -> bool:
        for button in chrome.find_elements(By.CSS_SELECTOR, '[data-testid="choice"]'):
            if button.text == words:
                button.click()
                return True
        return False

    wait(chrome, done, f"to choose {words}")


@pytest.mark.jit
@pytest.mark.parametrize(("game", "picks"), [("take-two", "1222"), ("countdown", "221")])
def test_a_game_without_a_drawing_is_played_by_its_moves(own, browser, game, picks):
    open_page(browser, f"{own.url}/?{urlencode({'game': game, 'seats': 'human,human'})}")
    assert browser.find_elements(By.CSS_SELECTOR, '[data-testid="board"] pre')
    for n, words in enumerate(picks, 1):
        choose(browser, words)
        wait(browser, lambda n=n: len(moves(browser)) == n, "the move")
    wait(browser, lambda: "wins" in text_of(browser, "status"), "the result")


@pytest.mark.jit
def test_a_program_plays_it_too_and_the_first_page_shows_it(own, browser):
    browser.switch_to.new_window("tab")  # one that has no game yet: the user's own is the first
    open_page(browser, own.url)
    assert "take" in browser.find_element(By.TAG_NAME, "body").text.lower()
    choose(browser, "1")
    wait(browser, lambda: len(moves(browser)) == 2, "the answer")
    wait(browser, lambda: "no fault was found" in text_of(browser, "checked"), "the check")


@pytest.mark.jit
def test_a_fault_in_the_rules_is_shown(own, browser):
    open_page(browser, f"{own.url}/?{urlencode({'game': 'faulty-countdown', 'seats': 'human,human'})}")
    wait(browser, lambda: "found a fault" in text_of(browser, "checked"), "the check")
