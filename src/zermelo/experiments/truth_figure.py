"""The figure of experiments/truth.py: faults against depth; and class by class."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo.arena.statistics import Z
from zermelo.experiments.figures import new_figure, save

if TYPE_CHECKING:
    from zermelo.experiments.truth import Truth

COLOURS = ("#8a8a8a", "#c8402c", "#1f6fd1", "#8a6d00", "#2c8a4b", "#8340a8")
MARKS = ("o", "s", "^", "D", "v")
ENOUGH = 30  # positions of a class that are worth a place in a figure


def draw(truth: Truth, path: str | os.PathLike[str]) -> Path:
    """Left: faults against depth. Right: the classes of the largest limit, at the least depth and the greatest."""
    here = [row for row in truth.rows if row.limit == truth.limits[-1] and row.name != "all"]
    classes = sorted({row.name for row in here if row.drawn >= ENOUGH} or {row.name for row in here})
    figure, _ = new_figure(width=10.5, height=max(4.2, 1.4 + 0.17 * len(classes)))
    figure.clear()
    left, right = figure.subplots(1, 2, width_ratios=(1, 1.1))
    colours = dict(zip(truth.evaluations, COLOURS * 9, strict=False))
    _by_depth(truth, left, colours)
    _by_class(truth, right, colours, classes)
    for axes in (left, right):
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(True, linewidth=0.4, alpha=0.5)
        axes.set_axisbelow(True)
    figure.suptitle(f"{truth.game}: moves that give something away, by the tables")
    return save(figure, path)


def _by_depth(truth: Truth, axes: Any, colours: dict[str, str]) -> None:
    for limit, mark in zip(truth.limits, MARKS * 9, strict=False):
        for name in truth.evaluations:
            ours = [row for row in truth.of_all_classes(limit) if row.evaluation == name]
            label = f"{name}, {limit}"
            if ours[0].depth < 0:
                axes.axhline(1 - ours[0].best, color=colours[name], linewidth=1, linestyle="--")
                axes.plot([], [], mark + "--", color=colours[name], label=label, markersize=4)
                axes.plot(truth.depths[0], 1 - ours[0].best, mark, color=colours[name], markersize=4)
                continue
            wrong, half = [1 - row.best for row in ours], [Z * row.best_error for row in ours]
            axes.errorbar([row.depth for row in ours], wrong, yerr=half, fmt=mark + "-", color=colours[name],
                          capsize=2, linewidth=1.3, markersize=5, label=label)  # fmt: skip
    axes.set_xticks(truth.depths)
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(lambda share, _: f"{100 * share:g} %")
    axes.set_xlabel("plies of the search (0: successors as they stand)")
    axes.set_ylabel("something given away, of positions at stake")
    axes.legend(frameon=False, fontsize=7, ncols=2)


def _by_class(truth: Truth, axes: Any, colours: dict[str, str], classes: list[str]) -> None:
    found = {(row.name, row.evaluation, row.depth): row for row in truth.rows if row.limit == truth.limits[-1]}
    least, most = truth.depths[0], truth.depths[-1]
    judged = truth.evaluations[1:]  # the first is moves at random
    classes = sorted(classes, key=lambda name: found[name, judged[0], least].best)
    places = range(len(classes))
    for name in judged:
        for depth, filled in ((least, "none"), (most, colours[name]))[: 2 - (least == most)]:
            if (classes[0], name, depth) in found:
                wrong = [1 - found[one, name, depth].best for one in classes]
                axes.plot(wrong, places, "o", color=colours[name], markerfacecolor=filled, markersize=4.5,
                          label=f"{name}, depth {depth}")  # fmt: skip
    axes.set_yticks(list(places), classes, fontsize=6.5)
    axes.xaxis.set_major_formatter(lambda share, _: f"{100 * share:g} %")
    axes.set_xlabel(f"… class by class, limit {truth.limits[-1]}")
    axes.legend(frameon=False, fontsize=7)
