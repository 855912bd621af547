"""A game of one's own on the page: checked, played, drawn from its text; a faulty one is told about."""

from __future__ import annotations

import textwrap
from urllib.parse import urlencode

import pytest
from selenium.webdriver.common.by import By

from tests.interfaces.studio.conftest import Server
from tests.interfaces.studio.steps import moves, open_page, text_of, wait

GAMES = '''
"""Two games: rules over a record, and plain Python; neither has a drawing."""
from zermelo import OVER, Game, rules


@rules(name="take-two", players=2, max_actions=2, max_plies=9)
class TakeTwo:
    """Take one or two; whoever takes the last one wins."""

    state = {"left": "i4", "turn": "i1"}

    def start(s):
        s.left = 7

    def player(s):
        return OVER if s.left == 0 else s.turn

    def actions(s, out):
        n = min(2, s.left)
        for i in range(n):
            out[i] = i + 1
        return n

    def apply(s, taken):
        s.left -= taken
        s.turn = 1 - s.turn

    def utility(s, out):
        out[s.turn] = -1
        out[1 - s.turn] = 1


class Countdown(Game):
    """Count down from five by one or two; whoever says 0 wins."""

    name = "countdown"

    def start(self):
        return (5, 0)

    def player(self, s):
        return OVER if s[0] == 0 else s[1]

    def actions(self, s):
        return [1, 2] if s[0] > 1 else [1]

    def succ(self, s, a):
        return (s[0] - a, 1 - s[1])

    def utility(self, s, player=0):
        return -1.0 if s[1] == player else 1.0
'''
FAULTY = GAMES.replace("else 1.0", "else 2.0").replace("countdown", "faulty-countdown")  # it is not zero-sum


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    folder = tmp_path_factory.mktemp("own")
    (folder / "mine.py").write_text(textwrap.dedent(GAMES), encoding="utf-8")
    (folder / "faulty.py").write_text(textwrap.dedent(FAULTY), encoding="utf-8")
    running = Server(folder, "mine.py:TakeTwo", "mine.py:Countdown", "faulty.py:Countdown")
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
