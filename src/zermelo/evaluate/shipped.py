"""The weights that come with the package, one file a game: `weights/NAME.safetensors`.

How each was made stands in its card: `zermelo weights NAME` shows it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from zermelo.compile.evaluator import HANDCRAFTED
from zermelo.compile.record_game import RecordGame
from zermelo.core.game import GameError, shorten
from zermelo.evaluate.files import load_network, read_card
from zermelo.evaluate.network import Network, need_fit

FOLDER = Path(__file__).parent / "weights"


def shipped_file(game: RecordGame) -> Path | None:
    """The weights for this game with these very options, if there are any."""
    file = FOLDER / f"{game.name}.safetensors"
    if game.variant.num_features is None or not file.is_file():
        return None
    return file if read_card(file).options == game.options else None


def evaluator_for(game: RecordGame, wanted: Any = None) -> Any:
    """The evaluator that is asked for: "handcrafted", "learned", a file of weights; None: the best there is.

    What is no text is an evaluator already.
    """
    if wanted is not None and not isinstance(wanted, str | Path):
        if not callable(getattr(type(wanted), "estimate", None)):
            raise GameError(
                "an evaluator is 'handcrafted', 'learned', a file of weights, or has estimate(evaluator, s); "
                f"{shorten(wanted)} is none of these"
            )
        if isinstance(wanted, Network):
            need_fit(game, wanted)
        return wanted
    text = None if wanted is None else str(wanted)
    if text == "handcrafted":
        return HANDCRAFTED
    if text is not None and text != "learned":
        return load_network(text, game)
    file = shipped_file(game)
    if file is None:
        if text == "learned":
            raise GameError(f"no weights for {game.name} with these options come with the package")
        return HANDCRAFTED
    return load_network(file, game)
