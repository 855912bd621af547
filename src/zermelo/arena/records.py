"""Games kept as lines of JSON: one line a game, each complete in itself.

A line is appended by a single write, so a process that is killed leaves at most one torn line, the last. Opening the
file again to append sets a torn line aside (into FILE.torn) and says so; reading passes over it. No earlier game is
ever touched. One match at a time writes to a file: it holds a lock while it does.

    {"game": "my-game", "options": {}, "start": null, "players": ["random", "minimax:depth=1"],
     "moves": ["b2", "a1", …], "dice": [], "opening": 2, "payoffs": [-1.0, 1.0], "reason": "finished",
     "fault": null, "seconds": 0.002, "used": [0.0, 0.001], "number": 0, "group": 0, "seats": [0, 1],
     "seed": 0, "plan": "5f0c…", "kind": "match", "zermelo": "0.1.0"}

`moves` holds everything that was played, dice included; `start` is null where the game began at its beginning.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from zermelo.core.files import need_plain, reason
from zermelo.core.game import CHANCE, Game, GameError, shorten
from zermelo.core.history import History
from zermelo.core.registry import load, thaw
from zermelo.core.words import count

LONGEST = 1 << 26  # bytes of a line: the longest games have a thousandth of that
SYNC = 1.0  # seconds between two fsyncs: what a kill leaves is whole, what a power cut loses is this much
NEEDED = {"game": str, "options": dict, "players": list, "moves": list, "payoffs": list, "reason": str}

Record = dict[str, Any]


class RecordFile:
    """A file of records to append to. `games` are those that were in it; `torn` says what was set aside."""

    def __init__(self, path: Path | str):
        self.path = Path(path)
        need_plain(self.path)  # a pipe would not be opened before somebody reads it
        try:
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_CLOEXEC", 0), 0o644)
        except (OSError, ValueError) as problem:
            raise GameError(f"'{self.path}' cannot be written: {reason(problem)}") from None
        try:
            need_plain(self.path)
            _lock(self._file, self.path)
            self.games = read(self.path)  # first: a file of something else stays as it is
            self.torn = self._set_torn_line_aside()
        except BaseException:
            os.close(self._file)
            raise
        self._synced = time.monotonic()

    def append(self, record: Record) -> None:
        """Write one game: one line, one write."""
        line = json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        try:
            written = os.write(self._file, line)
            while written < len(line):  # a full disk, or a signal: the rest of the line, or a torn one and an error
                written += os.write(self._file, line[written:])
        except OSError as problem:
            raise GameError(f"'{self.path}' cannot be written: {reason(problem)}") from None
        if time.monotonic() - self._synced > SYNC:
            self.sync()

    def sync(self) -> None:
        self._synced = time.monotonic()
        try:
            os.fsync(self._file)
        except OSError:  # a pipe or a device: nothing to be kept
            return

    def close(self) -> None:
        if self._file >= 0:
            self.sync()
            os.close(self._file)
            self._file = -1

    def __enter__(self) -> RecordFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _set_torn_line_aside(self) -> str:
        """Cut off what follows the last whole line, and keep it beside the file."""
        size = os.fstat(self._file).st_size
        keep, rest = _whole_lines(self.path)
        if keep == size or not rest.strip():
            if keep != size:
                os.ftruncate(self._file, keep)
            return ""
        if not self.games and not _may_be_torn(rest):
            raise GameError(f"'{self.path}' is not a file of games, and is left as it is")
        aside = self.path.with_name(self.path.name + ".torn")
        try:
            with aside.open("ab") as file:
                file.write(rest + b"\n")
                file.flush()
                os.fsync(file.fileno())
            os.ftruncate(self._file, keep)
        except OSError as problem:
            raise GameError(f"the torn last line of '{self.path}' cannot be set aside: {reason(problem)}") from None
        return f"the last line of {self.path} was torn ({count(len(rest), 'byte')}); it is now in {aside}"


def _lock(file: int, path: Path) -> None:
    try:
        import fcntl
    except ImportError:  # Windows
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise GameError(f"another match is writing to '{path}'") from None


def _whole_lines(path: Path) -> tuple[int, bytes]:
    """(how many bytes are whole lines, what follows them). A last line without its end may still be whole: then it
    is given as torn all the same, since more of it may be missing."""
    keep, rest = 0, b""
    for line in _split(path):
        if line.endswith(b"\n"):
            keep += len(line)
        else:
            rest = line
    return keep, rest


def _may_be_torn(rest: bytes) -> bool:
    """Can the first line of a file be what is left of a game? Then it begins as one, and is not something else."""
    try:
        told = json.loads(rest)
    except (ValueError, RecursionError):
        return b'{"'.startswith(rest[:2])
    return isinstance(told, dict) and set(NEEDED) <= set(told)


def _split(path: Path | str) -> Iterator[bytes]:
    """The lines of a file, one at a time and none of them endless."""
    need_plain(path)
    try:
        with Path(path).open("rb") as file:
            while line := file.readline(LONGEST + 1):
                if len(line) > LONGEST:
                    raise GameError(f"'{path}' is not a file of games: a line has more than {LONGEST:,} bytes")
                yield line
    except (OSError, ValueError) as problem:
        raise GameError(f"'{path}' cannot be read: {reason(problem)}") from None


def lines(path: Path | str) -> Iterator[tuple[int, Record]]:
    """(line number, record) of every game; a torn last line is passed over, any other fault is an error."""
    for number, line in enumerate(_split(path), 1):
        if line.endswith(b"\n") and line.strip():
            yield number, _record(path, number, line)


def read(path: Path | str) -> list[Record]:
    """The games in a file, in the order they were finished."""
    return [record for _, record in lines(path)]


def _record(path: Path | str, number: int, line: bytes) -> Record:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        raise GameError(f"line {number} of '{path}' is not a game: it is not JSON") from None
    if not isinstance(record, dict):
        raise GameError(f"line {number} of '{path}' is not a game: it is a {type(record).__name__}")
    for name, kind in NEEDED.items():
        if not isinstance(record.get(name), kind):
            raise GameError(f"line {number} of '{path}' is not a game: it lacks '{name}'")
    for name, fits in FITTING.items():
        if name in record and not fits(record[name]):
            told = f"its '{name}' cannot be {shorten(record[name])}"
            raise GameError(f"line {number} of '{path}' is not a game: {told}")
    return record


def _all_are(*kinds: type) -> Callable[[Any], bool]:
    return lambda values: all(isinstance(value, kinds) and not isinstance(value, bool) for value in values)


FITTING: dict[str, Callable[[Any], bool]] = {  # what a line may say, where it says it
    "start": lambda start: start is None or isinstance(start, str),
    "players": _all_are(str),
    "payoffs": _all_are(int, float),
    "opening": lambda plies: isinstance(plies, int),
    "fault": lambda fault: (
        fault is None
        or (isinstance(fault, dict) and isinstance(fault.get("seat"), int) and isinstance(fault.get("details"), str))
    ),
}


def game_of(record: Record) -> Game[Any, Any]:
    """The game a record is of."""
    return load(record["game"], **thaw(record["options"]))


def replay(record: Record, game: Game[Any, Any] | None = None) -> History[Any, Any]:
    """The game played again, every move checked; a GameError names the first that does not fit."""
    game = game or game_of(record)
    start = record.get("start")
    history = History(game, None if start is None else game.parse(start))
    for number, text in enumerate(record["moves"], 1):
        if not isinstance(text, str):
            raise GameError(f"move {number} of the record is not text: {text!r}")
        try:
            history.play(game.parse_action(history.state, text))
        except GameError as problem:
            raise GameError(f"move {number} of the record, {text}: {problem}") from None
    _check_result(record, history)
    return history


def _check_result(record: Record, history: History[Any, Any]) -> None:
    """What the record says of the end must be what the rules say."""
    game = history.game
    nature = [
        game.format_action(s, a)
        for s, a in zip(history.states, history.moves, strict=False)
        if game.player(s) == CHANCE
    ]
    if record.get("dice", nature) != nature:
        raise GameError("the dice of the record are not those among its moves")
    if record["reason"] in ("finished", "repetition"):
        if not history.is_over:
            raise GameError("the record says that the game is finished, but it is not over")
        payoffs = [history.utility(p) for p in range(game.players)]
        if record["payoffs"] != payoffs:
            raise GameError(f"the record gives the payoffs {record['payoffs']}, but the rules give {payoffs}")
