"""TD-Gammon: a network that taught itself backgammon (G. Tesauro, Temporal difference learning and TD-Gammon, 1995).

    raw inputs → 40 or 80 hidden units → the chances of every outcome
    TD(λ) with λ = 0.7 and a learning rate of 0.1, self-play

The dice explore: every move is the best one by the network's own judgement. 40 units are trained for 300,000 games
unless told otherwise, 80 units for 1,500,000. Whatever option is given goes before what stands here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from zermelo.learn.systems import System

GAMES = {(40,): 300_000, (80,): 1_500_000}
PUBLISHED = {"num_features": 198, "lam": 0.7, "learning_rate": 0.1}


def training(given: Mapping[str, Any]) -> dict[str, Any]:
    hidden = tuple(given.get("hidden", (40,)))
    return {"hidden": hidden, "games": GAMES.get(hidden, 1_500_000), **PUBLISHED}


def system() -> System:
    return System(
        name="td-gammon",
        about="a network of 40 or 80 hidden units that learns backgammon from its own games",
        game="backgammon",
        training=training,
    )
