"""The server: which games, which bounds, on which address. Loopback unless told otherwise."""

from __future__ import annotations

import asyncio
import importlib
import secrets
import socket
from contextlib import suppress
from dataclasses import dataclass, field

from zermelo.core.game import GameError
from zermelo.interfaces.studio.bounds import Bounds
from zermelo.interfaces.studio.catalogue import Catalogue

PAGE_MODULES = ("play", "inside", "lecture", "agents", "arena")
LOOPBACK = "127.0.0.1"
PORT = 8765


@dataclass(frozen=True)
class Settings:
    host: str = LOOPBACK
    port: int = PORT
    show: bool = True  # open a browser
    own: tuple[str, ...] = ()  # games of the user's own, as file.py:Name
    first: str | None = None  # the game a new visitor finds
    runs: str = "."
    bounds: Bounds = field(default_factory=Bounds)


def serve(settings: Settings) -> None:
    """Serve the pages until Ctrl-C."""
    try:
        from nicegui import app, ui
    except ImportError:
        raise GameError("the studio needs NiceGUI: pip install 'zermelo[studio]'") from None
    from zermelo.interfaces.studio.pool import Pool
    from zermelo.interfaces.studio.shell import Studio

    check_port(settings.host, settings.port)
    Studio.bounds = settings.bounds
    Studio.catalogue = Catalogue(settings.own)
    Studio.first = Studio.catalogue[settings.first or Studio.catalogue.titles[0]].title
    Studio.runs = settings.runs
    for name in PAGE_MODULES:
        importlib.import_module(f"zermelo.interfaces.studio.{name}")

    async def begin() -> None:
        Studio.pool = Pool(settings.bounds)

    async def end() -> None:
        with suppress(asyncio.CancelledError):
            await Studio.pool.close()

    app.on_startup(begin)
    app.on_shutdown(end)
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


def check_port(host: str, port: int) -> None:
    """Say at once, in a sentence, if the address cannot be had."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as problem:
            raise GameError(f"port {port} of {host} cannot be had: {problem.strerror or problem}") from None
