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

WEIGHTS = "weights.safetensors"


def weights(
    subject: Annotated[
        str,
        typer.Argument(metavar="GAME|FILE", help="A game whose weights come with the package, or a file of weights."),
    ],
    option: Options = None,
    as_json: AsJson = False,
) -> None:
    """Show the card of some weights."""
    from zermelo.evaluate.files import read_weights

    path = find_weights(subject, option)
    card, _ = read_weights(path)
    if as_json:
        print_json({"file": str(path), **card.__dict__})
        return
    for line in card_lines(path, card):
        say(line)


def find_weights(subject: str, option: list[str] | None) -> Path:
    """The file: itself, the one in the folder of a training, or the one that comes with the package."""
    from zermelo.compile.record_game import RecordGame
    from zermelo.evaluate.shipped import shipped_file

    path = given_path(subject)
    if path.is_dir():
        if not (path / WEIGHTS).is_file():
            raise GameError(f"there is no {WEIGHTS} in '{path}'; a training writes it when it is finished")
        return path / WEIGHTS
    if path.suffix == ".safetensors" or (path.is_file() and path.suffix != ".py"):
        return path
    game = load_game(subject, option)
    found = shipped_file(game) if isinstance(game, RecordGame) else None
    if found is None:
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
    if trained.get("undone"):
        lines.append(f"{'undone':10} {count(len(trained['undone']), 'round')}, each halving the learning rate")
    rows = curve_of(trained)
    if rows:
        lines.append(f"strength   points a game against {trained.get('baseline', 'its baseline')}")
        lines += [f"{games:>14,} games  {points:+.3f} ± {margin:.3f}" for games, points, margin in rows]
    return lines


def curve_of(trained: dict[str, Any]) -> list[tuple[int, float, float]]:
    """(games, points, margin) as a card has them; nothing where it has none."""
    try:
        return [(int(games), float(points), float(margin)) for games, points, margin in trained.get("curve", [])]
    except (TypeError, ValueError):
        return []
