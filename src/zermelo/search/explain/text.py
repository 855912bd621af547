"""An explanation in words, as JSON and as a drawing."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from zermelo.core.trace import Node
from zermelo.core.words import at_most_plies, count, plies
from zermelo.drawing.tree.drawing import TreeDrawing, draw
from zermelo.search.explain.explanation import TABLE
from zermelo.search.report import AT_LEAST, AT_MOST, PROVEN

if TYPE_CHECKING:
    from zermelo.search.explain.explanation import Alternative, Explanation

SHOWN_MOVES = 8  # of a variation, in a table
SIGNS = {AT_MOST: "≤ ", AT_LEAST: "≥ "}
SAME = 5e-4  # values closer than this read the same
DRAWN = 1000  # nodes; breadth and plies keep a tree far below that


# -- words -------------------------------------------------------------------------------------------------------------


def text_of(told: Explanation, most: int) -> str:
    parts = [_choice(told), _moves(told, most), _stages(told), _pruned(told), _tree(told)]
    return "\n\n".join(part for part in parts if part)


def _choice(told: Explanation) -> str:
    report = told.report
    to_move = f"player {told.view} to move" if told.choice is not None else "chance to move"
    lines = [f"{told.game.name}, {to_move}: {told.game.format(told.state)}"]
    sure = f"an estimate, {plies(report.depth)} deep"
    if report.proof == PROVEN:
        sure = "proven" if told.verdict is None else f"{_on_average(told)}by the endgame tables"
        if report.distance is not None:
            sure += f", {_ending(told)} in {at_most_plies(report.distance, report.distance_exact)}"
    worth = f"{_number(told.value)} for player {told.view} ({sure})"
    lines.append(f"worth {worth}" if told.choice is None else f"{told.choice}, worth {worth}")
    if len(told.pv) > 1:
        lines.append(f"expected: {' '.join(told.pv)}")
    return "\n".join([*lines, *_tables(told)])


def _on_average(told: Explanation) -> str:
    return "exact on average, " if told.verdict is not None and told.verdict.is_average else ""


def _tables(told: Explanation) -> list[str]:
    """What endgame tables say beside the value: which other moves are as good, and what they do not know."""
    if told.verdict is None:
        return []
    lines = []
    if told.as_good:
        lines.append(f"equally good, by the endgame tables: {', '.join(told.as_good)}")
    if not told.verdict.is_average and not told.verdict.has_plies:
        lines.append("the tables do not say how soon: they were built without --distance")
    return lines


def _ending(told: Explanation) -> str:
    """Won and lost are the most and the least there is; what lies between is only over."""
    bounds = getattr(getattr(told.game, "variant", None), "utility_range", None)
    is_extreme = bounds is not None and told.report.value in bounds
    return "over" if not is_extreme else "won" if told.value > 0 else "lost"


def _moves(told: Explanation, most: int) -> str:
    """Every move with its value, and what refutes it."""
    shown = told.alternatives[:most]
    if not shown:
        return ""
    depths = sorted({one.depth for one in told.alternatives if not one.is_proven} or {shown[0].depth})
    deep = plies(depths[-1]) if len(depths) == 1 else f"{depths[0]} to {plies(depths[-1])}"
    title = f"The {'outcomes' if told.choice is None else 'moves'}, each asked for its own value, {deep} deep"
    if all(one.proof == TABLE for one in told.alternatives):
        title = f"The {'outcomes' if told.choice is None else 'moves'}, by the endgame tables"
    elif depths == [0]:
        title = "The moves, and what the search for the best of them knew of the others"
    elif not told.is_complete:
        title += "; the limits came before all were asked as deep as the choice"
    rows = []
    for n, one in enumerate(shown, 1):
        depth = "" if len(depths) == 1 or one.is_proven else f"depth {one.depth}"
        rows.append([f"  {n}", one.name, _value(one), depth, _worse(one, shown[0]), _why(told, one)])
    lines = [title, *_table(rows, "<<><<<")]
    if len(told.alternatives) > len(shown):
        lines.append(f"  … {len(told.alternatives) - len(shown)} more")
    return "\n".join(lines)


def _value(one: Alternative) -> str:
    value = SIGNS.get(one.bound, "") + _number(one.value)
    if one.distance is not None:
        value += f" in {'' if one.distance_exact else '≤ '}{one.distance}"
    return f"{value} {'by tables' if one.proof == TABLE else 'proven'}" if one.is_proven else value


def _worse(one: Alternative, choice: Alternative) -> str:
    if one.probability is not None:
        return f"{100 * one.probability:.3g} %"
    if one.worse is None:
        return ""
    if abs(one.worse) < SAME and one.bound == AT_MOST:
        return "no better"
    if abs(one.worse) < SAME:
        return _later(one, choice)
    least = "at least " if one.bound == AT_MOST else "at most " if one.bound == AT_LEAST else ""
    return f"{least}{abs(one.worse):.3f} {'worse' if one.worse > 0 else 'better'}"


def _later(one: Alternative, choice: Alternative) -> str:
    """Of a move that is worth the same: by how much it ends the game later, as far as that is known."""
    if one.distance is None or choice.distance is None or one.distance == choice.distance:
        return "as good"
    if not (one.distance_exact and choice.distance_exact):
        return "as good, perhaps not as soon" if one.distance > choice.distance else "as good, perhaps sooner"
    later = one.distance - choice.distance
    return f"{plies(abs(later))} {'sooner' if later < 0 else 'later'}"


def _why(told: Explanation, one: Alternative) -> str:
    rest = " ".join(one.words[1:SHOWN_MOVES]) + (" …" if len(one.words) > SHOWN_MOVES else "")
    if not rest:
        return ""
    if one.reply is None or told.choice is None or one.name == told.choice:
        return f"then {rest}"
    return f"{'refuted by' if one.worse is not None and one.worse >= SAME else 'answered by'} {rest}"


def _stages(told: Explanation) -> str:
    """How the choice changed with depth."""
    if not told.stages:
        return ""
    rows, before, depth = [], None, None
    for stage in told.stages:
        changed = "changed" if before is not None and stage.move != before else ""
        if changed and stage.depth == depth:  # once the result was proven
            changed += " for a shorter win" if stage.value > 0 else " for a longer defence"
        half = "" if stage.finished else "(not finished)"
        words = " ".join(filter(None, (changed, half)))
        rows.append([f"  {stage.depth}", stage.move or "", _number(stage.value), count(stage.nodes, "node"), words])
        before, depth = stage.move, stage.depth
    changes = sum("changed" in row[-1] for row in rows)
    told_changes = "never changed" if changes == 0 else "changed once" if changes == 1 else f"changed {changes} times"
    title = "The value" if told.choice is None else f"The choice by depth, which {told_changes}"
    return "\n".join([title, *_table(rows, "><>>>")])


def _pruned(told: Explanation) -> str:
    """What the search did not look at, and what it was that spared it."""
    report, seen = told.report, pruning_of(told)
    lines = [f"What was looked at: {count(report.nodes, 'node')} in {report.seconds:.2f} s, to {plies(report.depth)}"]
    if report.deepest > report.depth:
        lines[0] += f" (single lines to {report.deepest})"
    kind = "outcome" if told.choice is None else "legal move"
    if seen["branching"] is not None:
        last = f", {seen['branching_last']:.1f} for the last ply" if seen["branching_last"] else ""
        lines.append(f"  branching factor {seen['branching']:.1f}{last}, with {count(seen['legal'], kind)} here")
    if seen["cutoffs"]:
        first = f", {100 * seen['first_move_cutoffs']:.0f} % of them by the first move tried"
        lines.append(f"  {count(seen['cutoffs'], 'time')} one reply was enough{first}")
    if seen["table_hits"]:
        lines.append(
            f"  {count(seen['table_hits'], 'position')} answered by the table ({100 * seen['table_share']:.0f} %)"
        )
    for key, words in (
        ("null_move_cutoffs", "positions where even a free move did not help the other side"),
        ("reductions", "late moves searched less deep"),
        ("star_cutoffs", "chance nodes left early, because their average was known well enough"),
        ("quiet_nodes", "nodes beyond the depth, until the position was quiet"),
        ("re_searches", "moves searched again, because they were better than expected"),
    ):
        if seen[key]:
            lines.append(f"  {words}: {seen[key]:,}")
    return "\n".join(lines)


def _tree(told: Explanation) -> str:
    return "" if not told.root.children else drawing_of(told).text


# -- numbers -----------------------------------------------------------------------------------------------------------


def pruning_of(told: Explanation) -> dict[str, Any]:
    """What each technique spared, by the counters of the search that made the choice."""
    report = told.report
    counts = {name: int(n) for name, n in report.counters.items()}
    cuts, probes = counts.get("cuts", 0), counts.get("probes", 0)
    first = {stage.depth: stage for stage in reversed(told.stages)}  # a depth ends there; a shorter win comes later
    done = [stage for stage in first.values() if stage.finished and stage.depth > 0 and stage.nodes > 0][::-1]
    return {
        "legal": len(report.moves) or len(told.game.actions(told.state)),
        "branching": math.exp(math.log(done[-1].nodes) / done[-1].depth) if done else None,
        "branching_last": report.branching,
        "cutoffs": cuts,
        "first_move_cutoffs": counts.get("first_cuts", 0) / cuts if cuts else None,
        "table_hits": counts.get("hits", 0),
        "table_share": counts.get("hits", 0) / probes if probes else None,
        "null_move_cutoffs": counts.get("null_cuts", 0),
        "reductions": counts.get("reduced", 0),
        "re_searches": counts.get("re_searches", 0),
        "star_cutoffs": counts.get("star_cuts", 0),
        "quiet_nodes": counts.get("quiet_nodes", 0),
    }


def content_of(told: Explanation) -> dict[str, Any]:
    report = told.report
    return {
        "game": told.game.name,
        "position": told.game.format(told.state),
        "view": told.view,
        "choice": told.choice,
        "value": told.value,
        "proof": told.proof,
        "distance": report.distance,
        "distance_exact": report.distance_exact,
        "depth": report.depth,
        "nodes": report.nodes,
        "seconds": report.seconds,
        "stopped": report.stopped,
        "pv": list(told.pv),
        "is_complete": told.is_complete,
        "as_good": list(told.as_good),
        "alternatives": [one.as_dict() for one in told.alternatives],
        "by_depth": [stage.as_dict() for stage in told.stages],
        "pruning": pruning_of(told),
        "tree": _node_content(told.root),
    }


def _node_content(node: Node) -> dict[str, Any]:
    """From player 0's view, like every tree."""
    return {
        "move": node.action,
        "kind": node.kind,
        "player": node.player,
        "probability": node.probability,
        "value": node.value,
        "bound": node.bound,
        "depth": node.depth,
        "pruned": node.pruned or None,
        "best": None if node.best is None else node.best.action,
        "children": [_node_content(child) for child in node.children],
    }


def drawing_of(told: Explanation) -> TreeDrawing:
    moves = "outcomes" if told.choice is None else "moves"
    all_of_them = len(told.game.actions(told.state))
    some = "" if len(told.root.children) >= all_of_them else f", {len(told.root.children)} of {all_of_them} {moves}"
    inner = [node for child in told.root.children for node in child.walk() if node.children]
    if any(len(node.children) < len(told.game.actions(node.state)) for node in inner):
        some += ", not all replies"
    title = f"{told.game.name}: the top of the tree{some} (values for player 0)"
    return draw(told.root, title=title, max_nodes=DRAWN)


def _number(value: float) -> str:
    if value == 0:
        return "0"
    return f"{value:+.0f}" if value == round(value) and abs(value) < 1e9 else f"{value:+.3f}"


def _table(rows: list[list[str]], align: str) -> list[str]:
    """Rows with their columns under each other; columns that are empty everywhere are left out."""
    columns = [i for i in range(len(align)) if any(row[i] for row in rows)]
    widths = {i: max(len(row[i]) for row in rows) for i in columns}
    return ["  ".join(f"{row[i]:{align[i]}{widths[i]}}" for i in columns).rstrip() for row in rows]
