"""`Tables`: the endings of a game that are worked out, in a folder, each file opened when it is first asked for.

    tables = find_tables(game)     # those that come with the package and the user's own; None where there are none
    tables.probe(state)            # Found(value=1, plies=None): a win for whoever moves; None where nothing is known

What rules count beside the position (plies without a capture, repetitions) has no part in a table: its values are those
of play in which nobody counts.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from zermelo.compile.dispatch import ending, perspective, race_rank, rank
from zermelo.compile.endings import Ending, need_endings, numbers_endings, read_endings
from zermelo.compile.kernel import kernel
from zermelo.compile.record_game import RecordGame, State
from zermelo.core.files import given_path, user_folder
from zermelo.core.game import CHANCE, OVER, Game, GameError
from zermelo.tables.files import Header, TableFile
from zermelo.tables.flat import mapped
from zermelo.tables.known import CLASS, DRAW, NOTHING, WIN, Known, cells
from zermelo.tables.numbering import numbering_hash

WDL, PLIES = "wdl", "plies"
VALUE, TURNS = "value", "turns"  # of games with chance
KINDS = (TURNS, VALUE, WDL, PLIES)
ITEMS = {WDL: np.uint8, PLIES: np.uint16, VALUE: np.float32}  # in memory: four positions, or one
SHIPPED = Path(__file__).parent / "shipped"  # what comes with the package

OnRefused = Callable[[Path, GameError], None]  # a file, and the sentence that says what is wrong with it
Read = TypeVar("Read")


class Found(NamedTuple):
    """What a position is worth to whoever moves in it: 1 won, 0 drawn, -1 lost; and in how many plies, if known."""

    value: int
    plies: int | None


@kernel
def locate(states):  # type: ignore[no-untyped-def]
    """(class, number) of a position; (-1, 0) where it is in no class."""
    number = ending(states[0])
    return number, rank(states[0]) if number >= 0 else 0


@kernel
def locate_alone(states, who):  # type: ignore[no-untyped-def]
    """The number of what a player alone has still to do, and who sees the position."""
    return race_rank(states[0], who), perspective(states[0])


def main_kind(game: RecordGame, one: Ending) -> str:
    """What is worked out of a class first of all."""
    return TURNS if one.one_sided else VALUE if game.variant.max_chance_outcomes else WDL


def tables_folder() -> Path:
    """Where tables are kept: $ZERMELO_TABLES, or among the user's data."""
    base = os.environ.get("ZERMELO_TABLES")
    return Path(base) if base else user_folder("XDG_DATA_HOME", ".local/share") / "zermelo" / "tables"


def folder_for(game: RecordGame, folder: Path | str | None = None) -> Path:
    """The folder of a game's tables, in one of many games'. Every variant has its own."""
    chosen = ",".join(f"{name}={value}" for name, value in sorted(game.variant.parameters.items()))
    named = re.sub(r"[^\w.=,-]", "_", f"{game.name},{chosen}" if chosen else game.name)
    return (tables_folder() if folder is None else given_path(folder)) / named


def find_tables(
    game: Game[Any, Any], folder: Path | str | None = None, on_refused: OnRefused | None = None
) -> Tables | None:
    """The tables there are of this game, none of them opened yet; None where there are none, or can be none.

    Without a folder: the user's own, and of classes that are not among them those that come with the package.
    """
    if not isinstance(game, RecordGame) or not numbers_endings(game):
        return None
    found = Tables(game, folder, with_shipped=folder is None, on_refused=on_refused)
    return found if found.is_any_there() else None


def file_name(number: int, kind: str) -> str:
    return f"{number:05d}.{kind}"


class _PassedOverError(Exception):
    """A file was refused while it was read into memory: what is left is laid out anew."""


class Tables:
    """The tables of one game: those in `folder`, `with_shipped` also the classes that come with the package.

    A file that is damaged, or other rules', is a GameError; where nobody asked for it, it is told to `on_refused`, and
    counts as not there.
    """

    def __init__(
        self,
        game: RecordGame,
        folder: Path | str | None = None,
        *,
        with_shipped: bool = False,
        on_refused: OnRefused | None = None,
    ):
        need_endings(game)
        self.game = game
        self.folder = folder_for(game, folder)
        self.places = (self.folder, folder_for(game, SHIPPED)) if with_shipped else (self.folder,)
        self.on_refused = on_refused
        self._files: dict[tuple[int, str], TableFile | None] = {}
        self._passed_over: set[Path] = set()
        self._listed: dict[int, set[Ending]] = {}  # by the rules, up to a limit; without names

    # -- files ---------------------------------------------------------------------------------------------------------

    def file(self, number: int, kind: str = WDL) -> TableFile | None:
        """The values of a class, or None if there are none; a GameError if they are damaged, or other rules'."""
        while (number, kind) not in self._files:
            paths = (place / file_name(number, kind) for place in self.places)
            path = next((path for path in paths if path not in self._passed_over and path.exists()), None)
            if path is None:
                self._files[number, kind] = None
                break
            try:
                self._files[number, kind] = self._open(path, number, kind)
            except GameError as problem:
                self._pass_over(path, problem)
        return self._files[number, kind]

    def forget(self, number: int, kind: str) -> None:
        """The file of a class is another one now, or gone."""
        self._files.pop((number, kind), None)

    def is_any_there(self) -> bool:
        """Is there any file? None is opened."""
        return any(self.numbers(kind) for kind in KINDS)

    def numbers(self, kind: str = WDL) -> set[int]:
        """The classes of which there is a file of this kind; none is opened."""
        paths = (path for place in self.places for path in place.glob(f"[0-9]*.{kind}"))
        return {int(path.stem) for path in paths if path.stem.isdigit()}

    def _open(self, path: Path, number: int, kind: str) -> TableFile:
        found = TableFile(path)
        header = found.header
        fits = (header.game, header.number, header.kind) == (self.game.name, number, kind)
        # what the rules do not list they are not asked about: compiled, they would reach anywhere
        fits = fits and self._is_listed(ending_of(header))
        if not fits or header.numbering != numbering_hash(self.game, ending_of(header)):
            raise GameError(
                f"'{path}' was made for other rules, or by another numbering of {self.game.name}'s endings: "
                "delete it and build it anew"
            )
        return found

    def _is_listed(self, one: Ending) -> bool:
        """Do the rules number such a class, whatever they call it?"""
        if one.limit not in self._listed:
            groups = read_endings(self.game, one.limit)
            self._listed[one.limit] = {own._replace(name="") for group in groups for own in group}
        return one._replace(name="") in self._listed[one.limit]

    def _pass_over(self, path: Path, problem: GameError) -> None:
        """From here on this file is not there, unless somebody asked for it."""
        if self.on_refused is None:
            raise problem
        self._passed_over.add(path)
        self._files = {key: file for key, file in self._files.items() if file is None or file.path != path}
        self.on_refused(path, problem)

    def _look(self, number: int, kind: str, read: Callable[[TableFile], Read]) -> Read | None:
        """What the file of a class says; None where there is none, or it is no class."""
        while number >= 0 and (file := self.file(number, kind)) is not None:
            try:
                return read(file)
            except GameError as problem:
                self._pass_over(file.path, problem)
        return None

    def headers(self, kind: str = WDL) -> list[Header]:
        """What there is, smallest first."""
        files = [file for number in sorted(self.numbers(kind)) if (file := self.file(number, kind)) is not None]
        return sorted((file.header for file in files), key=lambda h: (h.limit, h.size, h.number))

    def main_headers(self) -> list[Header]:
        """The same, a header for every class, whatever is kept of it."""
        return [header for kind in (TURNS, VALUE, WDL) for header in self.headers(kind)]

    def checksum(self) -> str:
        """Sixteen hexadecimal digits for all values there are: wherever they were worked out, they are the same."""
        return _checksum(self.main_headers())

    # -- positions -----------------------------------------------------------------------------------------------------

    def probe(self, s: State) -> Found | None:
        """What `s` is worth to whoever moves; None if its class is not there."""
        number, r = (int(n) for n in self.game.run(locate, self.game.record(s)))
        value = self._look(number, WDL, lambda file: file[r] if 0 <= r < file.header.size else NOTHING)
        if value is None or value == NOTHING:
            return None
        if value == DRAW:
            return Found(0, None)
        return Found(1 if value == WIN else -1, self._look(number, PLIES, lambda file: file[r]))

    def judge_actions(self, s: State) -> dict[int, Found | None]:
        """What every action is worth to whoever plays it, counted from `s` on."""
        judged: dict[int, Found | None] = {}
        mover = self.game.player(s)
        for a in self.game.actions(s) if mover not in (CHANCE, OVER) else ():
            t = self.game.succ(s, a)
            if self.game.player(t) == OVER:
                paid = self.game.utility(t, mover)
                judged[a] = Found(int(np.sign(paid)), 1 if paid else None)
                continue
            found = self.probe(t)
            if found is None:
                judged[a] = None
                continue
            value = found.value if self.game.player(t) == mover else -found.value
            judged[a] = Found(value, None if found.plies is None else found.plies + 1)
        return judged

    # -- games with chance ---------------------------------------------------------------------------------------------

    def expected(self, s: State) -> float | None:
        """What `s` is worth on average to whoever rolls or moves (`perspective`); None if its class is not there."""
        number, r = (int(n) for n in self.game.run(locate, self.game.record(s)))
        return self._look(number, VALUE, lambda file: float(file.numbers(r)[0]) if 0 <= r < file.header.size else None)

    def expected_actions(self, s: State) -> dict[int, float | None]:
        """What every action is worth on average to whoever plays it; none at a chance node."""
        judged: dict[int, float | None] = {}
        mover = self.game.player(s)
        for a in self.game.actions(s) if mover not in (CHANCE, OVER) else ():
            t = self.game.succ(s, a)
            if self.game.player(t) == OVER:
                judged[a] = float(self.game.utility(t, mover))
                continue
            value = self.expected(t)
            viewer = int(self.game.run(locate_alone, self.game.record(t), 0)[1])
            judged[a] = value if value is None or viewer == mover else -value
        return judged

    def turns(self, s: State, who: int) -> NDArray[np.float64] | None:
        """How likely it is that player `who` needs 0, 1, 2, … turns more; None where that is not known."""
        r = int(self.game.run(locate_alone, self.game.record(s), who)[0])
        for header in self.headers(TURNS):
            if 0 <= r < header.size:
                return self._look(header.number, TURNS, lambda file: file.numbers(r))
        return None

    # -- for kernels ---------------------------------------------------------------------------------------------------

    def known(self, with_plies: bool = False) -> Known:
        """Everything there is, in memory, as kernels look it up; `with_plies`, if there are some for every class."""
        classes, values = self.in_one(WDL)
        plies = self.in_one(PLIES)[1] if with_plies else np.zeros(1, np.uint16)
        classes["first"] = classes["start"]
        return Known(classes.view(np.recarray), cells(values), cells(plies), len(classes) - 1)

    def in_one(self, kind: str) -> tuple[Any, Any]:
        """All that there is of a kind in one array, and where each class begins in it (CLASS, `start`, `count`)."""
        while True:  # until nothing more is passed over
            headers = self.headers(kind)
            classes, positions = lay_out([ending_of(header) for header in headers])

            def fill(room: Any, headers: list[Header] = headers, classes: Any = classes) -> None:
                for header in headers:
                    self._read_into(header.number, classes, kind, room)

            count = positions // 4 if kind == WDL else positions
            name = f"{self.folder.name}-{_layout_checksum(headers, classes)}"
            try:
                return classes, mapped(name, max(1, count), ITEMS[kind], fill)
            except _PassedOverError:
                continue

    def read_into(self, number: int, classes: Any, values: Any, plies: Any) -> None:
        """A class where `lay_out` has room for it."""
        self._read_into(number, classes, WDL, values)
        if plies is not None:
            self._read_into(number, classes, PLIES, plies)
        classes["first"][number] = classes["start"][number]

    def _read_into(self, number: int, classes: Any, kind: str, room: Any) -> None:
        first, file = int(classes["start"][number]), self.file(number, kind)
        assert file is not None
        try:
            content = file.content()
        except GameError as problem:
            self._pass_over(file.path, problem)
            raise _PassedOverError from None
        if kind == WDL:
            first //= 4
        room[first : first + len(content)] = content


def _checksum(headers: list[Header]) -> str:
    listed = sorted((header.number, header.checksum) for header in headers)
    return hashlib.sha256(repr(listed).encode()).hexdigest()[:16]


def _layout_checksum(headers: list[Header], classes: Any) -> str:
    """The same for values one after the other in memory: the same classes in another order are something else."""
    listed = [(h.number, h.size, int(classes["start"][h.number]), h.checksum) for h in headers]
    return hashlib.sha256(repr(listed).encode()).hexdigest()[:16]


def ending_of(header: Header) -> Ending:
    return Ending(header.number, header.name, header.size, header.limit, header.kind == TURNS)


def lay_out(endings: list[Ending]) -> tuple[Any, int]:
    """Where the values of these classes will begin, one after the other, and where they end. None is known yet."""
    classes = np.zeros(1 + max((one.number for one in endings), default=0), CLASS)
    for name in ("first", "here", "start"):
        classes[name] = -1
    positions = 0
    for one in endings:
        classes["count"][one.number], classes["start"][one.number] = one.size, positions
        positions += 4 * (-(-one.size // 4))
    return classes, positions
