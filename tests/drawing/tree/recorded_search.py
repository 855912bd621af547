"""A small fail-soft alpha-beta that fills a Trace, so that drawings are tested by themselves."""

from __future__ import annotations

from math import inf
from typing import Any

from zermelo.core.game import CHANCE, OVER, Game
from zermelo.core.trace import Kind, Node, Trace, Value
from zermelo.games.tree import GAME_1, tree_game

COIN = """{"A": {"tails": {"p": 0.5, "tree": [-50, 50]}, "heads": {"p": 0.5, "tree": [-5, 15]}},
           "B": {"tails": {"p": 0.5, "tree": [1, 3]}, "heads": {"p": 0.5, "tree": [-50, 50]}},
           "C": {"tails": {"p": 0.5, "tree": [-5, 15]}, "heads": {"p": 0.5, "tree": [1, 3]}}}"""
THREE = """[[[{"utilities": [1, 2, 6]}, {"utilities": [6, 1, 2]}], {"utilities": [4, 3, 2]}],
            [{"utilities": [6, 1, 2]}, [{"utilities": [7, 4, 1]}, {"utilities": [5, 4, 5]}]]]"""


def search(game: Game[Any, Any]) -> Trace:
    trace = Trace()
    visit(game, game.start(), trace, -inf, inf, "", None)
    return trace


def visit(
    game: Game[Any, Any], s: Any, trace: Trace, alpha: float, beta: float, action: str, p: float | None
) -> tuple[Value, Node]:
    player = game.player(s)
    if game.players > 2:
        kind: Kind = "end" if player == OVER else "player"
    else:
        kind = {OVER: "end", CHANCE: "chance", 0: "max", 1: "min"}[player]  # type: ignore[assignment]
    window = (None, None) if kind == "player" else (alpha, beta)
    node = trace.enter(Node(kind, s, player, action, p, *window))
    if kind == "end":
        utilities = tuple(game.utility(s, q) for q in range(game.players))
        value: Any = utilities if game.players > 2 else utilities[0]
        trace.leave(node, value)
        return value, node
    if kind == "chance":
        value = 0.0
        for a, chance in game.chances(s):
            v, child = visit(game, game.succ(s, a), trace, -inf, inf, game.format_action(s, a), chance)
            value += chance * v
            trace.update(node, child, value)
        trace.leave(node, value)
        return value, node
    return choose(game, node, trace, alpha, beta)


def choose(game: Game[Any, Any], node: Node, trace: Trace, alpha: float, beta: float) -> tuple[Value, Node]:
    s, value, best = node.state, None, None
    left = list(game.actions(s))
    entry = alpha, beta
    while left and alpha < beta:
        a = left.pop(0)
        v, child = visit(game, game.succ(s, a), trace, alpha, beta, game.format_action(s, a), None)
        mine = {"max": lambda x: x, "min": lambda x: -x, "player": lambda x: x[node.player]}[node.kind]
        if value is None or mine(v) > mine(value):
            value, best = v, child
        if node.kind == "max":
            alpha = max(alpha, v)
        elif node.kind == "min":
            beta = min(beta, v)
        trace.update(node, child, value, *((alpha, beta) if node.kind != "player" else (None, None)))
    for a in left:
        trace.prune(node, Node("end", action=game.format_action(s, a)), f"{beta:g} ≤ {alpha:g}")
    bound = "exact"
    if node.kind != "player":
        bound = "lower" if value >= entry[1] else "upper" if value <= entry[0] else "exact"
    trace.leave(node, value, bound, best, node.alpha and alpha, node.beta and beta)
    return value, node


def searched(tree: str = GAME_1) -> Trace:
    """The trace of a search of a tree typed in."""
    return search(tree_game(tree))
