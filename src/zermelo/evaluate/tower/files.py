"""A tower's weights on disk: one safetensors file, whose header carries a card in JSON (see evaluate/files.py).

    a tensor for every name of architecture.py, float16 (half the size) or float32
    "card"    {"game", "options", "architecture": sizes, "planes": hash, "trained": how, and how strong it was found}

`planes` is a hash of what the game's planes show of some positions of random games and how the actions there are
numbered: weights learned with other planes or another numbering do not fit.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import save

from zermelo.compile.dispatch import features, perspective
from zermelo.compile.record_game import RecordGame
from zermelo.core.files import write_atomically
from zermelo.core.game import GameError
from zermelo.core.registry import load, thaw
from zermelo.evaluate.files import random_positions, read_tensors, told_by_rules
from zermelo.evaluate.tower.architecture import (
    Architecture,
    Weights,
    architecture_for,
    can_grow,
    grow,
    shapes,
)
from zermelo.evaluate.tower.sight import active_features, sight_shape

IN_FOLDER = "weights.safetensors"  # what a training leaves there
SHIPPED = Path(__file__).parents[1] / "weights" / "zero"


@dataclass(frozen=True)
class TowerCard:
    """What is known about some weights."""

    game: str
    options: dict[str, Any]
    architecture: Architecture
    planes: str
    trained: dict[str, Any] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        return {**self.__dict__, "architecture": self.architecture.as_dict()}


def planes_hash(game: RecordGame) -> str:
    """Sixteen hexadecimal digits for what a network of `game` sees and how its policy is numbered."""
    rules, digest = game.variant, hashlib.sha256()
    with np.errstate(over="ignore"), told_by_rules(game):
        for s in random_positions(game):
            if rules.plane_shape is not None:
                digest.update(np.ascontiguousarray(game.interpreted.planes(s)).tobytes())
            else:
                digest.update(repr(_features(game, s)).encode())
            numbers = sorted(game.interpreted.policy_index(s, a) for a in game.interpreted.actions(s))
            digest.update(repr(numbers).encode())
    return digest.hexdigest()[:16]


def _features(game: RecordGame, s: Any) -> Any:
    active = game.variant.max_active_features or 1
    index, value = np.zeros(active, np.int64), np.zeros(active, np.float32)
    n = features(s.record[0], index, value)
    return perspective(s.record[0]), sorted(zip(index[:n].tolist(), np.round(value[:n], 4).tolist(), strict=True))


def save_tower(
    path: Path | str, game: RecordGame, a: Architecture, weights: Weights, *, half: bool = True, **trained: Any
) -> None:
    """Keep a network; `trained` says how it came about (anything JSON can hold). `half`: as float16."""
    kept = {}
    for name, one in weights.items():
        with np.errstate(over="ignore"):  # told below, in words
            kept[name] = np.ascontiguousarray(np.asarray(one, np.float32).astype(np.float16 if half else np.float32))
        if not np.isfinite(kept[name]).all():
            raise GameError("there are weights that are no numbers, or too large for half precision: nothing was saved")
    card = TowerCard(game.name, dict(game.options), a, planes_hash(game), trained)
    write_atomically(Path(path), save(kept, {"card": json.dumps(card.as_dict(), sort_keys=True)}))


def read_tower(path: Path | str) -> tuple[TowerCard, Weights]:
    """The card and the weights, float32, if they are what the card tells of, and numbers."""
    tensors, texts = read_tensors(path)
    card = _card(path, texts)
    wanted = shapes(card.architecture)
    if {name: one.shape for name, one in tensors.items()} != wanted or any(
        one.dtype not in (np.float16, np.float32) for one in tensors.values()
    ):
        raise GameError(f"{path} does not hold the weights its card tells of")
    if not all(np.isfinite(one).all() for one in tensors.values()):
        raise GameError(f"{path} has weights that are not numbers")
    return card, {name: tensors[name].astype(np.float32) for name in wanted}


def is_tower(path: Path | str) -> bool:
    """Are these weights of a tower, rather than of a model over features?"""
    return '"architecture"' in read_tensors(path)[1].get("card", "")


def _card(path: Path | str, texts: dict[str, str]) -> TowerCard:
    if '"levels"' in texts.get("card", ""):
        raise GameError(f"{path} has the weights of an evaluation, not of a policy/value network")
    try:
        card = json.loads(texts["card"])
        a = Architecture.read(card["architecture"])
        if len(a.shape) != 3 or min(*a.shape, a.policy, a.values, a.channels) < 1 or not 0 <= a.blocks <= 1000:
            raise ValueError
        return TowerCard(
            str(card["game"]), dict(card["options"]), a, str(card["planes"]), dict(card.get("trained", {}))
        )
    except (KeyError, TypeError, ValueError, RecursionError):
        raise GameError(f"{path} has no card that says which network its weights are of") from None


def load_tower(path: Path | str, game: RecordGame) -> tuple[Architecture, Weights]:
    """The network kept in a file, if it is one for this game; else one sentence about what does not fit.

    Options may differ from those it was trained with as long as the network sees and plays the same (a komi).
    """
    card, weights = read_tower(path)
    if card.game != game.name:
        raise GameError(f"{path} has weights for {card.game}, not for {game.name}")
    rules = game.variant
    a = card.architecture
    if (a.shape, a.active, a.policy) != (sight_shape(rules), active_features(rules), rules.policy_size):
        options = ", ".join(f"{name}={value}" for name, value in thaw(card.options).items())
        raise GameError(f"{path} has weights for {game.name} with {options or 'another sight'}; give it these options")
    if card.planes != planes_hash(game):
        raise GameError(f"{path} was learned with other planes of {game.name} than it has now")
    return card.architecture, weights


def network_file(path: Path | str) -> Path:
    """The file of a network: this one, or the one in the folder of a training."""
    path = Path(path)
    if not path.is_dir():
        return path
    if not (path / IN_FOLDER).is_file():
        raise GameError(f"'{path}' has no {IN_FOLDER}: it is written when `zermelo train zero` stops")
    return path / IN_FOLDER


def grown_tower(path: Path | str, game: RecordGame) -> tuple[Architecture, Weights]:
    """The network kept in a file or in a training's folder, also if it learned on a board of another size than that of
    this game (architecture.py)."""
    path = network_file(path)
    card, weights = read_tower(path)
    shape = game.variant.plane_shape
    if card.game != game.name or shape is None or card.architecture.shape == shape:
        return load_tower(path, game)
    told = card.architecture
    wanted = architecture_for(game, told.blocks, told.channels, told.reply)
    learned = load(game.origin or game.name, **card.options)
    if not isinstance(learned, RecordGame) or not can_grow(told, wanted):
        raise GameError(
            f"{path} has a network for {game.name} on another board, of {told.shape[1]} × {told.shape[2]}, and only "
            "one whose policy is numbered by cells can begin on a larger or smaller one"
        )
    load_tower(path, learned)
    return wanted, grow(told, weights, wanted)


def shipped_tower(game: RecordGame) -> Path | None:
    """The network that comes with the package for this game, if there is one that sees and plays what it has. Options
    that change neither may be others than it learned with."""
    file, rules = SHIPPED / f"{game.name}.safetensors", game.variant
    if not file.is_file():
        return None
    a = _card(file, read_tensors(file)[1]).architecture
    return file if (a.shape, a.policy) == (sight_shape(rules), rules.policy_size) else None
