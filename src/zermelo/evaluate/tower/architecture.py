"""The network: what it is made of, and its weights by name. Nothing here needs JAX.

    planes (n, count, height, width)
       │  3×3 convolution, relu
       ▼
    ┌─ block ────────────────────────────────────────┐
    │ x ─ 3×3 ─ (+ pooled) ─ relu ─ 3×3 ─ + x ─ relu     × blocks, every third with global pooling
    └────────────────────────────────────────────────┘
       │                          pooled = mean and largest over all cells
       ├──→ policy    a number for each of policy_size     a 1×1 convolution where the policy is numbered by cells,
       │                                                   else a dense layer over all of them
       ├──→ value     σ: 0 the least payoff there is, 1 the most; two sides against each other: one, the mover's;
       │              else one for each player, the mover's first
       ├──→ owners    each cell: is it the mover's at the end of the game?         (where the rules say whose it is)
       └──→ reply     the other side's next move, like the policy                  (helps the tower to learn)

There is no batch norm: blocks begin as the identity (their second convolution is 0 at first, as in Fixup), so that a
network that plays is the one that was trained, and an average of weights is a network. Without planes the tower is a
plain network over features (sight.py): dense layers, the same heads; the first sums the rows of what is active.

Weights are float32, in a dict; judging.py computes with them.
References: Silver et al. (2017), Mastering the game of Go without human knowledge; Wu (2019), Accelerating self-play
learning in Go; Zhang et al. (2019), Fixup initialization.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from zermelo.compile.record_game import RecordGame
from zermelo.core.game import GameError
from zermelo.evaluate.tower.sight import MOST, active_features, need_sight

POLICY, VALUE, FLAT, HIDDEN = 32, 32, 4, 96  # channels of the heads; channels that a dense layer sees; its units
POOLED = 3  # every so many blocks one looks at the whole board
Weights = dict[str, Any]
Symmetries = list[tuple[Any, Any]]  # (cells, policy), permutations


@dataclass(frozen=True)
class Architecture:
    """The sizes that all weights follow from."""

    shape: tuple[int, int, int]  # planes: (count, height, width); features: (how many, 1, 1)
    policy: int
    values: int  # 1: the mover's alone; else one for each player
    blocks: int = 6
    channels: int = 96
    owners: bool = False
    reply: bool = False
    cells: bool = False  # is the policy numbered by cells, plane after plane, and what remains behind them?
    active: int = 0  # features that a position has at most; 0: it is shown as planes

    @property
    def is_plain(self) -> bool:
        """A board of one cell, or none: dense layers."""
        return self.shape[1:] == (1, 1)

    @property
    def area(self) -> int:
        return self.shape[1] * self.shape[2]

    def as_dict(self) -> dict[str, Any]:
        return {**asdict(self), "shape": list(self.shape)}

    @classmethod
    def read(cls, told: dict[str, Any]) -> Architecture:
        return cls(**{**told, "shape": tuple(int(n) for n in told["shape"])})


def architecture_for(game: RecordGame, blocks: int, channels: int, reply: bool = True) -> Architecture:
    """The network for a game, of this depth and width."""
    rules = game.variant
    shape = need_sight(rules)
    if rules.utility_range is None:
        raise GameError(f"{game.name} declares no utility_range, so a network does not know what it may foresee")
    if rules.plane_shape is None and shape[0] > MOST:
        raise GameError(f"{game.name} has {shape[0]:,} features, and a policy/value network takes {MOST:,}")
    values = 1 if rules.players == 2 and rules.zero_sum else rules.players
    return Architecture(
        shape,
        rules.policy_size or 0,
        values,
        blocks,
        channels,
        owners="owners" in rules.functions,
        reply=reply and rules.players > 1,
        cells=_is_by_cells(game),
        active=active_features(rules),
    )


def _is_by_cells(game: RecordGame) -> bool:
    """Does number k of the policy belong to cell k, and to cell k - area on the next plane, …? The symmetries tell:
    they move policy and cells in the same way. Without any, a policy of whole planes is taken for one."""
    rules = game.variant
    if rules.plane_shape is None or rules.policy_size is None:
        return False
    area = rules.plane_shape[1] * rules.plane_shape[2]
    planes = rules.policy_size // area
    if area == 1 or planes == 0:
        return False
    symmetries = symmetries_of(game)
    if len(symmetries) == 1:
        return rules.policy_size % area == 0 and planes > 1
    return all(np.array_equal(policy[:area], cells) for cells, policy in symmetries)


def symmetries_of(game: RecordGame) -> Symmetries:
    """(cells, policy) permutations, the identity first; it alone where the rules know no others, or there are no planes
    to be turned with the policy."""
    rules = game.variant
    own = game.hook("symmetries")
    if own is not None and rules.plane_shape is not None:
        try:
            return read_symmetries(own(), rules.plane_shape, rules.policy_size)
        except GameError as problem:
            raise GameError(f"{game.name}: {problem}") from None
    area = 1 if rules.plane_shape is None else rules.plane_shape[1] * rules.plane_shape[2]
    return [(np.arange(area), np.arange(rules.policy_size or 1))]


def read_symmetries(listed: Any, plane_shape: tuple[int, int, int], policy_size: int | None) -> Symmetries:
    """What the hook `symmetries` lists, if these are pairs of permutations with the identity first."""
    if policy_size is None:
        raise GameError("there are symmetries, but no policy_size")
    try:
        given = [(np.asarray(cells), np.asarray(policy)) for cells, policy in listed]
    except (TypeError, ValueError):
        raise GameError("symmetries() must list pairs of permutations: (cells, policy)") from None
    _, height, width = plane_shape
    for number, pair in enumerate(given):
        for name, one, length in zip(("cells", "policy"), pair, (height * width, policy_size), strict=True):
            if one.shape != (length,) or one.dtype.kind not in "iu" or not np.array_equal(np.sort(one), range(length)):
                wanted = f"a permutation of the numbers from 0 to {length - 1}"
                raise GameError(f"{name} of symmetry {number} is not {wanted}")
    if not given or not all(np.array_equal(one, np.arange(len(one))) for one in given[0]):
        raise GameError("the first symmetry must be the identity")
    return given


# -- weights -----------------------------------------------------------------------------------------------------------


def shapes(a: Architecture) -> dict[str, tuple[int, ...]]:
    """All weights by name: convolutions are (height, width, in, out)."""
    c, side = a.channels, 1 if a.is_plain else 3
    made: dict[str, tuple[int, ...]] = {"stem.w": (side, side, a.shape[0], c), "stem.b": (c,)}
    for k in range(a.blocks):
        made |= {f"block{k}.w1": (side, side, c, c), f"block{k}.b1": (c,)}
        made |= {f"block{k}.w2": (side, side, c, c), f"block{k}.b2": (c,)}
        if _is_pooled(a, k):
            made[f"block{k}.pool"] = (2 * (c // 4), c)
    made |= {"policy.w": (c, POLICY), "policy.pool": (2 * c, POLICY), "policy.b": (POLICY,)}
    for head in ("policy", "reply") if a.reply else ("policy",):
        if a.cells:
            planes, rest = divmod(a.policy, a.area)
            made[f"{head}.cells"] = (POLICY, planes)
            if rest:
                made |= {f"{head}.rest": (2 * c, rest), f"{head}.rest_b": (rest,)}
        else:
            made |= {f"{head}.out": (POLICY * a.area, a.policy), f"{head}.out_b": (a.policy,)}
    made |= {"value.w": (c, VALUE), "value.b": (VALUE,)}
    made |= {"value.hidden": (2 * VALUE + FLAT * a.area, HIDDEN), "value.hidden_b": (HIDDEN,)}
    made |= {"value.out": (HIDDEN, a.values), "value.out_b": (a.values,)}
    if a.owners:
        made |= {"owners.w": (VALUE, 1), "owners.b": (1,)}
    return made


def _is_pooled(a: Architecture, block: int) -> bool:
    return not a.is_plain and block % POOLED == POOLED - 1


ZERO_AT_FIRST = (".w2", ".out", ".cells", ".rest", ".pool", "owners.w")


def make_weights(a: Architecture, seed: int = 0) -> Weights:
    """Weights that begin to learn: He's, smaller in deep towers; what ends a block or a head is 0."""
    random, made = np.random.default_rng([seed, 1913]), {}
    for name, shape in shapes(a).items():
        w = np.zeros(shape, np.float32)
        if len(shape) > 1 and not name.endswith(ZERO_AT_FIRST):
            inputs = int(np.prod(shape[:-1]))
            spread = np.sqrt(2.0 / inputs) * (max(1, a.blocks) ** -0.5 if name.endswith(".w1") else 1.0)
            w[:] = random.standard_normal(shape) * spread
        made[name] = w
    return made


def can_grow(a: Architecture, to: Architecture) -> bool:
    """Is `to` the same network for a board of another size?"""
    if not (a.cells and to.cells) or a.area < 2 or divmod(a.policy, a.area) != divmod(to.policy, to.area):
        return False
    return replace(a, shape=to.shape, policy=to.policy) == to and a.shape[0] == to.shape[0]


def grow(a: Architecture, weights: Weights, to: Architecture) -> Weights:
    """These weights for a board of another size. Nearly all belong to no cell and stay as they are; those with which
    the value looks at single cells are stretched over the board, and smaller as there are more of them."""
    flat = weights["value.hidden"][2 * VALUE :].reshape(*a.shape[1:], FLAT, HIDDEN)
    rows, columns = (_stretch(a.shape[k], to.shape[k]) for k in (1, 2))
    flat = np.einsum("yr,xc,rcfh->yxfh", rows, columns, flat) * (a.area / to.area)
    hidden = np.concatenate([weights["value.hidden"][: 2 * VALUE], flat.reshape(-1, HIDDEN)])
    return {**weights, "value.hidden": hidden.astype(np.float32)}


def _stretch(n: int, to: int) -> Any:
    """(to, n): each of `to` cells of a line as a mean of the nearest two of `n`, ends at ends."""
    return np.array([np.interp(np.linspace(0, n - 1, to), np.arange(n), one) for one in np.eye(n)]).T


def count_weights(a: Architecture) -> int:
    return sum(int(np.prod(shape)) for shape in shapes(a).values())


def payoff_range(game: RecordGame) -> tuple[float, float]:
    """What 0 and 1 of a value stand for. Of two sides against each other either may be the mover."""
    least, most = game.variant.utility_range or (-1.0, 1.0)
    if game.players == 2 and game.zero_sum:
        most = max(most, -least)
        least = -most
    return least, most
