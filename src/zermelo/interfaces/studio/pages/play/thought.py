"""What a program thinks, in words: while it does, and afterwards, until the next one begins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

LINE = 24  # moves of a line
ONLY_MOVE = "the only legal move"


@dataclass
class Thought:
    """One search for a move, or for a hint."""

    who: str = "what the program thinks"
    note: str = (
        "nothing yet"  # what there is to say before there is a report, or where there is none: compiling, thinking …
    )
    report: dict[str, Any] | None = None  # the last one, as `tasks.shown` gives it
    move: str = ""  # what was played, or is advised

    def title(self) -> str:
        return f"{self.who}: {self.move}" if self.move else self.who

    def numbers(self) -> str:
        """Depth, value, nodes; or why there are none."""
        report = self.report
        if report is None:
            return self.note
        kind = "simulations" if report["sampled"] else "nodes"
        parts = [f"depth {report['depth']}"] if report["depth"] else []
        parts.append(f"value {report['value']:+.2f}" + (" (proven)" if report["proof"] == "proven" else ""))
        if report["nodes"]:
            parts.append(f"{report['nodes']:,} {kind}")
        if report["nodes_per_second"]:
            parts.append(f"{report['nodes_per_second']:,.0f}/s")
        return " · ".join(parts)

    def line(self) -> str:
        """What is expected to be played; a weak player may see one move and play another."""
        if self.report is None:
            return ""
        line = " ".join(self.report["pv"][:LINE])
        is_other = self.move and self.report["best"] not in (None, self.move)
        return f"{line} (seen as best; it did not play it)" if is_other else line
