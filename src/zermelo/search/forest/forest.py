"""`Forest`: a Monte Carlo tree search in every game of a batch at once, all leaves judged together.

    games = zermelo.batch("connect-four", 1000, device="cuda")
    forest = make_forest(games, simulations=64)
    while not games.over.all():
        forest.search(judge)                     # judge(planes) → logits, values
        games.step(forest.chosen, by=forest.by)

Every simulation is three steps: all trees walk to a leaf, the judge sees all leaves as one array, all trees grow.
Arrays are NumPy's own on the cores and stay on a card, as in a batch, and are written anew by the next search.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any

import numpy as np

from zermelo.batch.batch import Batch
from zermelo.compile.record import rows
from zermelo.compile.rules import RulesError
from zermelo.core.game import GameError, shorten
from zermelo.core.spec import number, whole
from zermelo.search.forest.cores import OnCores
from zermelo.search.forest.settings import Settings, make_options
from zermelo.search.forest.trees import Sight, Sizes, Trees, make_slots, make_trees, plan_sizes
from zermelo.search.mcts.tree import count_values

Judge = Callable[[Any], tuple[Any, Any]]
PARTS = 8  # a judge sees whole eighths of the games: few shapes, for whoever compiles for each


class Forest:
    """One tree for every game of a batch; `make_forest` makes it."""

    def __init__(
        self, batch: Batch, simulations: int, settings: Settings, sizes: Sizes, where: Any, trees: Trees, sight: Sight
    ):
        self.batch, self.game, self.n = batch, batch.game, batch.n
        self.simulations, self.settings, self.sizes = simulations, settings, sizes
        self._temperature = settings.temperature  # that the trees know
        self._where, self._trees, self._sight = where, trees, sight
        self._each = 1  # values that the judge gives of a position
        self._rooms: dict[str, Any] = {}
        self._shows_planes = "at" in sight.seen.dtype.names

    # -- what was found ------------------------------------------------------------------------------------------------

    @property
    def by(self) -> str:
        """What numbers are: the actions' "policy" index, or, where rules have none, their "place" in the list."""
        return "policy" if self.game.variant.policy_size else "place"

    @property
    def visits(self) -> Any:
        """(n, numbers) int32: how often the root's actions were visited."""
        return self._table("visits", "i4")

    @property
    def policy(self) -> Any:
        """(n, numbers) float32: the improved policy of the root, which a network should learn."""
        return self._table("policy", "f4")

    @property
    def value(self) -> Any:
        """(n, players) float32: the payoffs that the search expects. With Gumbel's search, what the improved policy is
        worth to every player; with PUCT, the mean of all simulations. Exact where the root is proven."""
        return self._table("value", "f4")

    @property
    def raw_policy(self) -> Any:
        """(n, numbers) float32: what the judge's logits made of the root's actions, before any noise."""
        return self._table("raw_policy", "f4")

    @property
    def raw_value(self) -> Any:
        """(n, players) float32: the payoffs that the judge expected at the root."""
        return self._table("raw_value", "f4")

    @property
    def chosen(self) -> Any:
        """(n,) int32: the number of the action to be played; 0 where nothing was searched."""
        return self._field("chosen")

    @property
    def full(self) -> Any:
        """(n,) int32: leaves for which a tree had no room; see `Settings.branching`."""
        return self._field("full")

    @property
    def deepest(self) -> Any:
        """(n,) int32: plies of the longest walk."""
        return self._field("deepest")

    @property
    def bytes_per_tree(self) -> int:
        """Memory of one tree."""
        return self.sizes.bytes_per_tree(self.game)

    def kept(self) -> Any:
        """(n,) the trees' generators, in NumPy's memory: all that a search leaves to the next one."""
        return np.array(self.batch.device.read(self._field("random")))

    def restore(self, kept: Any) -> None:
        """Go on from what `kept` gave of a forest like this one."""
        slots = make_slots(self.game, self.n, 0)
        slots["random"] = kept
        self._trees = self._trees._replace(slots=self._where.bring(slots))
        self._rooms.clear()

    # -- the search ----------------------------------------------------------------------------------------------------

    def search(
        self, judge: Judge, simulations: Any = None, where: Any = None, temperature: float | None = None
    ) -> None:
        """Search every game, or only where `where` is true. `simulations`: how many, or one number for each game; all
        that the forest was made for, if nothing is said.

        The judge is given what leaves look like, (m, planes, height, width) int8 from the view of the player to move,
        or m records where rules have no planes; m is n, or less when few games are still searched. It answers with
        (m, numbers) logits, of which only those of legal actions are looked at, and with values: (m,), the payoff the
        player to move expects in a game of one, or of two that is zero-sum; or (m, players), the mover's, the next
        player's and so on. Rows that no tree waits for may hold anything.
        """
        search_in_turn([self], judge, [simulations], [where], temperature)

    def rounds(
        self, simulations: Any = None, where: Any = None, temperature: float | None = None
    ) -> Generator[Any, tuple[Any, Any], None]:
        """A search that asks: it yields what is to be judged and is sent the answer, until it is done."""
        told = self._tell(simulations, where, temperature)
        for turn in range(int(told.max()) + 1):
            waiting = int((told >= turn).sum())
            step = -(-self.n // PARTS)
            m = min(self.n, -(-waiting // step) * step)
            if self._shows_planes:
                self._where.clear(self._sight.seen)  # planes are written where they are not zero
            self._where.advance(self.batch.games, self._trees, self._sight, self._each)
            self._where.wait()
            self._hear((yield self._where.seen(self._sight.seen, m)), m)
        self._where.run("grow", self._trees, self._each)
        self._where.run("conclude", self._trees)
        self._rooms.clear()
        self._check()

    def _tell(self, simulations: Any, where: Any, temperature: float | None) -> Any:
        """Empty trees that know what they are to do: (n,) simulations, -1 where there is nothing to do."""
        told = np.full(self.n, self.simulations) if simulations is None else _array(simulations)
        if told.ndim == 0:
            told = np.full(self.n, whole("simulations", told.item(), 0))
        if told.shape != (self.n,) or told.dtype.kind not in "iu" or told.min() < 0 or told.max() > self.simulations:
            raise GameError(f"simulations takes a whole number up to {self.simulations}, or {self.n} of them")
        told = told.astype(np.int64)  # -1 is another of them, and their order is turned below
        if where is not None:
            chosen = _array(where)
            if chosen.shape != (self.n,) or chosen.dtype != np.bool_:
                raise GameError(f"where takes {self.n} times true or false, one for each game of the batch")
            told = np.where(chosen, told, -1)
        told = np.where(self.batch.over, -1, told)
        # rows of the judge: whoever is searched longest comes first, so that the last rows are done with first
        place = np.empty(self.n, np.int64)
        place[np.argsort(-told, kind="stable")] = np.arange(self.n)
        self._where.fill(self._trees.told, np.stack([told, place], axis=1))
        wanted = self.settings.temperature if temperature is None else number("temperature", temperature, 0)
        if wanted != self._temperature:
            self._temperature = wanted
            options = make_options(self.game, self.settings._replace(temperature=wanted), self.sizes)
            self._trees = self._trees._replace(options=self._where.bring(options))
        for name in ("visits", "policy", "value", "raw_policy", "raw_value", "paid"):
            self._where.clear(getattr(self._trees, name))
        self._where.run("prepare", self._trees)
        return told

    def _hear(self, said: Any, m: int) -> None:
        """The judge's answer, as rows."""
        try:
            logits, values = said
        except (TypeError, ValueError):
            raise GameError("a judge answers with two arrays, logits and values") from None
        players, numbers = self.game.players, self.sizes.numbers
        try:
            wide, shape = self._where.shape(logits), self._where.shape(values)
        except (AttributeError, ValueError):
            raise GameError("a judge answers with two arrays, logits and values") from None
        alone = shape in ((m,), (m, 1)) and count_values(self.game) == 1
        if wide != (m, numbers) or not (alone or shape == (m, players)):
            wanted = f"({m}, {numbers}) logits and ({m}, {players}) values"
            raise GameError(f"a judge answers here with {wanted}, not {wide} and {shape}")
        self._each = 1 if alone else players
        try:
            answers = self._where.answers(logits), self._where.answers(values)
        except (TypeError, ValueError):
            raise GameError("a judge answers with numbers: logits and values") from None
        self._trees = self._trees._replace(logits=answers[0], values=answers[1])

    def _check(self) -> None:
        """Has the judge said something that is no number, or a card's thread ended before its time?"""
        for name, sentence in (
            ("busy", "the rules of game {} of the batch answer more than they declare"),
            ("fault", "what the judge said of game {} of the batch, or of a position after it, is no number"),
        ):
            wrong = np.flatnonzero(self.batch.device.read(self._field(name)))
            if len(wrong):
                kind = RulesError if name == "busy" else GameError
                raise kind(f"{self.game.name}: {sentence.format(int(wrong[0]))}")

    def _table(self, name: str, kind: str) -> Any:
        width = self.game.players if name.endswith("value") else self.sizes.numbers
        return self.batch.device.flat(getattr(self._trees, name), kind, (self.n, width))

    def _field(self, name: str) -> Any:
        if name not in self._rooms:
            self._rooms[name] = self.batch.device.field(self._trees.slots, name, None)
        return self._rooms[name]


def make_forest(batch: Batch, simulations: int, settings: Settings | None = None) -> Forest:
    """A tree for every game of `batch`, with room for so many simulations of each."""
    if not isinstance(batch, Batch):
        raise GameError(f"a forest takes a batch, as zermelo.batch makes it, not {shorten(batch)}")
    if settings is not None and not isinstance(settings, Settings):
        raise GameError(f"settings of a forest are Settings(…), not {shorten(settings)}")
    settings, game, rules = settings or Settings(), batch.game, batch.game.variant
    simulations = whole("simulations", simulations, 1)
    if settings.branching is not None:
        whole("branching", settings.branching, 1)
    sees = settings.sees
    if sees is None:
        sees = "planes" if rules.plane_shape else "states"
    if not isinstance(sees, str) or sees not in ("planes", "states") or (sees == "planes" and not rules.plane_shape):
        known = "'planes' or 'states'" if rules.plane_shape else "'states'"
        raise GameError(f"a judge of {game.name} can be given {known}, not {shorten(sees)}")
    tracks = bool(batch.games.keys.dtype["at"].shape[0] > 1)
    sizes = plan_sizes(game, simulations, settings.branching, tracks)
    if batch.device.name == "cpu":
        where: Any = OnCores(batch.device)
    else:
        from zermelo.search.forest.card import OnCard

        where = OnCard(batch.device)
    options = where.bring(make_options(game, settings, sizes))
    seen = where.room(batch.n, rules.dtype) if sees == "states" else batch.device.rows(batch.n, rules.plane_shape, "i1")
    keys = where.room(batch.n if tracks else 1, rows(0, sizes.keys, "u8").dtype)
    slots = where.bring(make_slots(game, batch.n, whole("seed", settings.seed)))
    trees = make_trees(game, batch.n, sizes, where.room, slots, options)
    return Forest(batch, simulations, settings, sizes, where, trees, Sight(keys, seen))


def search_in_turn(
    forests: Sequence[Forest],
    judge: Judge,
    simulations: Sequence[Any] | None = None,
    where: Sequence[Any] | None = None,
    temperature: float | None = None,
) -> None:
    """Search several forests at once: while the judge is at work for one of them, the others walk and grow.

    That is so where the judge answers with arrays that are still being computed, as JAX's functions do. `simulations`
    and `where` have one entry a forest. Each forest ends with what `search` would have given it alone.
    """
    if not callable(judge):
        raise GameError(f"a judge is a function from what leaves look like to (logits, values), not {shorten(judge)}")
    for name, given in (("simulations", simulations), ("where", where)):
        if given is not None and (not hasattr(given, "__len__") or len(given) != len(forests)):
            raise GameError(f"{name} takes one entry for each of {len(forests)} forests, not {shorten(given)}")
    asking = [
        forest.rounds(None if simulations is None else simulations[k], None if where is None else where[k], temperature)
        for k, forest in enumerate(forests)
    ]
    answers: dict[int, Any] = dict.fromkeys(range(len(asking)))
    while answers:
        for k in list(answers):
            try:
                answers[k] = judge(asking[k].send(answers[k]))
            except StopIteration:
                del answers[k]


def _array(given: Any) -> Any:
    """As one of NumPy's; where rows are of different lengths, one that fits no batch."""
    try:
        return np.asarray(given)
    except ValueError:
        return np.empty(0)
