"""What a visitor says about a search, checked: which one, how long, how deep."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from zermelo.core.game import GameError
from zermelo.interfaces.studio.bounds import Bounds
from zermelo.interfaces.studio.pages.analysis.position import Position

MOST_DEPTH, MOST_SIMULATIONS = 60, 50_000_000
SAMPLED = ("mcts", "zero")  # searches that count simulations, not plies
TELLING = 3.0  # seconds to read the tree of a search that has ended


def most_seconds(bounds: Bounds) -> float:
    """Of a search: some of what the server allows is left for reading its tree."""
    return max(bounds.seconds - TELLING, bounds.seconds / 2)


def read_limits(fields: Mapping[str, Any], position: Position, bounds: Bounds) -> dict[str, Any]:
    """The limits as a task wants them (task.py); a GameError says what is wrong with a field."""
    search = fields["search"]
    if search not in position.searches:
        raise GameError("choose a search that this game has")
    seconds = _number(fields["seconds"], 0.05, most_seconds(bounds), "the seconds")
    if seconds is None:
        raise GameError("say how many seconds the search may take")
    limits: dict[str, Any] = {"search": search, "seconds": seconds}
    if search in SAMPLED:
        limits["simulations"] = _whole(fields["simulations"], MOST_SIMULATIONS, "the simulations")
    else:
        limits["depth"] = _whole(fields["depth"], MOST_DEPTH, "the depth")
    if search == "zero":
        if fields["network"] not in position.networks:
            raise GameError("choose a network")
        limits["weights"] = position.networks[fields["network"]]
    if search == "alphabeta":
        limits["evaluator"] = None if fields["learned"] else "handcrafted"
    return limits


def _number(value: object, least: float, most: float, what: str) -> float | None:
    if value is None or value == "":
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value <= most:
        raise GameError(f"{what} must be a number from {least:g} to {most:,.10g}")
    return float(value)


def _whole(value: object, most: int, what: str) -> int | None:
    number = _number(value, 1, most, what)
    return None if number is None else int(number)
