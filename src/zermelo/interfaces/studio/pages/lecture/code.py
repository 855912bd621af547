"""The algorithms of the lecture page as pseudo-code, and which line every step of theirs stands at.

A line has a key: what happens there ("enter", "update", "prune", "leave") and at which kind of node ("max", "min",
"chance", "end"). Lines for chance nodes are left out where a tree has none.
"""

from __future__ import annotations

from collections.abc import Iterable

from zermelo.core.trace import Step

ALGORITHMS = {
    "minimax": "Minimax",
    "expectimax": "Expectimax",
    "expectiminimax": "Expectiminimax",
    "alphabeta": "Alpha-beta",
    "mcts": "Monte Carlo tree search",
}

SAYS = {
    "minimax": "MAX takes the largest value, MIN the smallest: what MAX is sure of, whatever the opponent does.",
    "expectimax": "The opponent is taken to choose at random: MIN's nodes become averages.",
    "expectiminimax": "Minimax with chance: MAX takes the largest value, MIN the smallest, and chance the average.",
    "alphabeta": "Minimax without the branches that cannot matter: α is what MAX already has, β what MIN has.",
    "mcts": "No look at everything: random games from the leaves of a growing tree, and averages of how they ended.",
}

Line = tuple[str, str]  # key, text


def _plain(name: str) -> dict[str, list[Line]]:
    return {
        "end": [("enter-end", f"{name}(s):"), ("leave-end", "  if IsEnd(s): return Utility(s)")],
        "max": [
            ("enter-max", "  if MAX moves: v ← −∞"),
            ("", "    for each action a:"),
            ("update-max", f"      v ← max(v, {name}(Succ(s, a)))"),
            ("leave-max", "    return v"),
        ],
        "min": [
            ("enter-min", "  if MIN moves: v ← +∞"),
            ("", "    for each action a:"),
            ("update-min", f"      v ← min(v, {name}(Succ(s, a)))"),
            ("leave-min", "    return v"),
        ],
        "chance": [
            ("enter-chance", "  if chance moves: v ← 0"),
            ("", "    for each outcome a of probability p:"),
            ("update-chance", f"      v ← v + p · {name}(Succ(s, a))"),
            ("leave-chance", "    return v"),
        ],
    }


_RANDOM = [
    ("enter-chance", "  if MIN or chance moves: v ← 0"),
    ("", "    for each action a of probability p:"),
    ("update-chance", "      v ← v + p · V(Succ(s, a))"),
    ("leave-chance", "    return v"),
]
_ALPHABETA = [
    ("enter-end", "V(s, α, β):        at first −∞, +∞"),
    ("leave-end", "  if IsEnd(s): return Utility(s)"),
    ("enter-max", "  if MAX moves: v ← −∞"),
    ("", "    for each action a:"),
    ("update-max", "      v ← max(v, V(Succ(s, a), α, β))"),
    ("update-max", "      α ← max(α, v)"),
    ("prune-max", "      if α ≥ β: return v  ▷ cut the rest"),
    ("leave-max", "    return v"),
    ("enter-min", "  if MIN moves: v ← +∞"),
    ("", "    for each action a:"),
    ("update-min", "      v ← min(v, V(Succ(s, a), α, β))"),
    ("update-min", "      β ← min(β, v)"),
    ("prune-min", "      if α ≥ β: return v  ▷ cut the rest"),
    ("leave-min", "    return v"),
]
_ALPHABETA_CHANCE = [
    ("enter-chance", "  if chance moves: v ← 0"),
    ("", "    for each outcome a of probability p:"),
    ("update-chance", "      v ← v + p · V(Succ(s, a), −∞, +∞)"),
    ("leave-chance", "    return v"),
]
_MCTS = [
    ("", "repeat n times:"),
    ("", "  s ← start"),
    ("", "  while every action of s has been tried:"),
    ("select", "    s ← the child with the best bound"),
    ("", "        ±mean + c · √(ln N(s) / N(child))"),
    ("expand", "  s ← a child not tried yet: a new node"),
    ("simulate", "  play at random from s to the end: u"),
    ("backup", "  for s and all above: N += 1, sum += u"),
    ("choose", "return the action most often visited"),
]
_MCTS_CHANCE = ("select-chance", "    (where chance moves, draw the child)")


def pseudo_code(algorithm: str, has_chance: bool) -> list[Line]:
    """The lines of an algorithm."""
    if algorithm == "mcts":
        lines = list(_MCTS)
        if has_chance:
            lines.insert(5, _MCTS_CHANCE)
        return lines
    if algorithm == "alphabeta":
        return _ALPHABETA + (_ALPHABETA_CHANCE if has_chance else [])
    parts = _plain("V")
    if algorithm == "expectimax":
        return parts["end"] + parts["max"] + _RANDOM
    return parts["end"] + parts["max"] + parts["min"] + (parts["chance"] if has_chance else [])


def key_of(step: Step) -> str:
    """The key of the line a step of a search stands at."""
    kind = "end" if step.node.is_leaf else step.node.kind
    if step.event == "leave" and any(child.pruned for child in step.node.children):
        return f"prune-{kind}"  # it was this line that returned
    return f"{step.event}-{kind}"


def lit(lines: Iterable[Line], key: str) -> list[int]:
    """The numbers of the lines with this key, from 0."""
    return [i for i, (name, _) in enumerate(lines) if name and name == key]
