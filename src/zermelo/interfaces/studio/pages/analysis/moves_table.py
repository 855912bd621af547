"""The table of moves of the page of analysis, and the tables below it. HTML, escaped."""

from __future__ import annotations

from html import escape

from zermelo.drawing.numbers import format_probability
from zermelo.interfaces.studio.pages.analysis.exact import PERFECT, exact_of, exact_text, has_exact
from zermelo.interfaces.studio.pages.analysis.limits import SAMPLED
from zermelo.interfaces.studio.pages.analysis.networks import has_policy
from zermelo.interfaces.studio.pages.analysis.rows import LINE, value_text, worth_of
from zermelo.interfaces.studio.pages.analysis.tree_json import Json

NUMBERS = ("value", "exact", "depth", "policy", "visits", "chance", "nodes", "time")  # columns


def moves_html(answer: Json, selected: str) -> str:
    """Every root move; `selected` is the name of the one pointed out."""
    sampled, chance = answer["search"] in SAMPLED, answer["chance"]
    head = ["outcome" if chance else "move", *(["chance"] if chance else []), "value"]
    head += ["exact"] if has_exact(answer) else []
    head += ["policy"] if has_policy(answer) else []
    head += ["visits", "share"] if sampled else ["depth"]
    head.append("what follows" if chance else "what answers it")
    most = max((one["visits"] or 0 for one in answer["moves"]), default=0)
    rows = [_move_row(one, answer, selected, most) for one in answer["moves"]]
    return _table(head, rows)


MOVES_ABOUT = {
    "alphabeta": "Each was then asked for its own value, first one ply deep, then deeper, to the depth given; "
    "beside it stands what refutes it.",
    "textbook": "What the search knew of each: where it could not be better, a bound (≤ ≥) was enough.",
    "mcts": "The most visited is chosen, or one proven as good; beside each stands what would follow.",
    "zero": "The policy is what the network expected before the search, visits are what the search made of it; the "
    "most visited is chosen, or one proven as good.",
    "maxn": "Each was then asked for its own values, to the depth given; beside it stands what would follow.",
}


def moves_about(answer: Json) -> str:
    """What the table of moves shows, and where the time did not reach."""
    said = [MOVES_ABOUT[answer["search"]]]
    if all(one.get("by_tables") for one in answer["moves"]):
        said = ["What endgame tables say of each; beside it stands what answers it."]
    if answer.get("tables") is not None:
        said.append("A ★ is perfect, by the endgame tables: nothing is better.")
    if not answer.get("is_complete", True):
        said.append("The time ran out before all had been asked as deep as the choice.")
    if any(one["depth"] is None and not one.get("by_tables") for one in answer["moves"]):
        said.append("Where the depth is missing, it was stopped before the move was asked.")
    return " ".join(said)


def _move_row(one: Json, answer: Json, selected: str, most: int) -> str:
    name = one["move"]
    classes = " ".join([*(["best"] if name == answer["best"] else []), *(["on"] if name == selected else [])])
    known = exact_of(answer, name)
    star = f' <span class="za-star" title="{PERFECT}">★</span>' if known is not None and known["is_perfect"] else ""
    cells = [f'<td class="name">{escape(name)}{star}</td>']
    if answer["chance"]:
        cells.append(f'<td class="number">{format_probability(one["probability"] or 0.0)}</td>')
    cells.append(f'<td class="number">{"cut" if one.get("pruned") else worth_of(one)}</td>')
    if has_exact(answer):
        cells.append(f'<td class="number">{exact_text(known)}</td>')
    if has_policy(answer):
        cells.append(f'<td class="number">{one["prior"] or 0.0:.1%}</td>')
    if answer["search"] in SAMPLED:
        width = round(90 * (one["visits"] or 0) / most) if most else 0
        cells.append(f'<td class="number">{one["visits"] or 0:,}</td>')
        cells.append(f'<td class="share"><span class="za-bar" style="width:{width}px"></span></td>')
    else:
        cells.append(f'<td class="number">{"–" if one["depth"] is None else one["depth"]}</td>')
    rest = one["pv"][1 : LINE + 1]
    line = " ".join(rest) + (" …" if len(one["pv"]) > LINE + 1 else "")
    cells.append(f'<td class="line">{escape(one.get("pruned") or line)}</td>')
    return f'<tr class="{classes}" data-move="{escape(name)}" tabindex="0">{"".join(cells)}</tr>'


def stages_html(answer: Json) -> str:
    """How the choice came about."""
    rows, before, sampled = [], None, answer["search"] in SAMPLED
    for stage in answer["stages"]:
        changed = "changed" if before is not None and stage["move"] != before else ""
        words = " ".join(filter(None, (changed, "" if stage["finished"] else "(not finished)")))
        before = stage["move"]
        nodes = "" if sampled else f'<td class="number">{stage["nodes"]:,}</td>'
        rows.append(
            f'<tr><td class="after">{escape(stage["after"])}</td><td>{escape(stage["move"] or "–")}</td>'
            f'<td class="number">{value_text(stage["value"])}</td>{nodes}'
            f'<td class="number">{stage["seconds"]:.2f} s</td><td class="line">{words}</td></tr>'
        )
    return _table(["after", "choice", "value", *([] if sampled else ["nodes"]), "time", ""], rows)


def _table(titles: list[str], rows: list[str]) -> str:
    head = "".join(f'<th class="{"number" if title in NUMBERS else title}">{title}</th>' for title in titles)
    return f'<table class="za-table"><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table>'


def did_html(answer: Json) -> str:
    rows = [f'<tr><td>{escape(words)}</td><td class="number">{number:,}</td></tr>' for words, number in answer["did"]]
    return f'<table class="za-table"><tbody>{"".join(rows)}</tbody></table>' if rows else "Nothing was counted."
