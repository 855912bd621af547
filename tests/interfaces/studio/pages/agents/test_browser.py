"""The page of agents in a browser: both lessons, the controls of the playback, an experiment of one's own, stopping."""

from __future__ import annotations

import pytest

pytest.importorskip("selenium", reason="browser tests need selenium")

from selenium.webdriver.common.by import By

from tests.interfaces.studio import steps


def find(browser, name):
    return browser.find_element(By.CSS_SELECTOR, f'[data-testid="agents-{name}"]')


def text(browser, name):
    return browser.execute_script(f"return document.querySelector('[data-testid=\"agents-{name}\"]')?.innerText ?? ''")


def click(browser, name):
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'}); arguments[0].click()", find(browser, name))


def wait(browser, condition):
    steps.wait(browser, condition)


@pytest.fixture(scope="module")
def page(server, browser):
    browser.get(server.url + "/agents")
    wait(browser, lambda: text(browser, "says") == "Ready" and steps.is_connected(browser))
    return browser


def test_the_start_is_drawn_before_anything_runs(page):
    assert "<svg" in find(page, "board").get_attribute("innerHTML")
    assert "starves" in page.page_source
    assert "suicidal minimax" in page.page_source


def test_minimax_runs_into_the_ghost(page):
    click(page, "run-1-0")
    wait(page, lambda: "Pac-man is caught, with −501 points." in text(page, "says"))
    wait(page, lambda: "east" in text(page, "thought"))
    assert "takes it" in find(page, "thought").find_element(By.CSS_SELECTOR, "tr.z-best").text
    assert find(page, "thought").find_element(By.CSS_SELECTOR, "tr.z-best").text.startswith("east")
    assert "trapped" in text(page, "state")


def test_the_playback_goes_back_and_on(page):
    click(page, "first")
    wait(page, lambda: text(page, "says").startswith("Move 0 · 0 points"))
    click(page, "on")
    wait(page, lambda: text(page, "says").startswith("Move 1"))
    click(page, "back")
    wait(page, lambda: text(page, "says").startswith("Move 0"))
    before = find(page, "board").get_attribute("innerHTML")
    click(page, "last")
    wait(page, lambda: "caught" in text(page, "says"))
    assert find(page, "board").get_attribute("innerHTML") != before


def test_expectimax_hopes(page):
    click(page, "run-1-1")
    wait(page, lambda: "expectimax" in text(page, "state") and text(page, "says").startswith("Move"))

    def back_to_the_start() -> bool:
        click(page, "first")  # again, should the playback have begun only after the last click
        return text(page, "says").startswith("Move 0")

    wait(page, back_to_the_start)
    assert find(page, "thought").find_element(By.CSS_SELECTOR, "tr.z-best").text.startswith("west")


def test_many_games_are_compared(page):
    click(page, "compare-1-0")
    wait(page, lambda: "−501" in text(page, "compared"))
    click(page, "compare-1-1")
    wait(page, lambda: "expectimax" in text(page, "compared"))


def test_pac_man_starves_and_play_pauses(page):
    click(page, "run-0-0")
    wait(page, lambda: "score" in text(page, "state") and text(page, "says").startswith("Move 2"))
    click(page, "play")  # pause

    def at_its_end() -> bool:
        click(page, "last")  # again, while frames still come
        return text(page, "says").startswith("Time is up")

    wait(page, at_its_end)


def pick(browser, name, label):
    field = find(browser, name)
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", field)
    field.click()
    wait(browser, lambda: steps.choose(browser, ".q-menu .q-item", lambda words: words == label))
    wait(browser, lambda: not browser.find_elements(By.CSS_SELECTOR, ".q-menu"))


def test_an_own_experiment_runs_and_can_be_stopped(page):
    page.refresh()
    wait(page, lambda: text(page, "says") == "Ready" and steps.is_connected(page))
    pick(page, "depth", "4 rounds")
    wait(page, lambda: "4 rounds deep" in text(page, "state"))
    click(page, "compare")  # many games take long
    wait(page, lambda: "of 20 games played" in text(page, "state"))
    click(page, "stop")
    wait(page, lambda: not find(page, "stop").is_displayed())
    assert text(page, "compared") == ""
    click(page, "run")  # the process is free again
    wait(page, lambda: text(page, "says").startswith("Move"))
    assert "4 rounds deep" in text(page, "state")


def test_a_wrong_seed_is_complained_about(page):
    page.refresh()
    wait(page, lambda: text(page, "says") == "Ready" and steps.is_connected(page))
    field = find(page, "seed")
    field = field if field.tag_name == "input" else field.find_element(By.CSS_SELECTOR, "input")
    page.execute_script("arguments[0].scrollIntoView({block: 'center'})", field)
    field.send_keys("\b")
    wait(page, lambda: field.get_attribute("value") == "")
    click(page, "run")
    wait(page, lambda: "the seed is a number from 0" in page.page_source)
    assert text(page, "says") == "Ready"


def test_nothing_is_wider_than_a_phone(page):
    page.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
    )
    page.refresh()
    wait(page, lambda: text(page, "says") == "Ready" and steps.is_connected(page))
    assert page.execute_script("return document.documentElement.scrollWidth") <= 391
    page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
