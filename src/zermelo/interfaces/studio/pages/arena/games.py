"""A file of games, read while a match or a tournament may be writing to it: only what has come since the last look.

What is kept of a game is where its line lies and what tables need; its moves are read again when somebody wants to see
them. A line that is no game is passed over and told about, a torn last line is waited for.
"""

from __future__ import annotations

import json
import math
import threading
from dataclasses import dataclass, replace
from sys import intern
from typing import Any

from zermelo.arena.records import NEEDED, Record
from zermelo.core.game import GameError
from zermelo.core.words import count
from zermelo.interfaces.studio.pages.arena.folder import Item

CHUNK = 8 << 20  # bytes read at a time
AT_ONCE = 4  # chunks at one look; the next look goes on
MOST_BYTES = 512 << 20
MOST_GAMES = 50_000
MOST_PLAYERS = 100
LONGEST_LINE = 4 << 20
LISTED = 3  # damaged lines that are complained about one by one


@dataclass(frozen=True, slots=True)
class Brief:
    """A game without its moves."""

    offset: int  # of its line
    length: int
    game: str
    options: dict[str, Any]
    players: tuple[str, ...]
    payoffs: tuple[float, ...]
    reason: str
    plies: int
    seconds: float
    plan: str  # which match it belongs to; empty: to none
    kind: str
    number: int
    group: int
    seats: tuple[int, ...]
    fault: int | None  # the seat that lost by a fault

    def as_record(self) -> Record:
        """What a Summary adds up."""
        return {
            "seats": list(self.seats),
            "payoffs": list(self.payoffs),
            "group": self.group,
            "reason": self.reason,
            "fault": None if self.fault is None else {"seat": self.fault},
            "seconds": self.seconds,
            "moves": range(self.plies),
        }


class GameFile:
    """The games of one file. `refresh` may be called by many threads."""

    def __init__(self, item: Item):
        self.item = item
        self.lock = threading.Lock()
        self.version = 0  # changes with everything below
        self._begin(None)

    def _begin(self, inode: int | None) -> None:
        self.games: list[Brief] = []
        self.problems: list[str] = []
        self.damaged = 0
        self.read = 0  # bytes of whole lines
        self.lines = 0
        self.inode = inode
        self.is_cut = False

    def refresh(self) -> bool:
        """Read on; has anything changed?"""
        with self.lock:
            before = self.version
            try:
                for _ in range(AT_ONCE):
                    if not self._read_on():
                        break
                    self.version += 1
            except OSError as problem:
                self._begin(None)
                self.problems = [f"{self.item.name} cannot be read: {problem.strerror or 'it is not there'}"]
                self.version += 1
            return self.version != before

    def _read_on(self) -> bool:
        """One chunk; was there one?"""
        with self.item.path.open("rb") as file:
            stat = self.item.path.stat()
            changed = stat.st_ino != self.inode or stat.st_size < self.read
            if changed:  # another file under the same name
                self._begin(stat.st_ino)
            if self.is_cut or stat.st_size == self.read:
                return changed
            file.seek(self.read)
            content = file.read(CHUNK)
        whole = content.rfind(b"\n") + 1
        if whole == 0 and len(content) >= LONGEST_LINE:
            self._tell("a line is too long to be a game; what follows it is not shown")
            self.is_cut = True
            return True
        for line in content[:whole].splitlines(keepends=True):
            self._take(line)
        if self.read >= MOST_BYTES or len(self.games) >= MOST_GAMES:
            self._tell(f"only the first {count(len(self.games), 'game')} are shown")
            self.is_cut = True
        return whole > 0 or changed

    def _take(self, line: bytes) -> None:
        offset, self.read, self.lines = self.read, self.read + len(line), self.lines + 1
        if not line.strip():
            return
        try:
            found = brief(parse(line), offset, len(line))
            if self.games and self.games[-1].options == found.options:  # thousands of games, one variant
                found = replace(found, options=self.games[-1].options)
            self.games.append(found)
        except GameError as problem:
            self.damaged += 1
            if self.damaged <= LISTED:
                self._tell(f"line {self.lines} is not a game and is left out: {problem}")

    def _tell(self, problem: str) -> None:
        self.problems.append(f"{self.item.name}: {problem}")

    def complaints(self) -> list[str]:
        """What is wrong with the file, in sentences."""
        more = self.damaged - LISTED
        return [*self.problems, *([f"{more} more lines are damaged"] if more > 0 else [])]

    def record(self, index: object) -> Record:
        """The whole game `games[index]`, read from the file again."""
        if not isinstance(index, int) or isinstance(index, bool) or not 0 <= index < len(self.games):
            raise GameError("there is no such game in this list")
        found = self.games[index]
        try:
            with self.item.path.open("rb") as file:
                file.seek(found.offset)
                return parse(file.read(found.length))
        except OSError as problem:
            raise GameError(f"{self.item.name} cannot be read: {problem.strerror}") from None


def parse(line: bytes) -> Record:
    """The record on a line; else what it lacks."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        raise GameError("it is not JSON") from None
    if not isinstance(record, dict):
        raise GameError(f"it is a {type(record).__name__}")
    for name, kind in NEEDED.items():
        if not isinstance(record.get(name), kind):
            raise GameError(f"it lacks '{name}'")
    if not all(isinstance(word, str) for word in [*record["players"], *record["moves"]]):
        raise GameError("its players and moves are not texts")
    if not all(_is_number(payoff) for payoff in record["payoffs"]):
        raise GameError("its payoffs are not numbers")
    return record


def brief(record: Record, offset: int = 0, length: int = 0) -> Brief:
    """What is kept of a game. One that belongs to no match, or says so in a way nobody understands, has no plan."""
    seats, payoffs = record.get("seats"), record["payoffs"]
    belongs = (
        isinstance(seats, list)
        and len(seats) == len(payoffs) == len(record["players"]) > 0
        and all(_is_whole(seat) and seat < MOST_PLAYERS for seat in seats)
        and all(_is_whole(record.get(name)) for name in ("number", "group"))
        and isinstance(record.get("plan"), str)
    )
    fault = record.get("fault")
    seat = fault.get("seat") if isinstance(fault, dict) else None
    return Brief(
        offset,
        length,
        intern(record["game"]),
        record["options"],
        tuple(intern(name) for name in record["players"]),
        tuple(float(payoff) for payoff in payoffs),
        intern(record["reason"]),
        len(record["moves"]),
        float(record["seconds"]) if _is_number(record.get("seconds")) else 0.0,
        intern(record["plan"]) if belongs else "",
        intern(str(record.get("kind", ""))),
        record["number"] if belongs else -1,
        record["group"] if belongs else -1,
        tuple(seats) if belongs else (),  # type: ignore[arg-type]
        seat if belongs and isinstance(seat, int) and 0 <= seat < len(payoffs) else None,
    )


def _is_number(x: object) -> bool:
    return isinstance(x, (int, float)) and not isinstance(x, bool) and math.isfinite(x)


def _is_whole(x: object) -> bool:
    return isinstance(x, int) and not isinstance(x, bool) and 0 <= x < 1 << 40
