"""The server: which games, which bounds, on which address. Loopback unless told otherwise."""

from __future__ import annotations

import asyncio
import os
import secrets
import shutil
import socket
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from zermelo.compile.watchdog import RulesWatchdog, StuckCall
from zermelo.core.game import GameError
from zermelo.core.patience import raise_in
from zermelo.interfaces.studio.bounds import Bounds
from zermelo.interfaces.studio.catalogue import Catalogue
from zermelo.interfaces.studio.pages import PAGES
from zermelo.interfaces.studio.pages.play.played_game import OPPONENT
from zermelo.interfaces.studio.site import Site
from zermelo.interfaces.studio.ticket import Cancelled

LOOPBACK = "127.0.0.1"
PORT = 8765
CHECKING = 10.0  # seconds to look for faults in a game of the user's own


@dataclass(frozen=True)
class Settings:
    host: str = LOOPBACK
    port: int = PORT
    show: bool = True  # open a browser
    own: tuple[str, ...] = ()  # games of the user's own, as file.py:Name
    first: str | None = None  # the game a new visitor finds
    runs: str = "."
    bounds: Bounds = field(default_factory=Bounds)


def serve(settings: Settings, on_ready: Callable[[], None] = lambda: None) -> None:
    """Serve the pages until Ctrl-C; `on_ready` is called when nothing is wrong with the settings."""
    with tempfile.TemporaryDirectory(prefix="zermelo-studio-") as folder:
        os.environ.setdefault("NICEGUI_STORAGE_PATH", folder)  # what it keeps of visitors lasts as long as the server
        _serve(settings, on_ready, folder)


def _serve(settings: Settings, on_ready: Callable[[], None], folder: str) -> None:
    try:
        from nicegui import app, background_tasks, ui
    except ImportError:
        raise GameError("the studio needs NiceGUI: pip install 'zermelo[studio]'") from None
    from zermelo.interfaces.studio.shell import mount

    check_port(settings.host, settings.port)
    site = Site(Catalogue(settings.own), settings.bounds, settings.first, settings.runs)
    for page in PAGES:
        mount(site, page)

    async def begin() -> None:
        background_tasks.create(prepare(site), name="prepare")

    async def end() -> None:
        with suppress(asyncio.CancelledError):
            await site.pool.close()
        shutil.rmtree(folder, ignore_errors=True)  # if told to terminate, the process never comes back to serve

    @app.get("/status")
    def status() -> dict[str, int]:
        """For whoever runs the server: how busy it is."""
        pool = site.pool
        return {"running": pool.running, "waiting": len(pool.waiting), "processes": len(pool.workers)}

    RulesWatchdog(interrupt_rules)  # the rules run here, interpreted, and nothing else would while they do
    app.on_startup(begin)
    app.on_shutdown(end)
    on_ready()
    ui.run(
        host=settings.host,
        port=settings.port,
        title="zermelo",
        dark=None,
        reload=False,
        show=settings.show,
        show_welcome_message=False,
        storage_secret=secrets.token_hex(16),
        reconnect_timeout=5.0,
        favicon="♟",
    )


async def prepare(site: Site) -> None:
    """Check the games of the user's own, and compile what the first visitor will need, before there is one."""
    first = {"game": site.catalogue[site.first].origin, "player": OPPONENT}
    asked = [site.pool.submit("ready", first, seconds=5.0, urgent=False)]
    for title in site.catalogue.own:
        question = {"game": site.catalogue[title].origin, "seconds": CHECKING}
        asked.append(site.pool.submit("check", question, seconds=2 * CHECKING, urgent=False))
    for own, ticket in zip(["", *site.catalogue.own], asked, strict=True):
        try:
            found = await ticket.result()
        except Cancelled:
            return
        except GameError as problem:
            found = {"ok": False, "text": str(problem)}
        if own:
            site.checks[own] = found


def interrupt_rules(stuck: StuckCall) -> None:
    """Have a function that never comes back end with a sentence, in its own thread."""
    kind = type("Stuck", (GameError,), {"__init__": lambda self: GameError.__init__(self, stuck.sentence)})
    raise_in(stuck.thread, kind)


def check_port(host: str, port: int) -> None:
    """Say at once, in a sentence, if the address cannot be had."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as problem:
            raise GameError(f"port {port} of {host} cannot be had: {problem.strerror or problem}") from None
