"""What happens in one step of an algorithm, as a sentence for somebody who sees it for the first time."""

from __future__ import annotations

from zermelo.core.trace import Node, Step, Trace
from zermelo.drawing.numbers import format_number, format_probability, format_window
from zermelo.interfaces.studio.pages.lecture.trees import LectureGame, shown
from zermelo.textbook.mcts import TreeStep

AT = {"exact": "", "upper": "at most ", "lower": "at least "}
WHO = {"max": "MAX", "min": "MIN", "chance": "chance"}


def sentence(game: LectureGame, trace: Trace, k: int, algorithm: str) -> str:
    """The k-th step (from 1) of a search; before the first, what is to come."""
    if k == 0:
        return "Nothing has been looked at yet. Step forwards: the search begins at the root."
    step = trace.steps[k - 1]
    if step.event == "enter":
        return _enter(game, step, algorithm)
    if step.event == "update":
        return update_sentence(game, trace, k)
    if step.event == "prune":
        return _prune(game, step)
    return _leave(game, step)


def name_of(game: LectureGame, node: Node) -> str:
    return game.format(node.state)


def _number(value: object) -> str:
    return shown(float(value)) if isinstance(value, int | float) else "?"


def _enter(game: LectureGame, step: Step, algorithm: str) -> str:
    node, name = step.node, name_of(game, step.node)
    if node.is_leaf:
        return f"Look at {name}: a leaf."
    who = (
        "the opponent moves at random" if algorithm == "expectimax" and node.player == 1 else f"{WHO[node.kind]} moves"
    )
    if step.alpha is None or step.beta is None:
        return f"Look at {name}, where {who}."
    window = format_window(step.alpha, step.beta).replace("-", "−")
    if step.alpha == -float("inf") and step.beta == float("inf"):
        return f"Look at {name}, where {who}. The window is {window}: any value may still matter."
    return f"Look at {name}, where {who}. The window is {window}: only a value inside it matters."


def update_sentence(game: LectureGame, trace: Trace, k: int, *, tells_window: bool = True) -> str:
    """What came back in the k-th step, and (unless somebody is to find out what that means) the window then."""
    step = trace.steps[k - 1]
    node, child = step.node, step.child
    assert child is not None
    gave = f"{name_of(game, child)} gave {AT[child.bound]}{_number(child.value)}"
    if node.kind == "chance":
        p = format_probability(child.probability or 0.0)
        return f"{gave}, with probability {p}: the average so far adds up to {_number(step.value)}."
    before = _value_before(trace, k)
    who = WHO[node.kind]
    if before is None:
        said = f"{gave}, the first value {who} has at {name_of(game, node)}: v = {_number(step.value)}"
    elif before == step.value:
        said = f"{gave}, no better for {who}: v stays {_number(step.value)}"
    else:
        better = "more" if node.kind == "max" else "less"
        said = f"{gave}, {better} than {_number(before)}: v = {_number(step.value)} at {name_of(game, node)}"
    return f"{said}{_window_now(step) if tells_window else ''}."


def _window_now(step: Step) -> str:
    if step.alpha is None or step.beta is None:
        return ""
    window = format_window(step.alpha, step.beta).replace("-", "−")
    closed = ", which is empty" if step.alpha >= step.beta else ""
    return f", and the window is {window}{closed}"


def _value_before(trace: Trace, k: int) -> object:
    """What the node had before its k-th step."""
    node = trace.steps[k - 1].node
    for step in reversed(trace.steps[: k - 1]):
        if step.node is node:
            return step.value if step.event == "update" else None
    return None


def _prune(game: LectureGame, step: Step) -> str:
    return f"Cut {name_of(game, step.child)}: {why_cut(game, step)}" if step.child else "Cut."


def why_cut(game: LectureGame, step: Step) -> str:
    """Why the rest of a node need not be looked at; `step` is its pruning."""
    node, name = step.node, name_of(game, step.node)
    value, bound = _number(node.value), _number(node.alpha if node.kind == "min" else node.beta)
    if node.kind == "min":
        return (
            f"MIN already holds {name} to {value} or less, and MAX has α = {bound} for sure elsewhere. "
            "MAX will not come here, so the rest cannot matter."
        )
    return (
        f"MAX already has {value} or more at {name}, and MIN has β = {bound} for sure elsewhere. "
        "MIN will not come here, so the rest cannot matter."
    )


def _leave(game: LectureGame, step: Step) -> str:
    node, name, value = step.node, name_of(game, step.node), _number(step.value)
    if node.is_leaf:
        below = game.tree.below(node.state)
        if below is not None and below.cut_off:
            return f"The tree was taken no deeper than {name}: its estimate is {value}."
        return f"{name} is the end: its utility is {value}."
    if not node.state:
        chosen = f", who plays {node.best.action}" if node.best is not None and node.kind == "max" else ""
        chosen = f"; MIN plays {node.best.action}" if node.best is not None and node.kind == "min" else chosen
        return f"Done: the tree is worth {value} to MAX{chosen}."
    if node.bound == "upper":
        return f"{name} is worth at most {value}. That is no more than α, so MAX has no use for it."
    if node.bound == "lower":
        return f"{name} is worth at least {value}. That is no less than β, so MIN has no use for it."
    chosen = f": {WHO[node.kind]} plays {node.best.action}" if node.best is not None else ""
    return f"{name} is worth {value}{chosen}."


# -- Monte Carlo tree search -------------------------------------------------------------------------------------------


def round_sentence(game: LectureGame, steps: list[TreeStep[int]], k: int) -> str:
    """The k-th step (from 1) of Monte Carlo tree search."""
    if k == 0:
        return "The search's own tree is empty but for the root. Step forwards: the first round begins."
    step = steps[k - 1]
    name, said = game.format(step.path), f"Round {step.number}. "
    if step.event == "select":
        if not step.bounds:
            return f"{said}Select: chance draws {name}."
        bounds = ", ".join(f"{game.format_action(step.path[:-1], a)} {shown(round(b, 2))}" for a, b in step.bounds)
        return f"{said}Select {name}, the child with the best bound ({bounds})."
    if step.event == "expand":
        return f"{said}Expand: {name} is a new node of the tree."
    if step.event == "simulate":
        end = f"utility {shown(step.utility or 0.0)}"
        if not step.played:
            return f"{said}Simulate: {name} is the end of the game, {end}."
        moves = " ".join(game.format_action((*step.path, *step.played[:i]), a) for i, a in enumerate(step.played))
        return f"{said}Simulate: from {name} everybody plays at random ({moves}), {end}."
    times = "once" if step.visits == 1 else f"{step.visits} times"
    mean = format_number(float(f"{step.total / step.visits:.3g}")).replace("-", "−")
    return f"{said}Back up: {name} was visited {times}, on average {mean}."
