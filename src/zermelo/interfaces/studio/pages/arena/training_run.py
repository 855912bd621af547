"""A training run, read while it may be running: its curve, how far it is, how fast it goes.

Strength and error come from the log in the snapshot's header, which is small; the weights behind it are not read. A
snapshot is written whole and renamed, so there is always one to read. How fast a run goes is what two snapshots say
that this page has seen: (games, seconds at work).
"""

from __future__ import annotations

import json
import math
import threading
from dataclasses import astuple, dataclass, field
from pathlib import Path
from typing import Any, ClassVar, cast

from safetensors import SafetensorError, safe_open

from zermelo.core.game import GameError
from zermelo.core.words import count
from zermelo.drawing.svg import circle, document, escape, line, path, text
from zermelo.interfaces.studio.pages.arena.folder import Item, ago
from zermelo.learn.runs.curves import curve_svg
from zermelo.learn.runs.progress import Log, Row, measuring_points
from zermelo.learn.runs.snapshots import SNAPSHOT, TEXTS, Description
from zermelo.learn.zero.curves import curve_svg as network_curve_svg
from zermelo.learn.zero.log import Log as NetworkLog
from zermelo.learn.zero.snapshots import NAME as INDEX
from zermelo.learn.zero.snapshots import SYSTEM, read_index

Seen = tuple[int, float]  # games, seconds at work
LIVELY = 120.0  # seconds without a snapshot after which a run has probably stopped
MOST_SEEN = 400
WIDTH, HEIGHT, LEFT, TOP, BELOW = 640, 150, 64, 30, 28


@dataclass(frozen=True)
class Training:
    """How a run stands."""

    title: str
    command: str
    against: str
    rows: list[Row]
    games: int
    of: int
    seconds: float
    error: float | None  # TD error since the last row; None where there is nothing since
    undone: int
    changed: float  # when the snapshot was written
    unit: ClassVar[str] = "game"  # what `games` and `of` count

    @property
    def is_finished(self) -> bool:
        return self.games >= self.of

    def state(self, now: float) -> str:
        """Finished, or how far it is and when it was last heard of."""
        done = f"{self.games:,} of {count(self.of, self.unit)}"
        if self.is_finished:
            return f"Finished: {count(self.of, self.unit)}"
        quiet = now - self.changed
        return f"{'Running' if quiet < LIVELY else 'Stopped, it seems'}: {done}; last snapshot {ago(quiet)}"

    def facts(self) -> list[tuple[str, str]]:
        """What else there is to say: (what, how much)."""
        facts = [("time at work", _time(self.seconds))]
        if self.seconds > 0:
            facts.append(("games/s, on average", f"{self.games / self.seconds:,.0f}"))
        if self.rows:
            last = self.rows[-1]
            facts.insert(0, ("points a game, last measured", f"{last.points:+.3f} ± {last.margin:.3f}"))
            facts.append(("TD error, last row", f"{last.error:.4g}"))
        if self.error is not None:
            facts.append(("TD error since then", f"{self.error:.4g}"))
        if self.undone:
            facts.append(("rounds undone", str(self.undone)))
        return facts

    def picture(self) -> str:
        """The curve: strength with its margin, and TD error, over games; a sentence before there is one."""
        if not self.rows:
            first = measuring_points(self.of)[0]
            return f"<p class='z-muted'>Nothing measured yet: the curve begins after {count(first, 'game')}.</p>"
        return curve_svg(self.rows, self.title, self.against)

    def html(self) -> str:
        """The facts as a table."""
        cells = "".join(f"<tr><td>{escape(a)}</td><td class='z-num'>{escape(b)}</td></tr>" for a, b in self.facts())
        return f"<table class='z-table'>{cells}</table>"


def read_training(item: Item) -> Training:
    """A GameError says, in a sentence that names the run and no path, what is wrong with it."""
    try:
        description = Description.read(item.path)
        if description.system == SYSTEM:
            return read_network_training(item, description)
        texts, changed = _header(item.path / SNAPSHOT)
    except GameError as problem:
        raise GameError(str(problem).replace(str(item.path), item.name)) from None
    damaged = GameError(f"{item.name}: its snapshot is not one of this training, or is damaged")
    if not set(TEXTS) <= set(texts) or texts["run"] != description.identity:
        raise damaged
    try:
        log = Log.read(json.loads(texts["log"]))
        trained = json.loads(texts["card"])["trained"]
        games, positions = int(trained["games"]), float(log.sums.get("positions", 0.0))
        error = float(log.sums.get("error", 0.0)) / positions if positions > 0 else None
        of, seconds = int(description.settings["games"]), float(texts["seconds"])
        check_rows(log.rows)
        title = f"{description.system or description.name}: {count(of, 'game')}"
        return Training(
            title, description.command, str(trained["baseline"]), log.rows, games, of, seconds, error,
            len(log.undone), changed,
        )  # fmt: skip
    except (KeyError, TypeError, ValueError, RecursionError, OverflowError):
        raise damaged from None


@dataclass(frozen=True)
class NetworkTraining(Training):
    """How a run of `train zero` stands: `games` and `of` are rounds, and the rows are those of learn/zero/log.py."""

    unit: ClassVar[str] = "round"

    def facts(self) -> list[tuple[str, str]]:
        facts = [("time at work", _time(self.seconds))]
        if self.seconds > 0:
            facts.append(("rounds/min, on average", f"{60 * self.games / self.seconds:,.1f}"))
        if self.rows:
            last: Any = self.rows[-1]
            facts = [
                ("Elo of the policy alone, last measured", f"{last.elo:+,.0f}"),
                ("games played by then", f"{last.games:,}"),
                ("won against random moves", f"{last.random_share:.1%} ± {last.random_margin:.1%}"),
                ("the search's move is the policy's", f"{last.policy_accuracy:.1%}"),
                ("the winner is the value's", f"{last.value_accuracy:.1%}"),
                *facts,
            ]
        return facts

    def picture(self) -> str:
        if not self.rows:
            return "<p class='z-muted'>Nothing measured yet: the curve begins after a sixteenth of the rounds.</p>"
        return network_curve_svg(cast(Any, self.rows), self.title)


def read_network_training(item: Item, description: Description) -> NetworkTraining:
    damaged = GameError(f"{item.name}: its snapshot is not one of this training, or is damaged")
    try:
        changed = (item.path / INDEX).stat().st_mtime
        texts = read_index(item.path)[1]
    except OSError as problem:
        raise GameError(f"{item.name} has no snapshot that can be read: {problem.strerror or problem}") from None
    if texts.get("run") != description.identity:
        raise damaged
    try:
        rows: Any = NetworkLog.read(json.loads(texts["log"])).rows
        check_rows(rows)
        rounds = int(texts.get("rounds", rows[-1].rounds if rows else 0))
        of, seconds = int(description.settings["rounds"]), float(texts["seconds"])
    except (KeyError, TypeError, ValueError, RecursionError, OverflowError, GameError):
        raise damaged from None
    title = f"{description.system} {description.name}: {count(of, 'round')}"
    return NetworkTraining(title, description.command, "", rows, rounds, of, seconds, None, 0, changed)


def check_rows(rows: list[Row]) -> None:
    for row in rows:
        if not all(isinstance(x, (int, float)) and math.isfinite(x) for x in astuple(row)) or row.games < 1:
            raise ValueError("a row holds something that is no number")


def _header(path: Path) -> tuple[dict[str, str], float]:
    try:
        changed = path.stat().st_mtime
        with safe_open(path, "numpy") as file:
            return dict(file.metadata() or {}), changed
    except OSError as problem:
        raise GameError(f"{path.parent} has no snapshot that can be read: {problem.strerror or problem}") from None
    except SafetensorError:
        raise GameError(f"{path.parent}: its snapshot is damaged") from None


@dataclass
class WatchedRun:
    """A run that visitors look at: read again only when its snapshot has changed."""

    item: Item
    training: Training | None = None
    problem: str = ""
    seen: list[Seen] = field(default_factory=list)
    version: int = 0  # changes with everything above
    _read: tuple[int, int] = (0, 0)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def refresh(self) -> int:
        """Read it again if it has changed; the version there is now. May be called by many threads."""
        with self._lock:
            self._look()
            return self.version

    def _look(self) -> None:
        try:
            path = self.item.path / INDEX
            stat = (path if path.exists() else self.item.path / SNAPSHOT).stat()
            now = (stat.st_mtime_ns, stat.st_size)
        except OSError:
            now = (-1, -1)
        if now == self._read:
            return
        self._read = now
        try:
            self.training, self.problem = read_training(self.item), ""
            self._note(self.training)
        except GameError as problem:
            self.training, self.problem = None, str(problem)
        self.version += 1

    def _note(self, training: Training) -> None:
        if self.seen and training.games < self.seen[-1][0]:
            self.seen = []  # another training in the same folder
        if not self.seen or training.games > self.seen[-1][0]:
            self.seen = [*self.seen, (training.games, training.seconds)][-MOST_SEEN:]

    def rates(self) -> list[tuple[int, float]]:
        """(games, games/s since the snapshot before), for every snapshot this page has seen."""
        return [
            (games, (games - before) / (seconds - earlier))
            for (before, earlier), (games, seconds) in zip(self.seen, self.seen[1:], strict=False)
            if seconds > earlier
        ]

    def picture(self) -> str:
        assert self.training is not None
        return self.training.picture()

    def speed_picture(self) -> str:
        """Games a second, from snapshot to snapshot; empty before there are two."""
        rates = self.rates()
        return speed_svg(rates, self.training.unit) if rates and self.training else ""


def speed_svg(rates: list[tuple[int, float]], unit: str = "game") -> str:
    """Drawn like the curves above it, with zero at the bottom."""
    first, last = rates[0][0], max(rates[-1][0], rates[0][0] + 1)
    most = round_up(max(rate for _, rate in rates))
    bottom = HEIGHT - BELOW

    def at(games: int, rate: float) -> tuple[float, float]:
        return LEFT + (WIDTH - LEFT - 32) * (games - first) / (last - first), bottom - (bottom - TOP) * rate / most

    points = [at(*rate) for rate in rates]
    body = [text(LEFT, TOP - 10, f"{unit}s/s, from snapshot to snapshot", text_anchor="start")]
    for share in (0.0, 0.5, 1.0):
        y = bottom - (bottom - TOP) * share
        body += [
            line(LEFT, y, WIDTH - 32, y, class_="axis"),
            text(LEFT - 6, y + 4, f"{most * share:,.0f}", text_anchor="end"),
        ]
    body += [path("M" + " L".join(f"{x:.1f} {y:.1f}" for x, y in points), class_="points")]
    body += [circle(x, y, 3, class_="dot") for x, y in points]
    body += [
        text(x, HEIGHT - 8, f"{games:,}") for x, games in {points[0][0]: first, points[-1][0]: rates[-1][0]}.items()
    ]
    return document(WIDTH, HEIGHT, body, ".curve .dot { fill: #1f77b4 }", title=f"{unit}s a second", class_="curve")


def round_up(x: float) -> float:
    """The next of 1, 2, 5, 10, 20, 50 …"""
    unit = 10.0 ** math.floor(math.log10(max(x, 1.0)))
    return next(unit * n for n in (1, 2, 5, 10) if unit * n >= x)


def _time(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s" if minutes else f"{rest} s"
