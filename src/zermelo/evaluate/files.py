"""Weights on disk: one safetensors file, whose header carries a card in JSON.

    tensor "w"    all weights, as network.py lays them out, float32 or (half the size) float16
    "card"        {"game", "options", "sizes", "levels", "features": hash, "trained": how, and how strong it was found}

`features` is a hash of what the game's features say of some positions of random games. It does not change when the
code is only written differently, and it does when a feature means something else: then the weights do not fit.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from zermelo.compile.diagnostics.overrun import explain_overrun
from zermelo.compile.diagnostics.raised import explain_raised
from zermelo.compile.dispatch import features, perspective
from zermelo.compile.guards import OverrunError
from zermelo.compile.random import below, generator
from zermelo.compile.record import RecordArray
from zermelo.compile.record_game import RecordGame, State
from zermelo.compile.rules import RulesError
from zermelo.core.files import need_plain, write_atomically
from zermelo.core.game import CHANCE, OVER, GameError
from zermelo.core.registry import thaw
from zermelo.core.words import count
from zermelo.evaluate.network import Network, make_network, parameters

POSITIONS = 24  # that the hash looks at
SEARCHED = 20_000  # random plies among which they are looked for
LARGEST = 1 << 30  # bytes: nobody's weights are that large
_HASHES: dict[Any, str] = {}


@dataclass(frozen=True)
class Card:
    """What is known about some weights."""

    game: str
    options: dict[str, Any]
    sizes: tuple[int, ...]
    levels: tuple[float, ...]
    features: str
    trained: dict[str, Any] = field(default_factory=dict)

    def as_json(self) -> str:
        return json.dumps({**self.__dict__, "sizes": list(self.sizes), "levels": list(self.levels)}, sort_keys=True)


def features_hash(game: RecordGame) -> str:
    """Sixteen hexadecimal digits for what the features of `game` mean."""
    known = _HASHES.get(game.variant.dtype)
    if known is None:
        numbers, active = game.variant.num_features, game.variant.max_active_features
        assert numbers is not None
        assert active is not None
        digest = hashlib.sha256(repr((numbers, active)).encode())
        index, value = np.zeros(active, np.int64), np.zeros(active, np.float32)
        for s in random_positions(game):
            with np.errstate(over="ignore"), told_by_rules(game, s.record):
                n = features(s.record[0], index, value)
                pairs = sorted(zip(index[:n].tolist(), np.round(value[:n], 4).tolist(), strict=True))
                digest.update(repr((perspective(s.record[0]), pairs)).encode())
        known = _HASHES[game.variant.dtype] = digest.hexdigest()[:16]
    return known


def random_positions(game: RecordGame) -> list[State]:
    """POSITIONS positions of random games, always the same, as the rules give them in plain Python."""
    plain, random, found = game.interpreted, generator(1913), list[State]()
    with np.errstate(over="ignore"), told_by_rules(game):
        s = plain.start()
        for _ in range(SEARCHED):
            if plain.player(s) == OVER:
                s = plain.start()
            if plain.player(s) != CHANCE:
                found.append(s)
                if len(found) == POSITIONS:
                    return found
            s = _random_successor(plain, s, random)
    raise RulesError(
        f"{game.name}: hardly anybody ever chooses: {count(len(found), 'position')} with a player to move in "
        f"{SEARCHED:,} random plies; `zermelo check {game.origin or game.name}` looks into it"
    )


@contextmanager
def told_by_rules(game: RecordGame, *looked_at: RecordArray) -> Iterator[None]:
    """What goes wrong while rules are followed in plain Python is theirs, and told in a sentence."""
    try:
        yield
    except OverrunError as fault:
        raise explain_overrun(fault, game.variant, game.origin or game.name, looked_at, game._show) from None
    except GameError:
        raise
    except Exception as wrong:
        raise explain_raised(game.origin or game.name, wrong, " in a random game") from wrong


def _random_successor(game: RecordGame, s: State, random: Any) -> State:
    actions = game.actions(s)
    return game.succ(s, actions[int(below(random, len(actions)))])


def card_for(game: RecordGame, net: Network, **trained: Any) -> Card:
    return Card(game.name, dict(game.options), net.sizes, tuple(net.levels.tolist()), features_hash(game), trained)


def save_network(path: Path | str, game: RecordGame, net: Network, *, half: bool = False, **trained: Any) -> None:
    """Keep a network; `trained` says how it came about (anything JSON can hold). `half`: as float16."""
    with np.errstate(over="ignore"):  # told below, in words
        w = net.w.astype(np.float16 if half else np.float32)
    if not np.isfinite(w).all():
        raise GameError("there are weights that are no numbers, or too large for half precision: nothing was saved")
    content = save({"w": w}, {"card": card_for(game, net, **trained).as_json()})
    write_atomically(Path(path), content)


def read_tensors(path: Path | str) -> tuple[dict[str, NDArray[Any]], dict[str, str]]:
    """The tensors and the header's texts of a safetensors file."""
    path = Path(path)
    try:
        need_plain(path)
        if path.stat().st_size > LARGEST:
            raise GameError(f"{path} is too large to be weights")
        with safe_open(path, "numpy") as file:
            return {name: file.get_tensor(name) for name in file.keys()}, dict(file.metadata() or {})  # noqa: SIM118
    except OSError as problem:
        raise GameError(f"{path} cannot be read: {problem.strerror or problem}") from None
    except (SafetensorError, TypeError) as problem:  # TypeError: numbers of a kind that NumPy has not, bfloat16
        raise GameError(f"{path} is not a safetensors file that can be read here: {problem}") from None


def read_card(path: Path | str, texts: dict[str, str] | None = None) -> Card:
    """What a file of weights says about itself."""
    found = read_tensors(path)[1] if texts is None else texts
    if '"architecture"' in found.get("card", ""):
        raise GameError(f"{path} has the weights of a policy/value network, not of an evaluation")
    try:
        card = json.loads(found["card"])
        return Card(
            str(card["game"]),
            dict(card["options"]),
            tuple(int(n) for n in card["sizes"]),
            tuple(float(x) for x in card["levels"]),
            str(card["features"]),
            dict(card.get("trained", {})),
        )
    except (KeyError, TypeError, ValueError, RecursionError):
        raise GameError(f"{path} has no card that says what its weights are for") from None


def read_weights(path: Path | str) -> tuple[Card, NDArray[Any]]:
    """The card and the weights, if they are what the card tells of, and numbers."""
    tensors, texts = read_tensors(path)
    card = read_card(path, texts)
    w = tensors.get("w")
    if (
        len(card.sizes) < 2
        or min(card.sizes) < 1
        or not np.isfinite(card.levels).all()
        or w is None
        or w.shape != (parameters(card.sizes),)
        or w.dtype not in (np.float16, np.float32)
    ):
        raise GameError(f"{path} does not hold the weights its card tells of")
    if not np.isfinite(w).all():
        raise GameError(f"{path} has weights that are not numbers")
    return card, w


def load_network(path: Path | str, game: RecordGame) -> Network:
    """The network kept in a file, if it is one for this game; else one sentence about what does not fit."""
    card, w = read_weights(path)
    if card.game != game.name:
        raise GameError(f"{path} has weights for {card.game}, not for {game.name}")
    other = {name: value for name, value in thaw(card.options).items() if game.options.get(name) != value}
    told = ", ".join(f"{name}={value}" for name, value in other.items())
    if other and (game.variant.num_features is None or card.features != features_hash(game)):
        raise GameError(f"{path} has weights for {game.name} with {told}; give it these options")
    if game.variant.num_features is None:
        raise GameError(f"{game.name} with these options has no features, so {path} does not fit")
    if card.sizes[0] > game.variant.num_features:
        raise GameError(f"{path} is for {card.sizes[0]} features, and {game.name} has {game.variant.num_features}")
    if card.features != features_hash(game):
        raise GameError(f"{path} was learned with other features of {game.name} than it has now")
    net = make_network(game, card.sizes[1:-1], num_features=card.sizes[0], weights=w.astype(np.float32))
    if net.sizes != card.sizes or not np.array_equal(net.levels, card.levels):
        raise GameError(f"{path} foresees the payoffs {card.levels}, and {game.name} ends otherwise")
    return net
