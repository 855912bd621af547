"""`zermelo studio`: the page to play in and to look into the search."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from zermelo.interfaces.cli.common.console import say

LOOPBACK = "127.0.0.1"


def studio(
    games: Annotated[
        list[str] | None, typer.Argument(help="Games of your own, as in mygame.py:MyGame.", show_default=False)
    ] = None,
    first: Annotated[str | None, typer.Option("--game", help="The game a new visitor sees first.")] = None,
    host: Annotated[str, typer.Option(help="The address to listen on; 0.0.0.0 lets others in.")] = LOOPBACK,
    port: Annotated[int, typer.Option(min=1, max=65535)] = 8765,
    show: Annotated[bool, typer.Option("--show/--no-show", help="Open a browser.")] = True,
    runs: Annotated[Path, typer.Option(help="Folder with training runs and records of matches.")] = Path("."),
    searches: Annotated[int | None, typer.Option(min=1, max=256, help="Searches at a time; others wait.")] = None,
    seconds: Annotated[float, typer.Option(min=0.1, max=3600, help="The longest a search may take.")] = 30.0,
    memory: Annotated[int, typer.Option(min=512, help="Megabytes a search process may use.")] = 2048,
    allow: Annotated[
        list[str] | None, typer.Option(help="A player visitors may choose besides the usual ones, as in uci:stockfish.")
    ] = None,
) -> None:
    """Play, and look inside the search, on a local page."""
    from zermelo.interfaces.studio.bounds import Bounds
    from zermelo.interfaces.studio.server import Settings, serve
    from zermelo.players.registry import check_spec

    more = {} if searches is None else {"searches": searches}
    bounds = Bounds(seconds=seconds, memory=memory, allowed=tuple(check_spec(text) for text in allow or ()), **more)
    where = f"http://{'localhost' if host in (LOOPBACK, '0.0.0.0', '::') else host}:{port}"
    settings = Settings(host, port, show, tuple(games or ()), first, str(runs), bounds)
    serve(settings, lambda: say(f"zermelo studio: {where}  (Ctrl-C ends it)"))
