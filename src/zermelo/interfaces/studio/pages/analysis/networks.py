"""Networks that the page can ask: the one that comes with the package, and those of the trainings in its folder."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any

from zermelo.compile.record_game import RecordGame
from zermelo.core.game import Game, GameError
from zermelo.evaluate.tower.files import is_tower, load_tower, shipped_tower
from zermelo.evaluate.tower.sight import sight_shape
from zermelo.interfaces.studio.pages.arena.folder import list_folder

HEATS = ("policy", "visits")
SHIPPED = "comes with the package"
WEIGHTS = "weights.safetensors"
CELL = 9  # pixels of a plane's cell


def networks_for(game: Game[Any, Any], runs: str) -> dict[str, str]:
    """What a visitor may choose, and the file of each; nothing where the game shows a network nothing."""
    if not isinstance(game, RecordGame) or game.variant.policy_size is None or sight_shape(game.variant) is None:
        return {}
    shipped = shipped_tower(game)
    found = {} if shipped is None else {SHIPPED: str(shipped)}
    try:
        items = list_folder(runs)
    except GameError:
        return found
    for item in items:
        file = item.path / WEIGHTS
        if item.kind == "run" and file.is_file() and _fits(file, game):
            found[item.name] = str(file)
    return found


def _fits(file: Path, game: RecordGame) -> bool:
    try:
        if not is_tower(file):
            return False
        load_tower(file, game)
    except GameError:
        return False
    return True


def planes_html(planes: list[list[list[int]]]) -> str:
    """What a network sees, plane by plane: dark where there is something."""
    drawn = []
    for number, plane in enumerate(planes):
        height, width = len(plane), len(plane[0])
        cells = "".join(
            f'<rect x="{CELL * x}" y="{CELL * y}" width="{CELL - 1}" height="{CELL - 1}" class="{_shade(value)}"/>'
            for y, row in enumerate(plane)
            for x, value in enumerate(row)
        )
        size = f'width="{CELL * width}" height="{CELL * height}" viewBox="0 0 {CELL * width} {CELL * height}"'
        title = escape(f"plane {number}")
        drawn.append(f'<figure><svg {size} role="img" aria-label="{title}">{cells}</svg>')
        drawn.append(f"<figcaption>{number}</figcaption></figure>")
    return f'<div class="za-planes">{"".join(drawn)}</div>'


def _shade(value: int) -> str:
    return "none" if value == 0 else "some" if value > 0 else "less"


def shares_of(answer: Mapping[str, Any] | None, heat: str) -> dict[str, float]:
    """What the board shows of the moves: the policy, or how often the search went there; nothing."""
    if answer is None or heat not in HEATS:
        return {}
    key = "prior" if heat == "policy" else "visits"
    return {one["move"]: float(one.get(key) or 0.0) for one in answer["moves"]}


def has_policy(answer: Mapping[str, Any]) -> bool:
    return any(one.get("prior") is not None for one in answer["moves"])
