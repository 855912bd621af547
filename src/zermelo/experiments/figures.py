"""Figures, where matplotlib is installed: no window is opened, and a file is replaced whole or not at all."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any

from zermelo.core.files import write_atomically
from zermelo.core.game import GameError


def new_figure(width: float = 6.4, height: float = 4.2) -> tuple[Any, Any]:
    """(figure, axes), quietly styled."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise GameError("a figure needs matplotlib: pip install 'zermelo[figures]'") from None
    figure = Figure(figsize=(width, height), layout="constrained")  # not pyplot: no global state, no display
    axes = figure.subplots()
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(True, axis="y", linewidth=0.4, alpha=0.5)
    axes.set_axisbelow(True)
    return figure, axes


def save(figure: Any, path: str | os.PathLike[str]) -> Path:
    """Write the figure as what the end of its name says: .png, .svg, .pdf."""
    target = Path(path)
    kind = target.suffix.lower().removeprefix(".")
    if kind not in ("png", "svg", "pdf"):
        raise GameError(f"a figure is saved as .png, .svg or .pdf, not as '{target.name}'")
    import matplotlib

    drawn = io.BytesIO()
    same = {"svg.fonttype": "none", "svg.hashsalt": "zermelo"}  # words stay words; the same figure, the same bytes
    with matplotlib.rc_context(same):
        figure.savefig(drawn, format=kind, dpi=150, metadata={"Date": None} if kind == "svg" else None)
    write_atomically(target, drawn.getvalue())
    return target
