"""What `zermelo train zero` is told: a table of settings like every other (learn/settings.py).

A round is `moves_per_round` moves in every one of `parallel_games` games, then as many updates of the weights as make
`reuse` uses of every position recorded. All of it together, with the game and the code, determines the weights.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from zermelo.core.game import GameError
from zermelo.learn.settings import Table, setting

if TYPE_CHECKING:
    from zermelo.compile.record_game import RecordGame

LARGEST_SEED = 2**63 - 1


@dataclass(frozen=True)
class ZeroSettings(Table):
    """The network, how it plays against itself, and how it learns from that."""

    rounds: int = setting(300, "How many rounds of moves and updates.", 1, 1e9)
    # -- the network
    blocks: int = setting(4, "Residual blocks of the tower.", 0, 40)
    channels: int = setting(64, "Channels of the tower.", 4, 512)
    # -- self-play
    parallel_games: int = setting(512, "Games in parallel; an even number.", 2, 1 << 20)
    moves_per_round: int = setting(16, "Moves per game in a round.", 1, 1 << 16)
    simulations: int = setting(32, "Simulations of a full search, whose policy is learned.", 1, 30_000)
    fast_simulations: int = setting(
        8, "Simulations of the other searches, which only bring games to an end.", 1, 30_000
    )
    ramp: float = setting(
        0.0, "Share of the rounds over which simulations rise to these numbers, from a quarter of them.", 0, 1
    )
    full_share: float = setting(0.25, "Share of the searches that are full (playout-cap randomisation).", 0.001, 1)
    tree_search: str = setting("gumbel", "How trees are searched.", choices=("gumbel", "puct"))
    considered: int = setting(16, "Gumbel: actions that sequential halving begins with.", 1, 1 << 16)
    c_visit: float = setting(50.0, "Gumbel: see search/forest.", 0, 1e6)
    c_scale: float = setting(1.0, "Gumbel: how much values count, relative to the policy.", 0, 1e6)
    c_puct: float = setting(1.5, "PUCT: how much the policy counts.", 0, 1e6)
    noise: float = setting(0.25, "PUCT: share of Dirichlet noise at the root.", 0, 1)
    temperature: float = setting(1.0, "PUCT: temperature of the choice by visits.", 0, 1e6)
    opening: int = setting(2, "A game begins with up to this many random moves.", 0, 1000)
    staggered: bool = setting(True, "The first games begin in mid-game, at all stages of random play.")
    tables: str = setting(
        "off", "Endgame tables, which end games where they know the result: on, or the folder they are in; CPU only."
    )
    # -- what is learned from
    window: int = setting(65_536, "Recorded positions kept to learn from.", 1, 1 << 22)
    bits: bool = setting(True, "Planes that are 0 or 1 everywhere in random games are kept as bits.")
    targets: int = setting(16, "Actions of a recorded policy that are kept: the likeliest.", 1, 1 << 16)
    root_value: float = setting(
        0.0, "How much a search's value counts beside the game's result; it rises to this in the first quarter.", 0, 1
    )
    surprise: float = setting(0.5, "How much more often a policy that surprised the network is learned.", 0, 1)
    symmetries: bool = setting(True, "Positions are rotated and mirrored as the rules allow.")
    # -- learning
    batch_size: int = setting(512, "Positions in an update.", 1, 1 << 20)
    reuse: float = setting(4.0, "How often a recorded position is learned from, on average.", 0.001, 1000)
    learning_rate: float = setting(0.002, "η at its highest.", 1e-9, 1e3)
    final_learning_rate: float | None = setting(None, "η at the end; none: a twentieth of the highest.", 1e-9, 1e3)
    warm_up: float = setting(0.02, "Share of the rounds in which η rises.", 0, 1)
    weight_decay: float = setting(1e-4, "How much weights shrink, times η.", 0, 1)
    averaging: float = setting(0.998, "How much of the averaged weights, which play, an update keeps.", 0, 0.999999)
    value_weight: float = setting(1.0, "Weight of the value's loss, relative to the policy's.", 0, 1000)
    owners_weight: float = setting(0.5, "Weight of the loss on the cells' owners, where the rules give them.", 0, 1000)
    reply_weight: float = setting(0.15, "Weight of the loss on the other side's next move; 0: no such head.", 0, 1000)
    # -- organisation
    measured_games: int = setting(256, "Games against each yardstick, whenever strength is measured.", 2, 1 << 16)
    seed: int = setting(0, "For weights, games and samples.", 0, LARGEST_SEED)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.parallel_games % 2:
            raise GameError(f"parallel_games must be even, to be searched in two halves, not {self.parallel_games}")

    @property
    def full_searches(self) -> int:
        """Of a round, which records so many positions of every game."""
        return max(1, round(self.full_share * self.moves_per_round))

    @property
    def rows(self) -> int:
        """Recorded positions that are kept of every game."""
        return max(self.full_searches, math.ceil(self.window / self.parallel_games))

    @property
    def updates(self) -> int:
        """Of a round."""
        return max(1, round(self.reuse * self.full_searches * self.parallel_games / self.batch_size))

    def seed_beside(self, number: int) -> int:
        """A seed for something else, `number` further on; after the largest one comes 0."""
        return (self.seed + number) & LARGEST_SEED

    def simulations_at(self, round_: int) -> tuple[int, int]:
        """(of a full search, of the others): few at first, when the network has nothing to say."""
        part = 1.0 if round_ >= self.ramp * self.rounds else 0.25 + 0.75 * round_ / (self.ramp * self.rounds)
        return max(1, round(part * self.simulations)), max(1, round(part * self.fast_simulations))

    def simulations_in(self, round_: int) -> int:
        """Of all games."""
        full, fast = self.simulations_at(round_)
        others = self.moves_per_round - self.full_searches
        return self.parallel_games * (self.full_searches * full + others * fast)

    def root_value_at(self, round_: int) -> float:
        """How much a search's value counts: nothing while the network has nothing to say."""
        return self.root_value * min(1.0, 4 * round_ / self.rounds)

    def learning_rate_at(self, round_: int) -> float:
        """η of a round: it rises in a line, then falls along a cosine."""
        last = self.learning_rate / 20 if self.final_learning_rate is None else self.final_learning_rate
        rising = max(1.0, self.warm_up * self.rounds)
        if round_ < rising:
            return self.learning_rate * min(1.0, (round_ + 1) / rising)
        part = min(1.0, (round_ - rising) / max(1.0, self.rounds - rising))
        return last + (self.learning_rate - last) * 0.5 * (1.0 + math.cos(math.pi * part))


ON_A_CARD = {"parallel_games": 8192, "window": 393_216, "batch_size": 2048}  # it is idle with less


def settings_for(game: RecordGame, given: Mapping[str, object], device: str = "cpu") -> ZeroSettings:
    """Those given, beside the game's own and the device's. Of the game's own those under "cores" are for cores, where a
    network that suits a card would take days."""
    own = dict(game.variant.zero_training or {})
    on_cores = own.pop("cores", {})
    if not isinstance(on_cores, Mapping):
        raise GameError(f"{game.name}: zero_training has settings for cores that are not a dict, {on_cores!r}")
    usual, special = (ON_A_CARD, {}) if device == "cuda" else ({}, on_cores)
    return ZeroSettings.read({**usual, **own, **special, **given})
