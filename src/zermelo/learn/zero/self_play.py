"""The network plays against itself: a batch of games in two halves, a tree search for every move of every game.

    a move    1. both halves are searched in turn: the card judges the leaves of one while the other's trees walk
              2. a full search is recorded: what the network saw, and the policy and value that the search came to
              3. the move is made; where a game is over, what was recorded of it gets its result

All searches of one move are full, or none: so the network always judges as many positions as there are games. A game
begins with up to `opening` random moves, and is recorded only after them: its result tells nothing of what was before.
With endgame tables a game is over as soon as they know its result, and another begins at once.
The very first games begin in the middle of random ones, so that there are results to learn from at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from zermelo.batch.batch import make_batch
from zermelo.batch.handover import to_jax
from zermelo.batch.judge import seen, watched
from zermelo.compile.record_game import RecordGame
from zermelo.core.game import OVER, GameError
from zermelo.evaluate.tower.architecture import Architecture, payoff_range
from zermelo.learn.exact_endings import ExactEndings
from zermelo.learn.zero.replay import Layout, Ring, beyond_bits, key_of, make_ring, plane_kinds, put, put_reply, settle
from zermelo.learn.zero.settings import ZeroSettings
from zermelo.search.forest.forest import Forest, make_forest, search_in_turn
from zermelo.search.forest.settings import Settings as Search

PROBED = 64  # random games that tell which planes are of zeros and ones
DIRICHLET = 10.0  # α of the noise: so much divided by the number of actions
STAGES = 16
COUNTED = ("games", "plies", "payoff", "draws")


def watch(game: RecordGame) -> tuple[str, ...]:
    """Everywhere the same: kernels are compiled for what is watched."""
    return ("player", "utilities", *watched(game), "legal")


class Clocks(NamedTuple):
    """Of every game of a half."""

    ply: Any  # (n,) moves made
    opening: Any  # (n,) of these, random ones
    episode: Any  # (n,) games that were played here before
    counted: Any  # (4,) f4: COUNTED, since they were last read


def probe(game: RecordGame, a: Architecture, settings: ZeroSettings, device: str) -> tuple[Layout, int]:
    """What random games tell: how a position is recorded, and how long a game is."""
    games = make_batch(game, PROBED, device=device, seed=1913, checked=False, restart=True, watch=watch(game))
    shown = []
    for _ in range(80):
        if not a.active:
            shown.append(np.array(games.device.read(games.planes)))
        games.random_steps(4)
    bits, others = plane_kinds(np.concatenate(shown)) if shown else ((), ())
    if not settings.bits:
        bits, others = (), tuple(range(a.shape[0]))
    length = int(games.device.read(games.plies).sum() / max(1, games.device.read(games.finished).sum()))
    targets = min(settings.targets, a.policy)
    return Layout(a.shape, bits, others, a.policy, a.values, targets, a.owners, a.active), length


@jax.jit
def choose(key: Any, chosen: Any, legal: Any, clocks: Clocks) -> Any:
    """(n,) the search's choice, or any legal move where the game is still in its opening."""
    anything = jax.random.categorical(key, jnp.where(legal, 0.0, -jnp.inf), axis=1)
    return jnp.where(clocks.ply < clocks.opening, anything, chosen).astype(jnp.int32)


@partial(jax.jit, static_argnums=(0, 1))
def tick(
    opening: int, draw: float, clocks: Clocks, key: Any, before: Any, after: Any, payoffs: Any
) -> tuple[Any, Clocks]:
    """(which games have just ended, the clocks after the move). A game that was over has begun anew instead."""
    live = before != OVER
    ends = live & (after == OVER)
    played = jnp.where(live, clocks.ply + 1, 0)
    first = payoffs[:, 0]
    new = jnp.stack([ends.sum(), (ends * played).sum(), (ends * first).sum(), (ends & (first == draw)).sum()])
    drawn = jax.random.randint(key, before.shape, 0, opening + 1)
    return ends, Clocks(
        played,
        jnp.where(live, clocks.opening, drawn),
        jnp.where(live, clocks.episode, clocks.episode + 1),
        clocks.counted + new.astype(jnp.float32),
    )


@jax.jit
def begin_anew(opening: int, clocks: Clocks, key: Any, where: Any) -> Clocks:
    """The clocks of games that have been set up anew, as `tick` would have them after the next move."""
    drawn = jax.random.randint(key, where.shape, 0, opening + 1)
    return Clocks(
        jnp.where(where, 0, clocks.ply),
        jnp.where(where, drawn, clocks.opening),
        jnp.where(where, clocks.episode + 1, clocks.episode),
        clocks.counted,
    )


class Half:
    """Half of the games, with their trees."""

    def __init__(self, game: RecordGame, settings: ZeroSettings, number: int, device: str):
        n = settings.parallel_games // 2
        self.first = number * n
        self.games = make_batch(
            game, n, device=device, seed=2 * settings.seed + number, checked=False, restart=True,
            watch=watch(game),
        )  # fmt: skip
        alpha = DIRICHLET / max(1, game.variant.max_actions)
        search = Search(
            kind=settings.tree_search,
            considered=settings.considered,
            c_visit=settings.c_visit,
            c_scale=settings.c_scale,
            c_puct=settings.c_puct,
            noise=(alpha, settings.noise),
            temperature=settings.temperature,
            seed=2 * settings.seed + number,
        )
        self.forest: Forest = make_forest(self.games, max(settings.simulations, settings.fast_simulations), search)
        drawn = np.random.default_rng([settings.seed, 2, number]).integers(0, settings.opening + 1, n)
        self.clocks = Clocks(
            jnp.zeros(n, jnp.int32), jnp.asarray(drawn, jnp.int32), jnp.zeros(n, jnp.int32), jnp.zeros(4, jnp.float32)
        )

    def stagger(self, length: int) -> None:
        """Let games begin at all stages of a random game of this length, so that results do not come all at once."""
        for stage in range(1, STAGES):
            if steps := length * stage // STAGES:
                self.games.random_steps(steps, where=np.arange(self.games.n) % STAGES == stage)

    def state(self) -> dict[str, Any]:
        kept = {f"games.{name}": array for name, array in self.games.kept().items()}
        kept |= {f"clocks.{name}": np.asarray(array) for name, array in self.clocks._asdict().items()}
        return {**kept, "forest": self.forest.kept()}

    def restore(self, kept: Mapping[str, Any]) -> None:
        self.games.restore(
            {word.removeprefix("games."): one for word, one in kept.items() if word.startswith("games.")}
        )
        self.clocks = Clocks(*(jnp.array(kept[f"clocks.{name}"]) for name in Clocks._fields))
        self.forest.restore(kept["forest"])


class SelfPlay:
    """Two halves of games, and what was recorded of them."""

    def __init__(
        self,
        game: RecordGame,
        a: Architecture,
        settings: ZeroSettings,
        device: str,
        exact: ExactEndings | None = None,
    ):
        self.game, self.settings, self.exact = game, settings, exact
        self.layout, length = probe(game, a, settings, device)
        self.bounds = payoff_range(game)
        self.halves = [Half(game, settings, number, device) for number in range(2)]
        for half in self.halves:
            half.stagger(length if settings.staggered else 0)
        self.ring: Ring = make_ring(self.layout, settings.rows, settings.parallel_games)
        self._wrong: Any = jnp.zeros(self.layout.shape[0], bool)  # planes that are no bits, as has come to light
        self._range = [sum(self.bounds) / 2] * 2  # of what was paid
        self.moves = 0  # made so far in every game
        self.recorded = 0  # rows of the ring
        self._was_full = False

    def move(self, judge: Callable[[Any], Any], is_full: bool, simulations: int) -> None:
        """One move in every game, by a search of so many simulations."""
        s = self.settings
        search_in_turn([half.forest for half in self.halves], judge, [simulations] * 2)
        row = self.recorded % s.rows
        for number, half in enumerate(self.halves):
            self._move(half, jax.random.fold_in(key_of(s.seed), 2 * self.moves + number), is_full, row)
        self.moves += 1
        self.recorded += is_full
        self._was_full = is_full

    def _move(self, half: Half, key: Any, is_full: bool, row: int) -> None:
        games, forest, clocks = half.games, half.forest, half.clocks
        one, two = jax.random.split(key)
        before = jnp.array(to_jax(games.player))
        live = (before != OVER) & (clocks.ply >= clocks.opening)
        chosen = choose(one, to_jax(forest.chosen), to_jax(games.legal), clocks)
        if self._was_full:
            last = (self.recorded - 1) % self.settings.rows
            self.ring = put_reply(self.ring, last, half.first, chosen, clocks.episode, before != OVER)
        if is_full:
            shown = to_jax(seen(games))
            if self.layout.bits:
                self._wrong = self._wrong | beyond_bits(self.layout, shown)
            self.ring = put(
                self.layout, self.ring, row, half.first, shown, to_jax(forest.policy),
                to_jax(forest.raw_policy), self._seen_by_mover(to_jax(forest.value), before), before, clocks.episode,
                live, self.settings.surprise,
            )  # fmt: skip
        jax.block_until_ready((self.ring, chosen))  # before the games' arrays are written anew
        games.step(chosen, by="policy")
        paid = games.device.read(games.utilities).astype(np.float32)
        ended = paid[np.asarray(games.device.read(games.player)) == OVER]
        self._range = [float(ended.min(initial=self._range[0])), float(ended.max(initial=self._range[1]))]
        payoffs = jnp.asarray(paid)
        middle = (self.bounds[0] + self.bounds[1]) / 2
        after, known = to_jax(games.player), None
        if self.exact is not None:
            known, payoffs = self._known(games, before, payoffs)
            after = jnp.where(known, OVER, after)
        over, half.clocks = tick(self.settings.opening, middle, clocks, two, before, after, payoffs)
        owners = to_jax(games.owners) if self.layout.owners else jnp.zeros((games.n, 0), jnp.int8)
        self.ring = settle(self.layout, self.ring, half.first, clocks.episode, over, self._share(payoffs), owners)
        jax.block_until_ready((self.ring, half.clocks))
        if known is not None and known.any():
            games.reset(where=known)
            half.clocks = begin_anew(self.settings.opening, half.clocks, jax.random.fold_in(two, 1), known)

    def _known(self, games: Any, before: Any, payoffs: Any) -> tuple[Any, Any]:
        """(which games, not over by the rules, have come to a position whose result is known; all payoffs)"""
        assert self.exact is not None
        worths = self.exact.worths(games.states)
        known = ~np.isnan(worths) & (np.asarray(before) != OVER) & (np.asarray(games.player) != OVER)
        signs = [1 if self.game.side(p) == 0 else -1 for p in range(self.game.players)]
        told = np.multiply.outer(worths, signs).astype(np.float32)
        return known, jnp.where(known[:, None], told, payoffs)

    def _share(self, payoffs: Any) -> Any:
        """From 0, the least there is, to 1."""
        least, most = self.bounds
        return (payoffs - least) / (most - least)

    def _seen_by_mover(self, payoffs: Any, mover: Any) -> Any:
        """(n, values) from 0 to 1, the mover's first."""
        players = payoffs.shape[1]
        seats = (jnp.maximum(mover, 0)[:, None] + jnp.arange(self.layout.values)) % players
        return jnp.clip(self._share(jnp.take_along_axis(payoffs, seats, axis=1)), 0.0, 1.0)

    def check(self) -> None:
        """A GameError where payoffs are none that the network can tell, or a plane has other values than it had in
        random games, by which it is recorded."""
        least, most = self.bounds
        beyond = self._range[0] if self._range[0] < least else self._range[1]
        if not least <= beyond <= most:
            raise GameError(
                f"{self.game.name}: a game paid {beyond:g}, and what a network tells is from {least:g} to {most:g}; "
                "declare a utility_range that has room for the payoffs of every player"
            )
        wrong = np.flatnonzero(np.asarray(self._wrong))
        if len(wrong):
            raise GameError(
                f"{self.game.name}: plane {wrong[0]} was 0 or 1 everywhere in random games, and has other values now; "
                "begin the training anew with bits off, so that planes are kept as they are"
            )

    def counts(self) -> dict[str, float]:
        """COUNTED of the games that came to their end since this was last asked."""
        found = sum(np.asarray(half.clocks.counted, np.float64) for half in self.halves)
        for half in self.halves:
            half.clocks = half.clocks._replace(counted=jnp.zeros(4, jnp.float32))
        return dict(zip(COUNTED, map(float, np.asarray(found)), strict=True))

    # -- to be kept ------------------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        kept = {f"ring.{name}": np.asarray(array) for name, array in self.ring._asdict().items()}
        for number, half in enumerate(self.halves):
            kept |= {f"half{number}.{name}": array for name, array in half.state().items()}
        return {**kept, "moves": np.array([self.moves, self.recorded, self._was_full], np.int64)}

    def restore(self, kept: Mapping[str, Any]) -> None:
        self.ring = Ring(*(jnp.array(kept[f"ring.{name}"]) for name in Ring._fields))
        for number, half in enumerate(self.halves):
            before = f"half{number}."
            half.restore({name.removeprefix(before): one for name, one in kept.items() if name.startswith(before)})
        self.moves, self.recorded = int(kept["moves"][0]), int(kept["moves"][1])
        self._was_full = bool(kept["moves"][2])
