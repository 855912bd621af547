"""`zermelo plan`: how long a training will take on this machine, and what it will come to."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo.core.game import GameError
from zermelo.core.words import count
from zermelo.interfaces.cli.common.console import format_long, print_json, say, working
from zermelo.interfaces.cli.common.interrupts import patiently
from zermelo.interfaces.cli.common.loading import AsJson, Options, read_options
from zermelo.interfaces.cli.common.zero_training import ZERO, plan_zero
from zermelo.interfaces.cli.weights import curve_of

if TYPE_CHECKING:
    from zermelo.compile.record_game import RecordGame
    from zermelo.evaluate.files import Card
    from zermelo.learn.settings import Settings
    from zermelo.learn.speed import Speed


def plan(
    subject: Annotated[str, typer.Argument(metavar="GAME|SYSTEM", help="What would be trained.")],
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="What zero would learn.")] = None,
    seconds: Annotated[float, typer.Option("--seconds", "-s", min=0.1, max=3600, help="How long to measure.")] = 10.0,
    device: Annotated[str, typer.Option("--device", help="zero: cpu or cuda.")] = "cpu",
    option: Options = None,
    as_json: AsJson = False,
) -> None:
    """Measure this machine for some seconds, and say how long each strength will take."""
    if subject == ZERO:
        if game is None:
            raise GameError("say what the network is to learn, as in: zermelo plan zero connect-four")
        plan_zero(game, seconds, device, read_options(option), as_json)
        return
    if game is not None:
        raise GameError(f"two games are one too many: {subject} and {game} (only zero takes a game beside it)")
    with working("measuring this machine") as tell:
        from zermelo.learn.speed import measure_speed
        from zermelo.learn.train import find_subject

        system, found = find_subject(subject, read_options(option))
        settings = system.settings(found, {})
        card, w = _shipped(found, settings)
        threads = [1, cores()] if cores() > 1 else [1]
        speeds: list[Speed] = []
        for n in threads:
            tell(f"measuring this machine with {count(n, 'thread')}")
            share = seconds / len(threads)
            speeds.append(patiently(partial(measure_speed, found, settings, n, share, weights=w, system=system)))
    same = card is not None and card.trained.get("system", "") == system.name
    rows = curve_of(card.trained) if card is not None and same else []
    if as_json:
        print_json(_as_dict(found, settings, speeds, rows))
        return
    for line in plan_lines(subject, found, settings, speeds, rows, card, w is not None):
        say(line)


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _shipped(game: RecordGame, settings: Settings) -> tuple[Card | None, Any]:
    """The card of the weights that come with the package, and the weights, if they are of the shape to be trained."""
    from zermelo.evaluate.files import load_network, read_card
    from zermelo.evaluate.shipped import shipped_file

    file = shipped_file(game)
    if file is None:
        return None, None
    net = load_network(file, game)
    return read_card(file), net.w if net.hidden == settings.hidden else None


def plan_lines(
    subject: str,
    game: RecordGame,
    settings: Settings,
    speeds: list[Speed],
    rows: list[tuple[int, float, float]],
    card: Card | None,
    warm: bool,
) -> list[str]:
    shape = ", ".join(map(str, settings.hidden)) or "none"
    lines = [f"{subject}: hidden units {shape}, {count(settings.games, 'game')} by default"]
    for speed in speeds:
        how = "1 thread" if speed.threads == 1 else f"{speed.threads} threads (--actors {speed.threads})"
        lines.append(
            f"{speed.games_per_second:>10,.1f} games/s with {how}, {'trained' if warm else 'untrained'} weights"
        )
    if rows:
        assert card is not None
        lines.append(
            f"what came of the weights in the package, against {card.trained.get('baseline', 'the baseline')}:"
        )
    heads = [f"{count(s.threads, 'thread')}" for s in speeds]
    lines.append(f"{'games':>14}  {'points a game':>15}" + "".join(f"  {head:>10}" for head in heads))
    told = [(games, f"{points:+.3f} ± {margin:.3f}") for games, points, margin in rows]
    for games, strength in told or [(settings.games, "not known yet")]:
        times = "".join(f"  {format_long(speed.seconds_for(games)):>10}" for speed in speeds)
        lines.append(f"{games:>14,}  {strength:>15}{times}")
    return [*lines, "Times do not include the measuring of strength on the way."]


def _as_dict(
    game: RecordGame, settings: Settings, speeds: list[Speed], rows: list[tuple[int, float, float]]
) -> dict[str, Any]:
    return {
        "game": game.name,
        "options": game.options,
        "settings": settings.as_dict(),
        "speeds": [{"threads": s.threads, "games_per_second": s.games_per_second} for s in speeds],
        "curve": [
            {"games": g, "points": p, "margin": m, "seconds": [s.seconds_for(g) for s in speeds]} for g, p, m in rows
        ],
    }
