"""What the page of analysis writes: rows of the tree, sentences. HTML, escaped; its tables are in moves_table.py."""

from __future__ import annotations

from html import escape
from typing import Any

from zermelo.core.words import at_most_plies, plies
from zermelo.drawing.numbers import format_number, format_probability
from zermelo.interfaces.studio.pages.analysis.exact import exact_sentences
from zermelo.interfaces.studio.pages.analysis.limits import SAMPLED
from zermelo.interfaces.studio.pages.analysis.tree import ROOT, Branch, Outline, Row
from zermelo.interfaces.studio.pages.analysis.tree_json import Json

SIGNS = {"exact": "=", "lower": "≥", "upper": "≤", "mean": "≈"}
GLYPHS = {"max": "▲", "min": "▼", "chance": "●", "end": "■", "cutoff": "□"}
PLAYER_GLYPHS = "▲▼◆⬟⬢●"
LINE = 10  # moves of a line in the table
DEPTH = "plies of the position searched that were looked at for this value"
ASKED = "its own value, from the second search, as in the table of moves; the first needed no more than the bound"


# -- numbers and words -------------------------------------------------------------------------------------------------


def value_text(value: Any) -> str:
    """A value, or one number a player, with proper minus signs."""
    if value is None:
        return "?"
    if isinstance(value, (list, tuple)):
        return "(" + ", ".join(value_text(one) for one in value) + ")"
    x = float(value)
    text = f"{x:.3f}" if abs(x) < 1e4 and x != round(x) else format_number(x)
    return text.replace("-", "\u2212")


def worth_of(one: Json) -> str:
    """What is known of a move."""
    by_tables = one.get("by_tables", False)
    return worth_text(one["value"], one["bound"], one["proven"], one["distance"], one["distance_exact"], by_tables)


def worth_text(
    value: Any, bound: str, proven: bool, distance: int | None, distance_exact: bool, by_tables: bool = False
) -> str:
    """≤ 0.12, = 1 proven, at most 5 plies."""
    if value is None:
        return "?"
    sure = "" if not proven else " by tables" if by_tables else " proven"
    if proven and distance is not None:
        sure += f", {at_most_plies(distance, distance_exact)}"
    return f"{SIGNS.get(bound, '=')} {value_text(value)}{sure}"


def window_text(window: Any) -> str:
    if window is None:
        return ""
    low, high = window
    return (
        f"[{value_text(float('-inf') if low is None else low)}, {value_text(float('inf') if high is None else high)}]"
    )


def view_text(players: int, two_sided: bool) -> str:
    """Whose view the values take."""
    if players == 1:
        return "Values are what the player gets."
    if two_sided:
        return "All values are from player 0's view: high is good for ▲ player 0, low is good for ▼ the other side."
    return "A value is one number for every player: (player 0, player 1, …). Everybody wants their own to be high."


def news_text(report: Json) -> str:
    """How far a search is, in one line."""
    sampled = report.get("sampled", False)
    words = ["" if sampled else f"depth {report['depth']}"]
    if report.get("value") is not None:
        words.append(f"value {value_text(report['value'])}")
    words.append(f"{int(report.get('nodes') or 0):,} {'simulations' if sampled else 'nodes'}")
    words.append(f"{int(report.get('nodes_per_second') or 0):,}/s")
    words.append(" ".join((report.get("pv") or [])[:LINE]))
    return " · ".join(word for word in words if word)


STOPPED = {
    "seconds": "the time was up", "depth": "the depth was reached", "nodes": "the simulations were done",
    "proven": "nothing more can change", "finished": "everything was looked at", "stop": "it was stopped",
}  # fmt: skip


def summary(answer: Json) -> list[str]:
    """The choice and how sure it is, in sentences."""
    worth = value_text(answer["value"])
    if answer["proven"]:
        sure = "by the endgame tables" if answer.get("by_tables") else "proven"
        if answer["distance"]:
            sure += f", the game ends in {at_most_plies(answer['distance'], answer['distance_exact'])}"
    elif answer["search"] in SAMPLED:
        of = "simulated games" if answer["search"] == "mcts" else "judgements by the network"
        sure = f"the average of {answer['nodes']:,} {of}"
    else:
        sure = f"an estimate, {plies(answer['depth'])} deep"
    first = f"{answer['best']} is chosen, worth {worth} ({sure})." if answer["best"] else f"Worth {worth} ({sure})."
    if answer["chance"]:
        first = f"Nature moves here. On average the position is worth {worth} ({sure})."
    said = [first, *exact_sentences(answer)]
    if len(answer["pv"]) > 1:
        said.append("Expected: " + " ".join(answer["pv"][:24]))
    if answer.get("judged") is not None:
        said.append(f"Without any search the network thinks {value_text(answer['judged'])}.")
    kind = "simulations" if answer["search"] in SAMPLED else "nodes"
    end = STOPPED.get(answer["stopped"], answer["stopped"])
    said.append(f"{answer['nodes']:,} {kind} in {answer['seconds']:.2f} s; it ended because {end}.")
    return said


# -- the tree ----------------------------------------------------------------------------------------------------------


def tree_html(outline: Outline, selected: str, board: str = "") -> str:
    """The open part, row by row; `board` is what a narrow page shows below the selected row."""
    rows, complete = outline.rows()
    best = best_paths(outline)
    lines, said = [], ("", "")  # the reason of a cut is said once for moves that were cut together
    for row in rows:
        reason = (row.path.rpartition(".")[0], row.branch.pruned)
        lines.append(row_html(row, row.path == selected, row.path in best, reason == said))
        if board and row.what == "node" and row.path == selected:
            lines.append(f'<div class="za-inline z-board">{board}</div>')
        said = reason
    if not complete:
        lines.append(f'<div class="za-row za-note">Only {len(rows)} rows are shown: close something.</div>')
    return f'<div class="za-tree" role="tree">{"".join(lines)}</div>'


def best_paths(outline: Outline) -> set[str]:
    """The paths of the best line: the chosen move of whoever chooses, as far as it is known."""
    branch, path, found = outline.root, ROOT, {ROOT}
    while True:
        chosen = [number for number, child in enumerate(branch.children) if child.best]
        if not chosen:
            return found
        branch, path = branch.children[chosen[0]], f"{path}.{chosen[0]}"
        found.add(path)


def row_html(row: Row, selected: bool, in_line: bool, is_like_the_last: bool = False) -> str:
    style = f'style="--ply:{row.ply}"'
    if row.what == "note":
        return f'<div class="za-row za-note" {style}>↻ {escape(row.branch.note)}</div>'
    if row.what == "cut":
        why = next((child.pruned for child in row.branch.children if child.pruned), "")
        return f'<div class="za-row za-note" {style}>… and {row.count} more moves cut: {escape(why)}</div>'
    if row.what == "more":
        words = f"… {row.count} more: show them"
        return f'<div class="za-row za-link" role="button" tabindex="0" data-more="{row.path}" {style}>{words}</div>'
    if row.what == "again":
        if row.path == ROOT:
            words = f"… {row.count} more moves, of which no tree was kept; all are in the table of moves"
            return f'<div class="za-row za-note" {style}>{words}</div>'
        words = f"… nothing was kept of {row.count} more: search here"
        return f'<div class="za-row za-link" role="button" tabindex="0" data-again="{row.path}" {style}>{words}</div>'
    return _node_html(row, selected, in_line, is_like_the_last, style)


def _node_html(row: Row, selected: bool, in_line: bool, is_like_the_last: bool, style: str) -> str:
    branch = row.branch
    classes = ["za-row", *(["on"] if selected else []), *(["za-line"] if in_line else [])]
    classes += ["za-cut"] if branch.pruned else []
    twist = "" if branch.is_end else "▾" if branch.is_open else "▸" if branch.children else "▹"
    expanded = "" if branch.is_end else f' aria-expanded="{"true" if branch.is_open else "false"}"'
    parts = [f'<span class="za-twist">{twist}</span>', _kind_html(branch)]
    star = '<span class="za-star" title="what is chosen here"> ★</span>' if branch.best and not in_line else ""
    parts.append(f'<span class="za-move">{escape(branch.move) if row.ply else "this position"}{star}</span>')
    if branch.probability is not None:
        parts.append(f'<span class="za-extra">p {format_probability(branch.probability)}</span>')
    if branch.pruned:
        why = "cut" if is_like_the_last else f"cut: {escape(branch.pruned)}"
        parts.append(f'<span class="za-why">{why}</span>')
    else:
        worth = worth_text(branch.value, branch.bound, branch.proven, branch.distance, branch.distance_exact)
        parts.append(f'<span class="za-value">{worth}</span>')
        if branch.depth is not None:
            parts.append(f'<span class="za-extra" title="{DEPTH}">d{branch.depth}</span>')
        if branch.asked is not None:
            asked = branch.asked
            own = worth_text(asked["value"], "exact", asked["proven"], asked["distance"], asked["distance_exact"])
            parts.append(f'<span class="za-extra" title="{ASKED}">alone {own} d{branch.asked["depth"]}</span>')
    if branch.visits is not None:
        parts.append(f'<span class="za-extra">{branch.visits:,} visits</span>')
    if branch.window is not None and branch.kind not in ("end", "cutoff"):
        parts.append(f'<span class="za-extra" title="window: α and β">{window_text(branch.window)}</span>')
    title = f' title="{escape(tooltip(branch))}"'
    return (
        f'<div class="{" ".join(classes)}" role="treeitem" aria-level="{row.ply + 1}"{expanded} tabindex="0"'
        f' data-path="{row.path}" {style}{title}>{"".join(parts)}</div>'
    )


def _kind_html(branch: Branch) -> str:
    if branch.kind == "player":
        glyph = PLAYER_GLYPHS[branch.player % len(PLAYER_GLYPHS)]
        kind = ("max", "min", "chance")[branch.player % 3]
        return f'<span class="za-kind {kind}">{glyph}<small>{branch.player}</small></span>'
    return f'<span class="za-kind {branch.kind}">{GLYPHS[branch.kind]}</span>'


def tooltip(branch: Branch) -> str:
    """What the signs of a row mean."""
    who = {
        "max": f"player {branch.player} (MAX) is to move", "min": f"player {branch.player} (MIN) is to move",
        "chance": "nature decides", "player": f"player {branch.player} is to move", "end": "the game is over",
        "cutoff": "the depth limit: an estimate",
    }[branch.kind]  # fmt: skip
    if branch.pruned:
        return f"never looked at: {branch.pruned}. Click to search it all the same."
    how = {
        "exact": "exactly this, as far as was searched", "lower": "at least this", "upper": "at most this",
        "mean": "an average of simulated games",
    }.get(branch.bound, "")  # fmt: skip
    below = "" if branch.is_end or branch.children else "; nothing is known below: click to search here"
    return f"{who}; the value is {how}{below}"
