"""The arena in a browser: a run that grows, a tournament and its games, damage, and an empty folder."""

from __future__ import annotations

import shutil

import pytest

pytest.importorskip("selenium", reason="browser tests need selenium")

from selenium.webdriver.common.by import By

from tests.interfaces.studio import steps
from tests.interfaces.studio.pages.arena.test_page import PLAYERS, make_run, tournament

__all__ = ["tournament"]


def text(browser, name):
    return browser.execute_script(f"return document.querySelector('[data-testid=\"arena-{name}\"]')?.innerText ?? ''")


def html(browser, name):
    return browser.execute_script(f"return document.querySelector('[data-testid=\"arena-{name}\"]')?.innerHTML ?? ''")


def wait(browser, condition):
    steps.wait(browser, condition)


PICK = """
for (const item of document.querySelectorAll('[data-testid^=arena-item]'))
    if (item.innerText.split('\\n').includes(arguments[0])) { item.click(); return true }
return false
"""


def choose(browser, name):
    wait(browser, lambda: browser.execute_script(PICK, name))
    wait(browser, lambda: text(browser, "main").startswith(name))


@pytest.fixture(scope="module")
def folder(runs, tournament):
    make_run(runs / "training", games=350, rows=3, seconds=10.0)
    shutil.copy(tournament, runs / "robin.jsonl")
    (runs / "broken.jsonl").write_text("this is no game\n")
    (runs / "spoilt").mkdir()
    (runs / "spoilt" / "run.json").write_text("{")
    return runs


@pytest.fixture(scope="module")
def page(server, folder, browser):
    browser.get(server.url + "/arena")
    wait(browser, lambda: len(browser.find_elements(By.CSS_SELECTOR, "[data-testid^=arena-item]")) == 4)
    return browser


def test_an_empty_folder_says_how_to_fill_it(server, browser, runs):
    assert not any(runs.iterdir())  # the other tests fill it
    browser.get(server.url + "/arena")
    wait(browser, lambda: "zermelo train" in text(browser, "empty"))
    assert "zermelo tournament" in text(browser, "empty")


def test_a_run_is_drawn_and_grows(page, folder):
    choose(page, "training")
    wait(page, lambda: "350 of 1,000 games" in text(page, "state"))
    before = html(page, "curve")
    assert "<svg" in before
    assert "+0.200 ± 0.050" in text(page, "table")
    make_run(folder / "training", games=500, rows=5, seconds=12.0)
    wait(page, lambda: "500 of 1,000 games" in text(page, "state"))
    assert html(page, "curve") != before
    assert "games/s" in html(page, "speed")


def test_a_tournament_and_one_of_its_games(page):
    choose(page, "robin.jsonl")
    wait(page, lambda: "tournament: 12 games" in text(page, "table"))
    assert all(player in text(page, "table") for player in PLAYERS)
    rows = page.find_elements(By.CSS_SELECTOR, "[data-testid=arena-games] tbody tr")
    assert len(rows) == 12
    page.execute_script("arguments[0].click()", rows[4])
    wait(page, lambda: "<svg" in html(page, "board"))
    final = html(page, "board")
    assert "1." in text(page, "moves")
    page.execute_script("document.querySelector('[data-testid=\"arena-step-1\"]').click()")
    wait(page, lambda: html(page, "board") != final)


def test_damage_is_told_in_a_sentence(page):
    choose(page, "broken.jsonl")
    wait(page, lambda: "line 1 is not a game" in text(page, "state"))
    choose(page, "spoilt")
    wait(page, lambda: "does not say which training this is" in text(page, "state"))


def test_new_games_appear_on_the_list(page, folder):
    (folder / "late.jsonl").write_text("")
    wait(page, lambda: "late.jsonl" in text(page, "list"))
