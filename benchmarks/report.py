"""One measurement beside its peer, and the table of them all."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table


@dataclass(frozen=True)
class Row:
    """`ours` and `theirs` in `unit`, more being faster; `bar` is the ratio, or the figure, that is asked for."""

    what: str
    unit: str
    ours: float
    theirs: float | None = None
    peer: str = "–"
    bar: str = ""

    @property
    def ratio(self) -> float | None:
        return self.ours / self.theirs if self.theirs else None


def best_rate(work: Callable[[], int], repeats: int = 5) -> float:
    """Units of work a second, in the fastest of `repeats` runs: the run that was disturbed least."""
    best = 0.0
    for _ in range(repeats):
        began = time.perf_counter()
        done = work()
        best = max(best, done / (time.perf_counter() - began))
    return best


def in_turn(ours: Callable[[], float], theirs: Callable[[], float], rounds: int = 3) -> tuple[float, float]:
    """The best rate of each, measured alternately, so that a disturbance meets both."""
    a = b = 0.0
    for _ in range(rounds):
        a, b = max(a, ours()), max(b, theirs())
    return a, b


def show(rows: Iterable[Row]) -> None:
    table = Table(title="zermelo beside its peers, one core, one run")
    for heading in ("what", "zermelo", "peer", "peer's", "ratio", "asked"):
        table.add_column(heading, justify="left" if heading in ("what", "peer") else "right")
    for row in rows:
        ratio = f"{row.ratio:.2f}×" if row.ratio is not None else "–"
        theirs = human(row.theirs, row.unit) if row.theirs else "–"
        table.add_row(row.what, human(row.ours, row.unit), row.peer, theirs, ratio, row.bar)
    Console(width=150).print(table)


def human(x: float, unit: str) -> str:
    for size, letter in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if x >= size:
            return f"{x / size:.3g}{letter} {unit}"
    return f"{x:.3g} {unit}"
