"""The model V(s; w): features, hidden layers, outputs, as an evaluator that compiled searches call directly.

    features (sparse)      hidden, σ         outputs, σ: the chance that the payoff is at least so much

      φ_3 = 1    ─────┐    ┌───┐             ┌───┐
      φ_17 = 0.5 ─────┼───→│ H │────────────→│ K │───→  value = l_0 + Σ_k (l_k - l_(k-1)) · out_k
      φ_92 = 1   ─────┘    └───┘             └───┘      l_0 < l_1 < … < l_K: the payoffs a game can end with

Without hidden layers the model is linear: σ(w·φ). With payoffs -1 and 1 the value is 2 σ(w·φ) - 1. The features are
seen by the player `perspective(s)`, and so are the outputs; two sides that see the same are worth the same.

All weights stand in one array `w`, layer by layer, so that learning, averaging and saving need to know no more:

    first layer    one row of weights for every feature, then a row of biases: only rows of active features are touched
    further ones   one row for every unit of the layer: its weights, then its bias
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.compile.constants import num_features
from zermelo.compile.dispatch import at, features, perspective
from zermelo.compile.random import generator, uniform
from zermelo.compile.record import roomy
from zermelo.compile.record_game import RecordGame
from zermelo.compile.rules import helper
from zermelo.core.game import GameError
from zermelo.core.words import count as count_of
from zermelo.evaluate.arithmetic import BLOCK, add_rows, copy_row, dot, f4, sigma, sparse_dot, squash
from zermelo.evaluate.held import Held

LAYERS = 8  # features, hidden layers and outputs, at most
LEVELS = 16  # outcomes, at most
WIDE = 128  # units of a first layer from which on it pays to find out what has changed since the last position
REFRESH = 256  # positions after which its sums are made anew, because errors of rounding add up


class Network(NamedTuple):
    """The weights, which threads may share, and the scratch space of one thread: a record each (see held.py).

    Their sizes are rounded up, so that networks of about the same size have the same type.
    """

    weights: (
        Any  # w, sizes = (features, hidden …, outputs), levels = the payoffs, layers = how many sizes, count = of w
    )
    scratch: Any  # index, value: the active features; units: activations, layer after layer; errors: theirs

    def estimate(net, s: Any) -> Any:
        a, b, n = at(net.weights, 0), at(net.scratch, 0), active(net, s)
        if a.layers == 2 and a.sizes[1] == 1:  # one sum: where features are few, all that `layers` does costs more
            v = a.levels[0] + (a.levels[1] - a.levels[0]) * sigma(weighted_sum(a, b, n))
        else:
            layers(net, n)
            v = expected(net, b.units, outputs_at(net))
        return v if perspective(s) == 0 else -v

    def private(self) -> Network:
        """The same weights with scratch space of its own, for another thread."""
        return Network(self.weights, _like(self.scratch))

    def begin(self) -> Network:
        """From here on many positions are looked at, like one another, and the weights do not change until the next
        `begin`: a wide first layer is then computed from the position before."""
        self.scratch[0]["going"] = self.sizes[1] >= WIDE
        self.scratch[0]["age"] = 0
        return self

    def copy(self) -> Network:
        """Weights and scratch space of its own."""
        return Network(self.weights.copy(), _like(self.scratch))

    @property
    def w(self) -> NDArray[np.float32]:
        """All weights, to be read and written."""
        found: NDArray[np.float32] = self.weights[0]["w"][: self.weights[0]["count"]]
        return found

    @property
    def sizes(self) -> tuple[int, ...]:
        return tuple(int(n) for n in self.weights[0]["sizes"][: self.weights[0]["layers"]])

    @property
    def hidden(self) -> tuple[int, ...]:
        return self.sizes[1:-1]

    @property
    def levels(self) -> NDArray[np.float64]:
        found: NDArray[np.float64] = self.weights[0]["levels"][: self.sizes[-1] + 1]
        return found


@helper
def outputs_of(net: Any) -> Any:
    """How many outputs there are."""
    a = at(net.weights, 0)
    return a.sizes[a.layers - 1]


@helper
def outputs_at(net: Any) -> Any:
    """Where the outputs begin among the units."""
    a, first = at(net.weights, 0), 0
    for layer in range(1, a.layers - 1):
        first += a.sizes[layer]
    return first


@helper
def expected(net: Any, out: Any, start: Any) -> Any:
    """The value that the outputs out[start:] stand for."""
    levels = at(net.weights, 0).levels
    v = levels[0]
    for k in range(outputs_of(net)):
        v += (levels[k + 1] - levels[k]) * out[start + k]
    return v


@helper
def from_the_last(a: Any, b: Any, n: Any) -> None:
    """The first layer's sums, from those of the position before: only rows whose features changed are added.

    held: the features the sums are made of, as a whole row; kept: which of them are not 0. fresh is 0 throughout.
    """
    inputs, count = a.sizes[0], a.sizes[1]
    moved = 0
    if 0 < b.age < REFRESH:
        for j in range(n):
            b.fresh[b.index[j]] += b.value[j]
        for j in range(b.held_count):
            i = b.kept[j]
            b.moved[moved], b.by[moved] = i, b.fresh[i] - b.held[i]
            moved += 1 if b.by[moved] != f4(0) else 0
            b.held[i] = b.fresh[i]
        for j in range(n):
            i = b.index[j]
            b.moved[moved], b.by[moved] = i, b.fresh[i] - b.held[i]
            moved += 1 if b.by[moved] != f4(0) else 0
            b.held[i] = b.fresh[i]
            b.kept[j] = i
        for j in range(n):
            b.fresh[b.index[j]] = f4(0)
        b.age += 1
    else:
        for j in range(b.held_count):
            b.held[b.kept[j]] = f4(0)
        for j in range(n):
            b.held[b.index[j]] += b.value[j]
            b.kept[j] = b.index[j]
        moved, b.age = n, 1
    b.held_count = n
    if moved < n:
        add_rows(b.total, a.w, b.moved, b.by, moved, count)
    else:
        copy_row(b.total, 0, a.w, inputs * count, count)
        add_rows(b.total, a.w, b.index, b.value, n, count)


@helper
def active(net: Any, s: Any) -> Any:
    """Write the features of `s` into the scratch space; how many there are."""
    a, b = at(net.weights, 0), at(net.scratch, 0)
    n = features(s, b.index, b.value)
    if a.sizes[0] == num_features(s):
        return n
    kept = 0  # a model that looks at the first features only
    for j in range(n):
        if b.index[j] < a.sizes[0]:
            b.index[kept], b.value[kept] = b.index[j], b.value[j]
            kept += 1
    return kept


@helper
def weighted_sum(a: Any, b: Any, n: Any) -> Any:
    """The first of a first layer's units, before it is squashed."""
    return sparse_dot(a.w, b.index, b.value, n) + a.w[a.sizes[0]]


@helper
def forward(net: Any, s: Any) -> Any:
    """All units for `s`, from the features to the outputs; how many features are active."""
    n = active(net, s)
    layers(net, n)
    return n


@helper
def layers(net: Any, n: Any) -> None:
    """All units, from the n active features in the scratch space."""
    a, b = at(net.weights, 0), at(net.scratch, 0)
    inputs, count = a.sizes[0], a.sizes[1]
    if count == 1:
        b.units[0] = weighted_sum(a, b, n)
    elif b.going != 0:
        from_the_last(a, b, n)
        copy_row(b.units, 0, b.total, 0, count)
    else:
        copy_row(b.units, 0, a.w, inputs * count, count)
        add_rows(b.units, a.w, b.index, b.value, n, count)
    squash(b.units, 0, count)
    below, row = 0, (inputs + 1) * count
    for layer in range(2, a.layers):
        wide, start = count, below + count
        count = a.sizes[layer]
        for j in range(count):
            b.units[start + j] = dot(b.units, below, a.w, row, wide) + a.w[row + wide]
            row += wide + 1
        squash(b.units, start, count)
        below = start


def levels_of(game: RecordGame) -> NDArray[np.float64]:
    """The payoffs a model of `game` foresees."""
    levels = game.variant.utility_values or game.variant.utility_range
    if levels is None:
        raise GameError(f"{game.name} declares neither outcomes nor payoffs, so nothing can be learned of them")
    if "perspective" in game.variant.functions and not np.allclose(levels, -np.array(levels)[::-1]):
        raise GameError(
            f"{game.name}: both sides see the features, so the payoffs must be as good for the one as bad for the other"
        )
    if len(levels) > LEVELS:
        raise GameError(f"{game.name}: a model foresees at most {LEVELS} outcomes, not {len(levels)}")
    return np.array(levels, np.float64)


def make_network(
    game: RecordGame,
    hidden: Sequence[int] = (),
    *,
    num_features: int | None = None,
    weights: NDArray[Any] | None = None,
    seed: int = 0,
) -> Network:
    """A network for the features of `game`: with these weights, or with small random ones (none for a linear model).

    `num_features`: look at the first so many features only, which rules that have more then write first.
    """
    variant = game.variant
    if variant.num_features is None or variant.max_active_features is None:
        raise GameError(f"{game.name} has no features(s, index, value) to learn from")
    if game.players != 2 or not game.zero_sum:
        raise GameError(f"{game.name}: an evaluation is learned for games of two players against each other")
    if any(not 1 <= units <= 1 << 16 for units in hidden):
        raise GameError(f"a layer has 1 to 65536 units, not {', '.join(map(str, hidden))}")
    if len(hidden) > LAYERS - 2:
        raise GameError(f"a network has at most {LAYERS - 2} hidden layers, not {len(hidden)}")
    levels = levels_of(game)
    every, active = variant.num_features, variant.max_active_features
    inputs = every if num_features is None else num_features
    if not 1 <= inputs <= every:
        raise GameError(f"{game.name} has {count_of(every, 'feature')}, so a model cannot have {inputs} inputs")
    sizes = (inputs, *hidden, len(levels) - 1)
    count, units = parameters(sizes), sum(sizes[1:])
    if weights is None:
        weights = random_weights(sizes, active, seed)
    if weights.shape != (count,):
        shape = " × ".join(map(str, sizes))
        raise GameError(f"{game.name}: a network of {shape} has {count_of(count, 'weight')}, not {weights.size}")
    made = np.zeros(1, weights_dtype(count)).view(Held)
    made[0]["w"][:count] = weights
    made[0]["sizes"][: len(sizes)] = sizes
    made[0]["levels"][: len(levels)] = levels
    made[0]["layers"], made[0]["count"] = len(sizes), count
    wide = inputs if sizes[1] >= WIDE else 0
    return Network(made, roomy(1, scratch_dtype(active, units, wide)).view(Held))


def need_fit(game: RecordGame, net: Network) -> None:
    """A network has the room and the outcomes of the game it was made for; one of another game has not."""
    variant = game.variant
    room = net.scratch.dtype["index"].shape[0]
    if (
        variant.num_features is None
        or net.sizes[0] > variant.num_features
        or room != variant.max_active_features
        or not np.array_equal(net.levels, levels_of(game))
    ):
        raise GameError(
            f"this network was made for another game than {game.name}: its {net.sizes[0]} features, {room} at a time, "
            f"or its outcomes are others"
        )


def _like(scratch: Any) -> Any:
    return roomy(1, scratch.dtype).view(Held)


def rounded(n: int) -> int:
    """The next power of two, at least 64."""
    return max(64, 1 << (n - 1).bit_length())


def weights_dtype(count: int) -> np.dtype[np.void]:
    return np.dtype(
        [
            ("w", "f4", (rounded(count),)),
            ("sizes", "i8", (LAYERS,)),
            ("levels", "f8", (LEVELS,)),
            ("layers", "i8"),
            ("count", "i8"),
        ],
        align=True,
    )


def scratch_dtype(active: int, units: int, inputs: int) -> np.dtype[np.void]:
    """`inputs`: 0 for a network that always begins anew (see `from_the_last`)."""
    room, wide = rounded(units + BLOCK), rounded(inputs)
    return np.dtype(
        [
            ("units", "f4", (room,)),
            ("errors", "f4", (room,)),
            ("total", "f4", (room if inputs else 1,)),
            ("held", "f4", (wide if inputs else 1,)),
            ("fresh", "f4", (wide if inputs else 1,)),
            ("kept", "i8", (active,)),
            ("moved", "i8", (2 * active + 1,)),
            ("by", "f4", (2 * active + 1,)),
            ("held_count", "i8"),
            ("age", "i8"),  # positions since the sums were made anew
            ("going", "i8"),  # may they be made from the last position's?
            ("index", "i8", (active,)),  # rules write to these: behind them there is slack, and nothing of ours
            ("value", "f4", (active,)),
        ],
        align=True,
    )


def parameters(sizes: Any) -> int:
    """How many weights there are."""
    return int(sum((a + 1) * b for a, b in pairwise(sizes)))


def random_weights(sizes: Any, active: int, seed: int) -> NDArray[np.float32]:
    """Small and different, so that units become different; the biases, and the last layer, are 0."""
    w = np.zeros(parameters(sizes), np.float32)
    random = generator(seed)
    if len(sizes) == 2:
        return w
    inputs, count = int(sizes[0]), int(sizes[1])
    spread = 1.0 / np.sqrt(active)
    with np.errstate(over="ignore"):
        for i in range(inputs * count):
            w[i] = f4((2.0 * uniform(random) - 1.0) * spread)
        row = (inputs + 1) * count
        for layer in range(2, len(sizes) - 1):
            wide, count = int(sizes[layer - 1]), int(sizes[layer])
            for _ in range(count):
                for i in range(wide):
                    w[row + i] = f4((2.0 * uniform(random) - 1.0) * 2.0 / np.sqrt(wide))
                row += wide + 1
    return w


def widened(
    game: RecordGame, net: Network, hidden: Sequence[int], num_features: int | None = None, seed: int = 0
) -> Network:
    """The same function of the position with more features or more units in the hidden layer, which say nothing yet."""
    wide = make_network(game, hidden, num_features=num_features, seed=seed)
    if wide.sizes == net.sizes:
        return net.copy()
    if len(net.hidden) != len(wide.hidden) or len(net.hidden) > 1 or any(np.less(wide.sizes, net.sizes)):
        raise GameError(f"a network of {net.sizes} cannot be made one of {wide.sizes}: too few layers, inputs or units")
    old, units = net.sizes[1], wide.sizes[1]
    rows = wide.w[: (wide.sizes[0] + 1) * units].reshape(-1, units)
    before = net.w[: (net.sizes[0] + 1) * old].reshape(-1, old)
    rows[: net.sizes[0], :old], rows[net.sizes[0] : -1, :old], rows[-1, :old] = before[:-1], 0, before[-1]
    if net.hidden:
        into = wide.w[(wide.sizes[0] + 1) * units :].reshape(-1, units + 1)
        from_ = net.w[(net.sizes[0] + 1) * old :].reshape(-1, old + 1)
        into[:, :old], into[:, units] = from_[:, :old], from_[:, old]
    return wide
