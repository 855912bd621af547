"""`zermelo weights`: what some weights are for, how they were made, and how strong they were found to be."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo.core.files import given_path
from zermelo.core.game import GameError
from zermelo.core.words import count
from zermelo.interfaces.cli.common.console import print_json, say
from zermelo.interfaces.cli.common.loading import AsJson, Options, load_game

if TYPE_CHECKING:
    from zermelo.evaluate.files import Card
    from zermelo.evaluate.tower.files import TowerCard

WEIGHTS = "weights.safetensors"


def weights(
    subject: Annotated[
        str,
        typer.Argument(metavar="GAME|FILE", help="A game whose weights come with the package, or a file of weights."),
    ],
    option: Options = None,
    as_json: AsJson = False,
) -> None:
    """Show the card of some weights; for a game, of all that come with the package."""
    from zermelo.evaluate.files import read_weights
    from zermelo.evaluate.tower.files import is_tower, read_tower

    told: list[dict[str, Any]] = []
    lines: list[str] = []
    for path in find_weights(subject, option):
        if is_tower(path):
            tower, _ = read_tower(path)
            told.append({"file": str(path), **tower.as_dict()})
            lines += tower_lines(path, tower)
        else:
            card, _ = read_weights(path)
            told.append({"file": str(path), **card.__dict__})
            lines += card_lines(path, card)
    if as_json:
        print_json({"weights": told})
        return
    for line in lines:
        say(line)


def find_weights(subject: str, option: list[str] | None) -> list[Path]:
    """The file: itself, the one in the folder of a training, or those that come with the package: of an evaluation, of
    a policy/value network."""
    from zermelo.compile.record_game import RecordGame
    from zermelo.evaluate.shipped import shipped_file
    from zermelo.evaluate.tower.files import shipped_tower

    path = given_path(subject)
    if path.is_dir():
        if not (path / WEIGHTS).is_file():
            raise GameError(f"there is no {WEIGHTS} in '{path}'; a training writes it when it is finished")
        return [path / WEIGHTS]
    if path.suffix == ".safetensors" or (path.is_file() and path.suffix != ".py"):
        return [path]
    game = load_game(subject, option)
    both = (shipped_file(game), shipped_tower(game)) if isinstance(game, RecordGame) else ()
    found = [file for file in both if file is not None]
    if not found:
        raise GameError(f"no weights for {game.name} with these options come with the package")
    return found


def card_lines(path: Path, card: Card) -> list[str]:
    from zermelo.evaluate.network import parameters

    trained = card.trained
    options = ", ".join(f"{name}={value}" for name, value in card.options.items())
    shape = " × ".join(map(str, card.sizes))
    model = "linear" if len(card.sizes) == 2 else "a network"
    payoffs = ", ".join(f"{x:g}" for x in card.levels)
    lines = [
        f"{path}  ({path.stat().st_size / 1024:,.0f} KB)",
        f"for        {card.game}{f' ({options})' if options else ''}",
        f"model      {model}, {shape}: {count(parameters(card.sizes), 'weight')}; foresees the payoffs {payoffs}",
    ]
    for name, words in (("system", "system"), ("command", "made by"), ("games", "games"), ("zermelo", "version")):
        if trained.get(name):
            value = f"{trained[name]:,}" if isinstance(trained[name], int) else trained[name]
            lines.append(f"{words:10} {value}")
    if trained.get("undone") and isinstance(trained["undone"], list):
        lines.append(f"{'undone':10} {count(len(trained['undone']), 'round')}, each halving the learning rate")
    rows = curve_of(trained)
    if rows:
        lines.append(f"strength   points a game against {trained.get('baseline', 'its baseline')}")
        lines += [f"{games:>14,} games  {points:+.3f} ± {margin:.3f}" for games, points, margin in rows]
    return lines


def tower_lines(path: Path, card: TowerCard) -> list[str]:
    """What is known about a policy/value network."""
    from zermelo.evaluate.tower.architecture import count_weights

    a, trained = card.architecture, card.trained
    options = ", ".join(f"{name}={value}" for name, value in card.options.items())
    sees = f"{a.shape[0]:,} features" if a.active else f"planes of {' × '.join(map(str, a.shape))}"
    heads = ["policy", "value", *(["owners"] if a.owners else []), *(["reply"] if a.reply else [])]
    lines = [
        f"{path}  ({path.stat().st_size / 1024:,.0f} KB)",
        f"for        {card.game}{f' ({options})' if options else ''}",
        f"model      a tower of {a.blocks} × {a.channels} over {sees}: {count(count_weights(a), 'weight')}; "
        f"heads: {', '.join(heads)}",
    ]
    for name, words in (
        ("command", "made by"), ("rounds", "rounds"), ("games", "games"), ("recorded_positions", "recorded"),
        ("simulations", "searched"), ("zermelo", "version"),
    ):  # fmt: skip
        if trained.get(name):
            value = f"{trained[name]:,}" if isinstance(trained[name], int) else trained[name]
            lines.append(f"{words:10} {value}")
    measured = trained.get("measured")
    if isinstance(measured, dict):
        lines += [
            f"{'measured' if k == 0 else '':10} {what}: {came}" for k, (what, came) in enumerate(measured.items())
        ]
    return lines


def curve_of(trained: dict[str, Any]) -> list[tuple[int, float, float]]:
    """(games, points, margin) as a card has them; nothing where it has none."""
    try:
        return [(int(games), float(points), float(margin)) for games, points, margin in trained.get("curve", [])]
    except (TypeError, ValueError):
        return []
