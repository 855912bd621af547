"""Works out the endings of a game, group by group, and keeps them: what `zermelo tables build` does.

What is finished is a file under its name, and nothing else is: killed at any moment, the next build goes on with the
group it was in, and the files in the end are the same, byte for byte.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.compile.endings import Ending, read_endings
from zermelo.compile.record_game import RecordGame
from zermelo.compile.targets import need_cuda
from zermelo.core.game import GameError
from zermelo.core.stopwatch import Stopwatch
from zermelo.solve.tables.expected import Expectation, Values
from zermelo.solve.tables.first_look import need_right_numbers
from zermelo.solve.tables.group import A_POSITION, AN_EDGE, Solved, solve_group
from zermelo.solve.tables.keep import alone, write_class
from zermelo.solve.tables.memory import Need, estimate, estimate_expected
from zermelo.tables.known import Known
from zermelo.tables.tables import PLIES, TURNS, VALUE, WDL, Tables, file_name, lay_out, main_kind
from zermelo.tables.verdict import need_declared_payoffs

PASSES = 3  # looks at every position of a group: counting, linking, verifying


@dataclass(frozen=True)
class Progress:
    """Where a build is."""

    group: str  # the name of its first class
    doing: str
    share: float  # of all the work there is to do
    seconds_left: float | None


Tell = Callable[[Progress], None]


def build_tables(
    game: RecordGame,
    limit: int,
    *,
    with_plies: bool = False,
    device: str = "cpu",
    threads: int | None = None,
    memory: int | None = None,
    folder: Path | str | None = None,
    tell: Tell = lambda progress: None,
    tell_need: Callable[[Need], None] = lambda need: None,
    tell_damaged: Callable[[GameError], None] = lambda problem: None,
) -> Tables:
    """Have the endings of up to `limit` as files: those that are not there are worked out, in at most `memory` bytes.

    `tell_need` is called with what that takes, before it is begun; `tell_damaged` with what is wrong with a file that
    was there, which is then built anew.
    """
    need_two_sides(game)
    need_declared_payoffs(game)
    groups = read_endings(game, limit)
    if not groups:
        raise GameError(f"{game.name} has no endings up to {limit}")
    tables = Tables(game, folder)
    has_chance = bool(game.variant.max_chance_outcomes)
    if has_chance and (with_plies or device != "cpu"):
        raise GameError(
            f"{game.name} has chance: what its endings are worth on average is worked out on 'cpu', and without plies"
        )
    runs = make_device(game, device, threads)
    with alone(tables.folder):
        missing = _missing(tables, groups, with_plies, tell_damaged)
        if missing:
            need = (estimate_expected if has_chance else estimate)(game, groups, missing, with_plies)
            allowed = runs.available_memory() if memory is None else memory
            tell_need(need)
            if need.total > allowed:
                raise GameError(
                    f"{game.name} up to {limit} takes about {need.total / 2**30:.1f} GiB of memory, most of it for "
                    f"'{need.largest}', and {allowed / 2**30:.2f} are allowed"
                )
            need_right_numbers(game, groups, missing)
            if has_chance:
                _ExpectedBuild(tables, groups, missing, runs, tell).run()
            else:
                _Build(tables, groups, missing, with_plies, runs, allowed, tell).run()
    return tables


def need_two_sides(game: RecordGame) -> None:
    """Tables are for two players, one against the other."""
    rules = game.variant
    if rules.players != 2 or not rules.zero_sum:
        raise GameError(f"{game.name}: endings are worked out for two players against each other only")


def make_device(game: RecordGame, device: str, threads: int | None = None) -> Any:
    """Where bodies run."""
    if device == "cpu":
        from zermelo.solve.tables.cores import Cores

        return Cores(game, threads)
    if device == "cuda":
        need_cuda()
        from zermelo.solve.tables.card import Card

        return Card(game)
    raise GameError(f"tables are built on 'cpu' or 'cuda', not {device!r}")


class _Build:
    def __init__(
        self,
        tables: Tables,
        groups: Sequence[Sequence[Ending]],
        missing: Sequence[Sequence[Ending]],
        with_plies: bool,
        device: Any,
        memory: int,
        tell: Tell,
    ):
        self.tables, self.groups, self.missing = tables, groups, missing
        self.with_plies, self.device, self.memory = with_plies, device, memory
        self.tell = tell
        self.work = PASSES * sum(one.size for group in missing for one in group)
        self.done = 0
        self.reach = 1  # the longest way to the end known so far
        self.writer = ThreadPoolExecutor(1)  # keeps a group while the next is worked out
        self.writing: Future[None] | None = None
        self.held_to_write = 0  # bytes

    def run(self) -> None:
        with self.writer:
            self._run()
            self._wait_for_files()

    def _run(self) -> None:
        classes, positions = lay_out([one for group in self.groups for one in group])
        values = np.zeros(positions // 4, np.uint8)
        plies = np.zeros(positions if self.with_plies else 1, np.uint16)
        for group in self.groups:
            if group not in self.missing:
                for one in group:
                    self.tables.read_into(one.number, classes, values, plies if self.with_plies else None)
                    if self.with_plies:
                        self._remember(one)
        known = self.device.known(classes, values, plies)
        held = values.nbytes + plies.nbytes
        self.watch = Stopwatch()
        for group in self.missing:
            self._work_out(group, known, held)

    def _work_out(self, group: Sequence[Ending], known: Known, held: int) -> None:
        def tell(doing: str, done: int, of: int) -> None:
            self.done += done
            share = min(1.0, self.done / self.work)
            left = self.watch.seconds / share * (1 - share) if share > 0.001 else None
            self.tell(Progress(group[0].name, doing, share, left))

        n = sum(one.size for one in group)
        if self.held_to_write > self.memory // 20:
            self._wait_for_files()
        each = A_POSITION + 1 + 4 * self.with_plies  # with its value, and with levels read and copied
        most = max(0, self.memory - held - self.held_to_write - each * n) // AN_EDGE
        solved = solve_group(
            self.device, known, group, self.with_plies, self.reach if self.with_plies else 1, most, tell
        )
        if self.with_plies:
            self.reach = max(self.reach, *(int(plies.max()) for plies in solved.plies))
        self._wait_for_files()
        self.held_to_write = n * (6 if self.with_plies else 1)
        self.writing = self.writer.submit(self._keep, group, solved)

    def _wait_for_files(self) -> None:
        if self.writing is not None:
            self.writing.result()
        self.writing, self.held_to_write = None, 0

    def _remember(self, one: Ending) -> None:
        file = self.tables.file(one.number, PLIES)
        assert file is not None
        self.reach = max(self.reach, file.header.longest)

    def _keep(self, group: Sequence[Ending], solved: Solved) -> None:
        for k, one in enumerate(group):
            counts = count_values(solved.packed[k], one.size)
            write_class(self.tables, one, WDL, 2, solved.packed[k], counts, 0)
            if self.with_plies:
                longest = int(solved.plies[k].max())
                kind = np.uint8 if longest < 256 else np.dtype("<u2")
                bits = 8 * np.dtype(kind).itemsize
                write_class(self.tables, one, PLIES, bits, solved.plies[k].astype(kind), counts, longest)


class _ExpectedBuild:
    """Of a game with chance: what positions are worth on average; see expected.py."""

    def __init__(
        self,
        tables: Tables,
        groups: Sequence[Sequence[Ending]],
        missing: Sequence[Sequence[Ending]],
        cores: Any,
        tell: Tell,
    ):
        self.tables, self.groups, self.missing, self.tell = tables, groups, missing, tell
        self.solver = Expectation(tables.game, cores)
        self.work = sum(one.size for group in missing for one in group)
        self.done = 0

    def run(self) -> None:
        known = Values.of([one for group in self.groups for one in group])
        self.watch = Stopwatch()
        for group in self.groups:
            if group in self.missing:
                self._work_out(group, known)
                continue
            for one in group:
                if not one.one_sided:
                    file = self.tables.file(one.number, VALUE)
                    assert file is not None
                    known.of_class(one.number)[:] = file.content()

    def _work_out(self, group: Sequence[Ending], known: Values) -> None:
        def tell(done: int) -> None:
            self.done += done
            share = self.done / self.work
            left = self.watch.seconds / share * (1 - share) if share > 0.001 else None
            self.tell(Progress(group[0].name, "looking", share, left))

        if group[0].one_sided:
            for one in group:
                turns = self.solver.solve_alone(one, tell)
                longest = int(np.flatnonzero(turns.any(axis=0)).max())
                width = 1 << longest.bit_length()  # more than that, and a divisor of a block
                write_class(self.tables, one, TURNS, 64 * width, turns[:, :width].copy(), {"none": 0}, longest)
            return
        self.solver.solve_group(known, group, tell)
        for one in group:
            values = known.of_class(one.number)
            write_class(self.tables, one, VALUE, 32, values, {"none": int(np.isinf(values).sum())}, 0)


def count_values(packed: NDArray[np.uint8], size: int) -> dict[str, int]:
    """How many positions are won, lost and drawn for whoever moves, and how many numbers are no position's."""
    pairs = np.bincount(packed[: len(packed) & ~1].view(np.uint16), minlength=1 << 16).reshape(256, 256)
    whole = pairs.sum(axis=0) + pairs.sum(axis=1) + np.bincount(packed[len(packed) & ~1 :], minlength=256)
    counts = [0, 0, 0, 0]
    for byte in range(256):
        for k in range(4):
            counts[byte >> (2 * k) & 3] += int(whole[byte])
    counts[0] -= 4 * len(packed) - size  # what fills the last byte up
    return dict(zip(("draw", "win", "loss", "none"), counts, strict=True))


def _missing(
    tables: Tables, groups: Sequence[Sequence[Ending]], with_plies: bool, tell_damaged: Callable[[GameError], None]
) -> list[Sequence[Ending]]:
    """Groups of which a file is not there, or is refused: such a file is taken away. What files hold is looked at where
    none is missing; else whoever builds on them does it."""

    def is_whole(one: Ending, kind: str, content: bool) -> bool:
        try:
            file = tables.file(one.number, kind)
            if file is not None and content:
                file.content()
            return file is not None
        except GameError as problem:
            path = tables.folder / file_name(one.number, kind)
            if not path.is_file():
                raise
            tell_damaged(problem)
            path.unlink()
            tables.forget(one.number, kind)
            return False

    def look(content: bool) -> list[Sequence[Ending]]:
        found = []
        for group in groups:
            wanted = [(one, kind) for one in group for kind in _kinds(tables, one, with_plies)]
            whole = [is_whole(one, kind, content) for one, kind in wanted]  # of each, so that all damaged ones go
            if not all(whole):
                found.append(group)
        return found

    return look(False) or look(True)


def _kinds(tables: Tables, one: Ending, with_plies: bool) -> list[str]:
    return [main_kind(tables.game, one), *([PLIES] if with_plies else [])]
