"""`zermelo perft`: how many lines of play there are to a depth."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from zermelo.core.game import Game
from zermelo.core.stopwatch import Stopwatch
from zermelo.core.words import count, plies
from zermelo.interfaces.cli.common.console import format_time, print_json, say, working
from zermelo.interfaces.cli.common.interrupts import patiently
from zermelo.interfaces.cli.common.loading import (
    AsJson,
    GameName,
    Options,
    Position,
    Threads,
    load_game,
    start_of,
)


def perft(
    game: GameName,
    depth: Annotated[int, typer.Argument(min=0, help="Plies.")],
    divide: Annotated[bool, typer.Option("--divide", help="Give a count for every first move.")] = False,
    position: Position = None,
    option: Options = None,
    device: Annotated[
        str | None,
        typer.Option("--device", metavar="cpu|cuda", help="Share the work out over the cores, or on a graphics card."),
    ] = None,
    threads: Threads = None,
    as_json: AsJson = False,
) -> None:
    """Count the lines of play of a given length: the rules are right when these numbers are.

    A game that ends before the depth is reached does not count; every outcome of a chance node does. Moves are
    counted, not results: a draw by rule (fifty moves, too little material) ends no line, as in published tables. With
    a device, positions that come up twice are counted below only once: fewer nodes, the same lines.
    """
    loaded = load_game(game, option)
    if threads is not None and device is None:
        device = "cpu"

    def count_lines(to: int, s: Any) -> tuple[int, int]:
        return _count(loaded, to, s) if device is None else _split(loaded, to, s, device, threads)

    start = start_of(loaded, position)
    with working(f"compiling {loaded.name}"):  # before the clock starts
        few = 1 if device is None else 2  # of which the first is spread out, before the rest is shared
        patiently(lambda: count_lines(min(depth, few), start))
        children = _first_moves(loaded, start) if divide else {}
    watch = Stopwatch()
    moves: dict[str, int] = {}
    nodes = 1
    with working(f"counting {loaded.name} to {plies(depth)}") as tell:
        if divide and depth > 0:
            for text, after in children.items():
                tell(f"counting {loaded.name} to {plies(depth)}: {text}")
                moves[text], below = patiently(lambda s=after: count_lines(depth - 1, s))  # type: ignore[misc]
                nodes += below
            lines = sum(moves.values())
        else:
            lines, nodes = patiently(lambda: count_lines(depth, start))
    seconds = watch.seconds
    if as_json:
        told: dict[str, Any] = {"game": loaded.name, "position": loaded.format(start), "depth": depth, "lines": lines}
        print_json(told | {"nodes": nodes, "seconds": seconds} | ({"moves": moves} if divide else {}))
        return
    for text, n in moves.items():
        say(f"{text}: {n:,}")
    speed = f", {nodes / seconds:,.0f} nodes/s" if seconds > 0.001 else ""
    say(
        f"{loaded.name}, {plies(depth)}: {count(lines, 'line')} ({count(nodes, 'node')}, {format_time(seconds)}{speed})"
    )


def _count(game: Game[Any, Any], depth: int, s: Any) -> tuple[int, int]:
    """(lines, nodes): by the kernel where there are rules to compile, else by plain recursion."""
    from zermelo.compile.record_game import RecordGame

    if isinstance(game, RecordGame):
        from zermelo.search.perft import perft_nodes

        return perft_nodes(game, depth, s)
    return _count_plain(game, depth, s)


def _split(game: Game[Any, Any], depth: int, s: Any, device: str, threads: int | None) -> tuple[int, int]:
    from zermelo.search.perft_split import split_perft
    from zermelo.search.searcher import need_rules

    return split_perft(need_rules(game), depth, s, device=device, threads=threads)


def _first_moves(game: Game[Any, Any], s: Any) -> dict[str, Any]:
    """Every first move, and where it leads."""
    from zermelo.compile.record_game import RecordGame

    if isinstance(game, RecordGame):
        from zermelo.search.perft import first_moves

        return first_moves(game, s)
    return {game.format_action(s, a): game.succ(s, a) for a in game.actions(s)}


def _count_plain(game: Game[Any, Any], depth: int, s: Any) -> tuple[int, int]:
    if depth == 0:
        return 1, 1
    lines, nodes = 0, 1
    for a in () if game.is_end(s) else game.actions(s):
        below = _count_plain(game, depth - 1, game.succ(s, a))
        lines, nodes = lines + below[0], nodes + below[1]
    return lines, nodes
