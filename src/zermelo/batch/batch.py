"""`Batch`: n games of one kind, side by side. What `zermelo.batch` makes.

    games = zermelo.batch("connect-four", 1000, seed=1)
    while not games.over.all():
        games.step(choose(games.legal), by="policy")

Arrays are NumPy's own on the cores; on a card they stay there, behind the CUDA array interface (see handover.py). An
array is written anew when the same is asked for after the next move: copy what is to be kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from zermelo.batch.arrays import SLOT, Games, Order, Out, bytes_of_a_game, make_games, shapes, unwatched
from zermelo.batch.bodies import BY_ACTION, BY_PLACE, BY_POLICY
from zermelo.batch.handover import from_anywhere
from zermelo.batch.random_game import LONG
from zermelo.compile.record_game import RecordGame, State
from zermelo.compile.targets import need_cuda
from zermelo.core.game import OVER, Game, GameError, shorten
from zermelo.core.memory import available_memory
from zermelo.core.registry import as_game
from zermelo.core.spec import whole
from zermelo.core.words import count

DECLARED = {"legal": "policy_size", "planes": "planes(s, out) and plane_shape", "owners": "owners(s, out)"}
LISTED = ("actions", "count")
MOST = 1 << 62  # plies or games of a call
CHECKSUM = "checksum"  # beside the arrays of a Games that is kept
MEANT = {"action": BY_ACTION, "policy": BY_POLICY, "place": BY_PLACE}


class Options(NamedTuple):
    """How a batch is played."""

    checked: bool
    restart: bool
    watch: tuple[str, ...]


class Batch:
    """n games at once. Chance is resolved inside: there is always a player to move, or the game is over."""

    def __init__(self, game: RecordGame, n: int, device: Any, games: Games, options: Options):
        self.game, self.n, self.device = game, n, device
        self.games, self.options = games, options
        self._seen: dict[str, Any] = {}  # what was asked for since the last move
        self._rooms: dict[str, Any] = {}  # … and the arrays that it is written to, again and again
        self._flats: dict[str, Any] = {}  # … as they are seen
        self._outs: dict[tuple[str, ...], Out] = {}  # … and, by what is watched, where everything is written
        self._shapes = {**shapes(game.variant), "sums": ("f8", game.players)}
        self._unwatched = Out(*(device.table(unwatched(*self._shapes[name])) for name in Out._fields))
        self._watch(*options.watch)

    # -- what is seen --------------------------------------------------------------------------------------------------

    @property
    def states(self) -> Any:
        """(n,) the positions, as records of the rules."""
        return self.games.states

    @property
    def player(self) -> Any:
        """(n,) whose turn it is; OVER where the game is over."""
        return self._field("player")

    @property
    def over(self) -> Any:
        """(n,) is the game over? In NumPy's memory, on a card too."""
        return self.device.read(self.player) == OVER

    @property
    def utilities(self) -> Any:
        """(n, players) the payoffs of games that are over; 0 before."""
        return self._field("utilities")

    @property
    def plies(self) -> Any:
        """(n,) moves and rolls made in each place of the batch since it was made."""
        return self._field("plies")

    @property
    def finished(self) -> Any:
        """(n,) games that came to their end in each place of the batch."""
        return self._field("finished")

    @property
    def actions(self) -> Any:
        """(n, max_actions) the legal actions of each game: the first `count` of a row. What stands behind them is
        left over from other positions."""
        return self._look("actions")

    @property
    def count(self) -> Any:
        """(n,) how many legal actions there are; 0 where the game is over."""
        return self._look("count")

    @property
    def legal(self) -> Any:
        """(n, policy_size) bool: which numbers are the policy_index of a legal action."""
        return self._look("legal")

    @property
    def planes(self) -> Any:
        """(n, count, height, width) int8: what a network sees of each game, from the view of the player to move."""
        return self._look("planes")

    @property
    def owners(self) -> Any:
        """(n, height, width) int8: whose each cell is where a game is over, 1 player 0's and -1 player 1's; else 0."""
        return self._look("owners")

    # -- what is done --------------------------------------------------------------------------------------------------

    def reset(self, where: Any = None) -> None:
        """Every game begins anew, or only where `where` is true."""
        with self._only(where):
            self._move("reset")

    def step(self, actions: Any, by: str = "action", where: Any = None) -> None:
        """Play one move in every game, or only where `where` is true. `by` says what `actions` are: the actions
        themselves, "policy" for their policy_index, "place" for their places in the list. A game that is over takes
        anything: it begins anew, if games restart, or stays as it is. If checked, one illegal action is a GameError,
        and no game has moved."""
        if not isinstance(by, str) or by not in MEANT:
            raise GameError(f"a step is told by 'action', 'policy' or 'place', not {by!r}")
        try:
            given = from_anywhere(actions)
        except ValueError:  # rows of several lengths
            given = None
        said = None if given is None else self.device.array(given)
        if getattr(said, "shape", None) != (self.n,) or np.dtype(said.dtype).kind not in "iu":  # type: ignore[union-attr]
            raise GameError(f"a step takes {self.n} whole numbers, one for each game of the batch")
        self.device.put(self.games.notes, "action", said)
        with self._only(where):
            self._step(said, by)

    def _step(self, said: Any, by: str) -> None:
        how = MEANT[by]
        if how == BY_POLICY and "policy_index" not in self.game.variant.functions:
            how = BY_ACTION  # the same numbers
        if self.options.checked or how != BY_ACTION:
            self._run("locate", self._watch(), how=how)
            if self.options.checked:
                self._check(said, by)
        self._move("step")

    def random_steps(self, steps: int, digests: bool = False, where: Any = None) -> None:
        """`steps` moves at random in every game, or only where `where` is true. With `digests`, a hash of the moves is
        kept: see `digest`."""
        with self._only(where):
            self._move("random_steps", steps=whole("steps", steps, 0, MOST), digests=digests)

    @property
    def digest(self) -> Any:
        """(n,) a hash of each game's random moves so far."""
        return self._field("digest")

    def playouts(self, times: int, max_plies: int | None = None) -> Any:
        """(n, players) the mean payoffs of `times` random games from where each game stands, in NumPy's memory."""
        times = whole("times", times, 1, MOST)
        limit = self.game.variant.max_plies or LONG if max_plies is None else whole("max_plies", max_plies, 1, MOST)
        out = self._watch("sums")
        self._run("play_out", out, steps=times, limit=limit)
        return self.device.read(self._flat("sums")) / times

    def copy(self) -> Batch:
        """The same games, to be played on elsewhere; not by two threads at the same time."""
        return Batch(self.game, self.n, self.device.another(), Games(*map(self.device.copy, self.games)), self.options)

    def kept(self) -> dict[str, Any]:
        """All that the next moves depend on, as rows of bytes in NumPy's memory: for `restore`, in another process."""
        kept = {}
        for name, array in self.games._asdict().items():
            here = self.device.read(array)
            clean = np.zeros(len(here), here.dtype)  # between the fields too
            for one in array.dtype.names:
                clean[one] = here[one]
            kept[name] = np.frombuffer(clean.tobytes(), np.uint8).reshape(len(array), -1)
        return {**kept, CHECKSUM: self._checksum(kept)}

    def restore(self, kept: Mapping[str, Any]) -> None:
        """Go on from what `kept` gave of a batch like this one. What is damaged is refused, and nothing has changed."""
        title, made = f"these are not {self.n} games of {self.game.name}", {}
        if not isinstance(kept, Mapping) or not {*kept} >= {CHECKSUM, *Games._fields}:
            raise GameError(f"{title}: restore takes what kept() gave")
        for name, array in self.games._asdict().items():
            rows = kept[name]
            if getattr(rows, "shape", None) != (len(array), array.dtype.itemsize) or rows.dtype != np.uint8:
                raise GameError(f"{title}: their {name} are of another size")
            made[name] = np.frombuffer(rows.tobytes(), array.dtype).copy()
        if not np.array_equal(kept[CHECKSUM], self._checksum(kept)):
            raise GameError(f"{title}: they are damaged, of a variant, or their states have other fields")
        self.games, self._seen = Games(**{name: self.device.array(one) for name, one in made.items()}), {}

    def _checksum(self, kept: Mapping[str, Any]) -> NDArray[np.uint8]:
        """Of all that is kept, and of what it is of: bytes that are no games would send compiled rules anywhere."""
        dtype = self.game.variant.dtype
        layout = [(name, dtype[name].str, dtype[name].shape) for name in dtype.names or () if not name.startswith("_")]
        found = crc32(repr((self.game.name, sorted(self.game.options.items()), layout)).encode())
        for name in Games._fields:
            found = crc32(kept[name].tobytes(), found)
        return np.frombuffer(found.to_bytes(4, "little"), np.uint8)

    def state(self, i: int) -> State:
        """Game i's position, as everything else in this library takes it."""
        i = whole("the number of a game of the batch", i, 0, self.n - 1)
        return State(self.game, np.array(self.device.read(self.games.states[i : i + 1])))

    # -- inside --------------------------------------------------------------------------------------------------------

    @contextmanager
    def _only(self, where: Any) -> Iterator[None]:
        """Games outside `where` wait."""
        if where is None:
            yield
            return
        chosen = np.asarray(where)
        if chosen.shape != (self.n,) or chosen.dtype != np.bool_:
            raise GameError(f"where takes {self.n} times true or false, one for each game of the batch")
        self.device.put(self.games.slots, "waits", self.device.array((~chosen).astype(np.int16)))
        try:
            yield
        finally:
            self.device.put(self.games.slots, "waits", 0)

    def _run(self, body: str, out: Out, **order: Any) -> None:
        told = {name: int(value) for name, value in order.items()}
        self.device.run(body, self.games, Order(restart=int(self.options.restart), **told), out)

    def _move(self, body: str, **order: Any) -> None:
        """Run a body that makes moves: it shows what is watched, and what was seen before is seen no more."""
        self._seen = {}  # also if rules go wrong on the way
        self._run(body, self._watch(*self.options.watch), **order)
        self._seen = {name: self._flat(name) for name in self.options.watch}

    def _look(self, name: str) -> Any:
        """What is not watched, but asked for."""
        if name not in self._seen:
            names = LISTED if name in LISTED else (name,)
            self._run("look", self._watch(*names))
            self._seen.update((name, self._flat(name)) for name in names)
        return self._seen[name]

    def _field(self, name: str) -> Any:
        if name not in self._seen:
            records = self.games.slots if name in SLOT.fields else self.games.notes  # type: ignore[operator]
            self._rooms[f"field {name}"] = room = self.device.field(records, name, self._rooms.get(f"field {name}"))
            self._seen[name] = room
        return self._seen[name]

    def _watch(self, *names: str) -> Out:
        """Where everything is written while these are watched, in rooms of their own."""
        for name in names:
            kind, shape = self._shapes[name]
            if shape is None:
                raise GameError(f"{self.game.name} has no {name} to watch: its rules would declare {DECLARED[name]}")
            if name not in self._rooms:
                self._rooms[name] = self.device.rows(self.n, shape, kind)
        if names not in self._outs:
            self._outs[names] = self._unwatched._replace(**{name: self._rooms[name] for name in names})
        return self._outs[names]

    def _flat(self, name: str) -> Any:
        if name in self._flats:
            return self._flats[name]
        kind, shape = self._shapes[name]
        shape = shape if isinstance(shape, tuple) else (shape,)
        whole_shape = (self.n, *(shape[1:] if name in ("player", "count", "owners") else shape))
        self._flats[name] = self.device.flat(self._rooms[name], "?" if name == "legal" else kind, whole_shape)
        return self._flats[name]

    def _check(self, said: Any, by: str) -> None:
        self._seen.pop("fault", None)
        wrong = np.flatnonzero(self.device.read(self._field("fault")))
        if len(wrong):
            i = int(wrong[0])
            more = f" (and in {len(wrong) - 1} more)" if len(wrong) > 1 else ""
            kind = "a legal action" if by == "action" else f"the {by} of a legal action"
            where = f"in game {i} of the batch{more}: {self.game.format(self.state(i))}"
            raise GameError(f"{self.game.name}: {int(self.device.read(said)[i])} is not {kind} {where}")


def _need_memory(game: RecordGame, n: int, each: int, free: int, where: str = "") -> None:
    """Linux hands out memory that is not there, and ends who uses it: so it is asked first."""
    wanted = n * each
    if wanted > free:
        raise GameError(
            f"{count(n, 'game')} of {game.name} take {wanted / 2**30:.1f} GiB, "
            f"and {free / 2**30:.1f} GiB are free{where}"
        )


def make_batch(
    game: Game[Any, Any] | str,
    n: int,
    *,
    state: State | None = None,
    device: str = "cpu",
    seed: int = 0,
    checked: bool = True,
    restart: bool = False,
    repetition: bool = True,
    watch: str | Sequence[str] = (),
    threads: int | None = None,
) -> Batch:
    """n games of a game, or of the one with that name, at `state` or at the start. `device`: "cpu" or "cuda"; a seed
    gives the same games on both.

    `checked` has every action looked at before it is played; `restart` lets a game that is over begin anew with the
    next step; without `repetition` no position is remembered, and what the rules say about repeated ones is left out.
    `watch` names what is wanted after every move ("player", "utilities", "actions", "count", "legal", "planes"): it is
    then written by the same kernel that makes the moves.
    """
    game = as_game(game)
    if not isinstance(game, RecordGame):
        raise GameError(f"{game.name} is a plain Python game: a batch needs rules over a record (see @rules)")
    n, seed = whole("games of a batch", n, 1, 2**31), whole("seed", seed)
    for name, told in (("checked", checked), ("restart", restart), ("repetition", repetition)):
        if not isinstance(told, bool | np.bool_):
            raise GameError(f"{name} is True or False, not {shorten(told)}")
    watch = (watch,) if isinstance(watch, str) else watch
    if device == "cpu":
        from zermelo.batch.cores import Cores

        where: Any = Cores(game, None if threads is None else whole("threads", threads, 1, 256))
    elif device == "cuda":
        need_cuda()
        from zermelo.batch.card import Card

        where = Card(game, checked)
    else:
        raise GameError(f"a batch is played on 'cpu' or 'cuda', not {device!r}")
    if restart and game.player(game.start() if state is None else state) == OVER:
        raise GameError(f"{game.name}: games that begin where the game is over cannot begin anew")
    tracks = repetition and game.variant.repetition is not None
    if not isinstance(watch, Sequence):
        raise GameError(f"watch takes names such as 'planes', not {watch!r}")
    for name in watch:
        if not isinstance(name, str) or name not in shapes(game.variant):
            raise GameError(f"a batch can watch {', '.join(shapes(game.variant))}, not {name!r}")
    wanted = dict.fromkeys(also for name in watch for also in (LISTED if name == "actions" else (name,)))
    there = where.bytes_of_a_game(tracks, tuple(wanted))
    _need_memory(game, n, there, where.available_memory(), "" if device == "cpu" else " on the card")
    made_here = bytes_of_a_game(game.variant, tracks, ())  # on a card's machine too
    _need_memory(game, n, made_here, available_memory())
    kept = make_games(game.variant, game.record(state), n, seed, tracks)
    made = Batch(game, n, where, Games(*map(where.array, kept)), Options(checked, restart, tuple(wanted)))
    made.reset()
    return made
