"""Pages as they look, at a desktop's and at a phone's width: nothing runs over, nothing is blank.

With ZERMELO_PICTURES=FOLDER those that the README shows are kept there:

    ZERMELO_PICTURES=docs/pictures python -m pytest tests/interfaces/studio/test_screenshots.py
"""

from __future__ import annotations

import os
import struct
import zlib
from pathlib import Path
from urllib.parse import urlencode

import pytest
from selenium.webdriver.common.by import By

from tests.interfaces.studio.steps import (
    DESKTOP,
    PHONE,
    click,
    is_connected,
    moves,
    open_page,
    press,
    resize,
    text_of,
    wait,
)

PAGES = ("/analysis?game=tic-tac-toe", "/lecture", "/agents", "/zero", "/arena")
SHOWN = ("studio-play", "studio-lecture")


def keep(chrome, name: str, tmp_path: Path) -> bytes:
    picture = chrome.get_screenshot_as_png()
    folder = os.environ.get("ZERMELO_PICTURES") if name in SHOWN else None
    (Path(folder) if folder else tmp_path).joinpath(f"{name}.png").write_bytes(picture)
    return picture


def colours(png: bytes) -> int:
    """How many different bytes the picture holds: a blank page has few."""
    at, data = 8, b""
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at : at + 8])
        if kind == b"IDAT":
            data += png[at + 8 : at + 8 + length]
        at += 12 + length
    return len(set(zlib.decompress(data)))


def overflow(chrome) -> int:
    """Pixels by which the page is wider than the window."""
    return int(chrome.execute_script("return document.documentElement.scrollWidth - window.innerWidth"))


@pytest.fixture(autouse=True)
def _as_before(browser):
    yield
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.jit
def test_the_play_page(server, browser, tmp_path):
    resize(browser, DESKTOP)
    open_page(browser, f"{server.url}/?{urlencode({'game': 'connect-four', 'seats': 'human,alphabeta:seconds=0.3'})}")
    for n, cell in enumerate(("d1", "d3", "c1"), 1):
        click(browser, cell)
        wait(browser, lambda n=n: len(moves(browser)) == 2 * n and text_of(browser, "status") == "your move")
    press(browser, "hint")
    wait(browser, lambda: "hint: " in text_of(browser, "status"), "the hint")
    wait(browser, lambda: "value for player 0" in text_of(browser, "value"))
    assert colours(keep(browser, "studio-play", tmp_path)) > 100
    assert overflow(browser) <= 0
    resize(browser, PHONE)
    wait(browser, lambda: overflow(browser) <= 0, "the page to fit a phone")
    board = browser.find_element(By.CSS_SELECTOR, '[data-testid="board"] svg').rect
    assert 300 < board["width"] <= 390
    assert colours(keep(browser, "studio-play-phone", tmp_path)) > 100


def test_the_lecture_at_its_cut(server, browser, tmp_path):
    resize(browser, DESKTOP)
    browser.get(f"{server.url}/lecture")
    wait(browser, lambda: "step 0 / 27" in browser.find_element(By.TAG_NAME, "body").text, "game 1")
    wait(browser, lambda: is_connected(browser), "the server")
    for _ in range(24):
        press(browser, "lecture-next")
    wait(browser, lambda: text_of(browser, "lecture-step") == "step 24 / 27", "the last of these steps")
    wait(browser, lambda: "Cut C > b" in browser.find_element(By.TAG_NAME, "body").text, "the cut")
    assert colours(keep(browser, "studio-lecture", tmp_path)) > 60


@pytest.mark.parametrize("path", PAGES)
def test_every_other_page_fits(server, browser, tmp_path, path):
    resize(browser, DESKTOP)
    browser.get(server.url + path)
    name = path.strip("/").partition("?")[0]
    for size in (DESKTOP, PHONE):
        resize(browser, size)
        wait(browser, lambda: len(browser.find_element(By.CSS_SELECTOR, ".z-page").text) > 40, "the page")
        wait(browser, lambda: overflow(browser) <= 0, "the page to fit")
        assert colours(keep(browser, f"studio-{name}-{size[0]}", tmp_path)) > 60
