"""A server of its own for the tests of this folder, and Debian's Chromium to look at it with."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("nicegui", reason="the page needs NiceGUI, which is not installed")

ROOT = Path(__file__).parents[3]
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-dev-shm-usage", "--force-device-scale-factor=1",
)  # fmt: skip
IN_TESTS = ("NICEGUI_SCREEN_TEST_PORT", "PYTEST_CURRENT_TEST")  # by which NiceGUI would know that it is tested
SMALL = "tic-tac-toe"  # the game a server compiles at once, for its first visitor
STARTS = 120.0  # seconds a server may take on a busy machine


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whatever talks to a server or looks through a browser waits for other processes."""
    for item in items:
        if {"browser", "server", "narrow"} & set(getattr(item, "fixturenames", ())):
            item.add_marker("timed")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """`zermelo studio` in a process of its own."""

    def __init__(self, folder: Path, *arguments: str):
        self.port = free_port()
        self.log = folder / f"studio-{self.port}.log"
        self.temporary = folder / f"tmp-{self.port}"
        self.temporary.mkdir()
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "zermelo", "studio", "--no-show", "--port", str(self.port), *arguments],
                stdout=log, stderr=log, cwd=folder, start_new_session=True,
                env={name: value for name, value in os.environ.items() if name not in IN_TESTS}
                | {"TMPDIR": str(self.temporary)},
            )  # fmt: skip
        self.url = f"http://127.0.0.1:{self.port}"
        ends = time.monotonic() + STARTS
        while True:
            try:
                urllib.request.urlopen(self.url, timeout=5).read()
                return
            except OSError:
                if self.process.poll() is not None or time.monotonic() > ends:
                    raise AssertionError(f"the server does not answer: {self.log.read_text()[-2000:]}") from None
                time.sleep(0.2)

    def close(self) -> str:
        self.process.terminate()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
        return self.log.read_text()


def status(server: Server) -> dict[str, int]:
    """How busy a server says it is."""
    answer: dict[str, int] = json.loads(urllib.request.urlopen(f"{server.url}/status", timeout=10).read())
    return answer


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder whose trainings and tournaments the server shows; empty until a test puts something there."""
    return tmp_path_factory.mktemp("runs")


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory, runs: Path) -> Iterator[Server]:
    """One server for all tests: visitors are apart, so tests are."""
    running = Server(tmp_path_factory.mktemp("studio"), "--game", SMALL, "--runs", str(runs))
    yield running
    said = running.close()
    assert "Traceback" not in said, said[-3000:]
    assert not list(running.temporary.glob("zermelo-studio-*"))  # a server that is ended leaves nothing behind


@pytest.fixture(scope="session")
def _chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """One browser for all tests, at desktop width."""
    pytest.importorskip("selenium", reason="browser tests need selenium")
    browser, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if browser is None or driver is None:
        pytest.skip("Chromium and its driver are not installed here: pages are not tested in a browser")
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = browser
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('browser')}", "--window-size=1280,900"):
        options.add_argument(flag)
    chrome = webdriver.Chrome(options=options, service=Service(driver))
    chrome.set_page_load_timeout(60)
    yield chrome
    chrome.quit()


@pytest.fixture(scope="module")
def browser(_chromium: Any) -> Any:
    """The browser with one fresh tab: what a tab keeps, and what a visitor chose, does not go from module to module."""
    _chromium.delete_all_cookies()
    _chromium.switch_to.new_window("tab")
    fresh = _chromium.current_window_handle
    for handle in _chromium.window_handles:
        if handle != fresh:
            _chromium.switch_to.window(handle)
            _chromium.close()
    _chromium.switch_to.window(fresh)
    return _chromium
