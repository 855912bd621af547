"""What the browser tests do on a page, in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from selenium.common.exceptions import (
    ElementClickInterceptedException,
    ElementNotInteractableException,
    NoSuchElementException,
    StaleElementReferenceException,
)
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.pointer_input import PointerInput
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

NOT_YET = (  # what a page that is still being written does to those who are too quick
    ElementClickInterceptedException,
    ElementNotInteractableException,
    NoSuchElementException,
    StaleElementReferenceException,
)
DESKTOP, PHONE = (1280, 860), (390, 844)
PATIENCE = 150  # seconds: the first search of a game compiles it


def wait(chrome: Any, until: Callable[[], Any], what: str = "") -> Any:
    """Until it is so; an element that is being replaced is looked for again."""
    return WebDriverWait(chrome, PATIENCE, 0.05, ignored_exceptions=NOT_YET).until(lambda _: until(), what)


def resize(chrome: Any, size: tuple[int, int]) -> None:
    width, height = size
    chrome.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500},
    )


def named(chrome: Any, name: str) -> Any:
    return chrome.find_element(By.CSS_SELECTOR, f'[data-testid="{name}"]')


def text_of(chrome: Any, name: str) -> str:
    return str(named(chrome, name).text)


def press(chrome: Any, name: str) -> None:
    def done() -> bool:
        named(chrome, name).click()
        return True

    wait(chrome, done, f"to press {name}")


def cell(chrome: Any, name: str) -> Any:
    return chrome.find_element(By.CSS_SELECTOR, f'[data-testid="board"] [data-at="{name}"]')


def click(chrome: Any, *names: str) -> None:
    """Click cells of the board, one after the other; a piece lies over its cell, so the pointer is moved there."""
    for name in names:

        def done(name: str = name) -> bool:
            ActionChains(chrome).move_to_element(cell(chrome, name)).click().perform()
            return True

        wait(chrome, done, f"to click {name}")


def place(chrome: Any, name: str) -> tuple[int, int]:
    """The middle of a cell in the window; the board is drawn anew while a piece is in the air, and places stay."""
    script = "const r = arguments[0].getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]"
    x, y = chrome.execute_script(script, cell(chrome, name))
    return int(x), int(y)


def drag(chrome: Any, here: str, there: str, *, touch: bool = False, half: bool = False) -> None:
    """Drag a piece from cell to cell with the mouse or a finger; `half` of the way: it is still held."""
    chrome.execute_script("arguments[0].scrollIntoView({block: 'center'})", named(chrome, "board"))
    (x, y), (x2, y2) = place(chrome, here), place(chrome, there)
    pointer = PointerInput("touch" if touch else "mouse", "finger" if touch else "mouse")
    hand = ActionBuilder(chrome, mouse=pointer, duration=60)
    hand.pointer_action.move_to_location(x, y).pointer_down()
    for part in (1, 2, 3):
        hand.pointer_action.move_to_location(x + (x2 - x) * part // 3, y + (y2 - y) * part // 3)
    if not half:
        hand.pointer_action.pointer_up()
    hand.perform()


def let_go(chrome: Any, touch: bool = False) -> None:
    pointer = PointerInput("touch" if touch else "mouse", "finger" if touch else "mouse")
    hand = ActionBuilder(chrome, mouse=pointer)
    hand.pointer_action.pointer_up()
    hand.perform()


def open_page(chrome: Any, url: str) -> None:
    """Open an address and wait until the page has found the game it will show."""
    chrome.get(url)
    wait(chrome, lambda: text_of(chrome, "status"), "the page")
    wait(chrome, lambda: "start" in text_of(chrome, "moves"), "the game")


MOVES = "return [...document.querySelectorAll('[data-testid=moves] a[data-at]')].map(a => a.textContent).slice(1)"


def moves(chrome: Any) -> list[str]:
    """The moves of the list; asked for in one go, because a game may have hundreds."""
    return list(chrome.execute_script(MOVES))


def is_connected(chrome: Any) -> bool:
    """What is clicked before the page has reached its server is lost."""
    return bool(chrome.execute_script("return window.did_handshake"))


def choose(chrome: Any, selector: str, wanted: Callable[[str], bool]) -> bool:
    """Click the element of a list whose words are wanted; was there one?"""
    for item in chrome.find_elements(By.CSS_SELECTOR, selector):
        if wanted(item.text):
            item.click()
            return True
    return False
