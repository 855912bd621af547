"""What the answers of compiled searches have in common: the last report of a search, as the page takes it."""

from __future__ import annotations

from zermelo.interfaces.studio.tasks import Message
from zermelo.search.report import PROVEN, Report, format_pv


def report_json(report: Report) -> Message:
    """All but its values, whose view depends on the search."""
    game, s = report.game, report.state
    return {
        "best": None if report.best is None else game.format_action(s, report.best),
        "pv": format_pv(game, s, report.pv),
        "proven": report.proof == PROVEN,
        "distance": report.distance,
        "distance_exact": report.distance_exact,
        "depth": report.depth,
        "deepest": report.deepest,
        "nodes": report.nodes,
        "seconds": report.seconds,
        "stopped": report.stopped,
        "chance": report.best is None,
    }
