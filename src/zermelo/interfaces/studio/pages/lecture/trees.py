"""The trees of the lecture page: small, with leaves that can be changed and moves that can be put in another order.

A `Branch` is a node with everything below it, and never changes: what changes a tree returns another one. Trees come
from a game's position (`from_game`), from text (`typed`, the notation of the game `tree`) or from dice (`random_tree`).
`LectureGame` makes a game of one, for the textbook's algorithms: a state is the path from the root, the numbers of the
children. `Branch.at` is where a node stood in the tree as it was given, whatever the order since.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from random import Random
from typing import Any

from zermelo.core.game import CHANCE, OVER, Game, GameError
from zermelo.core.trace import Node
from zermelo.drawing.numbers import format_number
from zermelo.drawing.tree.drawing import game_tree
from zermelo.games.tree.rules import GAME_1, TreeGame

Path = tuple[int, ...]

MOST = 300  # nodes of a tree: more cannot be looked at
LONGEST = 4_000  # characters of a typed tree
LARGEST = 1e6  # a leaf, either way
ORDERS = {
    "given": "as given",
    "reversed": "reversed",
    "best": "best first",
    "worst": "worst first",
    "random": "at random",
}
MOVERS = {"max": 0, "min": 1, "chance": CHANCE}


@dataclass(frozen=True)
class Branch:
    """A node and what is below it."""

    mover: int | None = None  # 0 MAX, 1 MIN, CHANCE; None: a leaf
    value: float = 0.0  # of a leaf, for MAX
    label: str = ""  # the move that leads here
    probability: float | None = None  # of that move, where nature makes it
    children: tuple[Branch, ...] = ()
    at: Path = ()  # where it was given
    cut_off: bool = False  # a leaf only because the tree was taken no deeper: its value is an estimate

    def walk(self, path: Path = ()) -> Iterator[tuple[Path, Branch]]:
        yield path, self
        for i, child in enumerate(self.children):
            yield from child.walk((*path, i))

    def below(self, path: Path) -> Branch | None:
        node = self
        for i in path:
            if not 0 <= i < len(node.children):
                return None
            node = node.children[i]
        return node

    @property
    def size(self) -> int:
        return 1 + sum(child.size for child in self.children)

    @property
    def leaves(self) -> int:
        return sum(child.leaves for child in self.children) if self.children else 1

    @property
    def has_chance(self) -> bool:
        return self.mover == CHANCE or any(child.has_chance for child in self.children)


class LectureGame(Game[Path, int]):
    """A tree as a game."""

    def __init__(self, tree: Branch, name: str = "tree") -> None:
        self.tree, self.name = tree, name
        self._nodes = dict(tree.walk())

    def start(self) -> Path:
        return ()

    def player(self, s: Path) -> int:
        mover = self._nodes[s].mover
        return OVER if mover is None else mover

    def actions(self, s: Path) -> Sequence[int]:
        return range(len(self._nodes[s].children))

    def chances(self, s: Path) -> Sequence[tuple[int, float]]:
        return [(i, child.probability or 0.0) for i, child in enumerate(self._nodes[s].children)]

    def succ(self, s: Path, a: int) -> Path:
        return (*s, a)

    def utility(self, s: Path, player: int = 0) -> float:
        value = self._nodes[s].value
        return value if player == 0 else 0.0 - value

    def format_action(self, s: Path, a: int) -> str:
        return self._nodes[(*s, a)].label

    def parse_action(self, s: Path, text: str) -> int:
        labels = [child.label for child in self._nodes[s].children]
        if text not in labels:
            raise GameError(f"there is no move {text[:40]} here")
        return labels.index(text)

    def format(self, s: Path) -> str:
        return " > ".join(self._nodes[s[: i + 1]].label for i in range(len(s))) or "the root"


# -- where trees come from ---------------------------------------------------------------------------------------------


def presets() -> list[dict[str, str]]:
    """Trees that are always offered: a key, a title, and the tree as text or a game and perhaps a position."""
    text = files("zermelo.interfaces.studio.pages.lecture").joinpath("presets.json").read_text(encoding="utf-8")
    return list(json.loads(text))


def from_game(game: Game[Any, Any], position: str | None = None, depth: int | None = None) -> Branch:
    """The tree of a game for two sides below a position, `depth` plies deep; leaves there have the game's estimate."""
    s = game.start() if not position else game.parse(position)
    try:
        root = game_tree(game, s, depth, max_nodes=MOST)
    except GameError:
        raise GameError(f"this tree has more than {MOST} nodes, too many to look at: take a smaller one") from None
    return branch(root)


def branch(node: Node, at: Path = ()) -> Branch:
    if node.kind == "player" or isinstance(node.value, tuple):
        raise GameError("the algorithms of this page know two sides, MAX and MIN: leaves must be single numbers")
    probability = None if node.probability is None else float(node.probability)
    if node.is_leaf:
        return Branch(None, float(node.value or 0.0), node.action, probability, (), at, node.kind == "cutoff")
    children = tuple(branch(child, (*at, i)) for i, child in enumerate(node.children))
    return Branch(MOVERS[node.kind], 0.0, node.action, probability, children, at)


def typed(text: object, levels: object = None) -> Branch:
    """A tree as somebody typed it."""
    if not isinstance(text, str) or not text.strip():
        raise GameError(f"type a tree, as in {GAME_1}")
    if len(text) > LONGEST:
        raise GameError(f"a typed tree has at most {LONGEST:,} characters")
    named = levels.strip() if isinstance(levels, str) and levels.strip() else None
    return from_game(TreeGame(text, named[:LONGEST] if named else None))


def random_tree(seed: int, branching: int, depth: int, chance: bool = False) -> Branch:
    """Every node has `branching` moves, every leaf a whole number from −9 to 9; MAX and MIN take turns.

    With `chance` nature moves after each of them, with equal odds.
    """
    if not (1 <= branching <= 10 and 1 <= depth <= 8 and 0 <= seed < 1_000_000):
        raise GameError("a random tree has 1 to 10 moves a node, 1 to 8 plies, and a seed from 0 to 999,999")
    if sum(branching**i for i in range(depth + 1)) > MOST:
        raise GameError(f"{branching} moves a node and {depth} plies make more than {MOST} nodes: take fewer")
    dice = Random(seed)
    turns = (0, CHANCE, 1, CHANCE) if chance else (0, 1)

    def grow(at: Path, above: int | None) -> Branch:
        label = "" if not at else f"{'abcdefghij'[at[-1]]}"
        odds = 1 / branching if above == CHANCE else None
        if len(at) == depth:
            return Branch(None, float(dice.randint(-9, 9)), label, odds, (), at)
        mover = turns[len(at) % len(turns)]
        return Branch(mover, 0.0, label, odds, tuple(grow((*at, i), mover) for i in range(branching)), at)

    return grow((), None)


# -- to and from the messages of a search process ----------------------------------------------------------------------


def as_json(tree: Branch) -> list[Any]:
    below = [as_json(child) for child in tree.children]
    return [tree.mover, tree.value, tree.label, tree.probability, tree.cut_off, below]


def from_json(sent: Sequence[Any], at: Path = ()) -> Branch:
    mover, value, label, probability, cut_off, below = sent
    children = tuple(from_json(child, (*at, i)) for i, child in enumerate(below))
    return Branch(mover, value, label, probability, children, at, cut_off)


# -- changing them -----------------------------------------------------------------------------------------------------


def with_leaf(tree: Branch, at: Path, value: object) -> Branch:
    """The tree with another number at the leaf that was given at `at`."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise GameError("a leaf needs a number")
    if abs(value) > LARGEST:
        raise GameError(f"a leaf is between {-LARGEST:,.0f} and {LARGEST:,.0f}")
    leaf = tree.below(at)
    if leaf is None or leaf.children:
        raise GameError("there is no leaf at this place")

    def change(node: Branch, way: Path) -> Branch:
        if not way:
            return replace(node, value=float(value) + 0.0, cut_off=False)
        children = tuple(change(c, way[1:]) if i == way[0] else c for i, c in enumerate(node.children))
        return replace(node, children=children)

    return change(tree, at)


def settled(tree: Branch) -> Branch:
    """The tree in its present order, from now on the one given."""

    def settle(node: Branch, at: Path) -> Branch:
        children = tuple(settle(child, (*at, i)) for i, child in enumerate(node.children))
        return replace(node, at=at, children=children)

    return settle(tree, ())


def swapped(tree: Branch, path: Path, by: int) -> Branch:
    """The tree with the child at `path` exchanged with its neighbour to the left (−1) or to the right (+1)."""
    above = tree.below(path[:-1]) if path else None
    if above is None or not 0 <= path[-1] < len(above.children) or by not in (-1, 1):
        raise GameError("choose a branch to move")
    i, j = path[-1], path[-1] + by
    if not 0 <= j < len(above.children):
        raise GameError(f"this branch is already the {'first' if by < 0 else 'last'}")

    def change(node: Branch, way: Path) -> Branch:
        children = list(node.children)
        if way:
            children[way[0]] = change(children[way[0]], way[1:])
        else:
            children[i], children[j] = children[j], children[i]
        return replace(node, children=tuple(children))

    return settled(change(tree, path[:-1]))


def ordered(tree: Branch, order: str, seed: int = 0) -> Branch:
    """The tree with the moves of MAX and MIN in another order everywhere; what nature does stays where it is."""
    if order not in ORDERS:
        raise GameError(f"moves are tried {', '.join(ORDERS.values())}")
    dice = Random(seed)

    def arrange(node: Branch) -> Branch:
        children = [arrange(child) for child in node.children]
        if node.mover != CHANCE:
            children = _arranged(children, order, node.mover == 0, dice)
        return replace(node, children=tuple(children))

    return tree if order == "given" else arrange(tree)


def _arranged(children: list[Branch], order: str, maximizes: bool, dice: Random) -> list[Branch]:
    if order == "reversed":
        return children[::-1]
    if order == "random":
        return dice.sample(children, len(children))
    worth: Callable[[Branch], float] = value_of
    return sorted(children, key=worth, reverse=maximizes == (order == "best"))


def value_of(tree: Branch) -> float:
    """What the tree is worth to MAX, who plays MIN and nature."""
    if not tree.children:
        return tree.value
    values = [value_of(child) for child in tree.children]
    if tree.mover == CHANCE:
        return sum(value * (child.probability or 0.0) for value, child in zip(values, tree.children, strict=True))
    return max(values) if tree.mover == 0 else min(values)


def leaf_table(tree: Branch) -> list[tuple[str, Path, float]]:
    """(its moves, where it was given, value) of every leaf, in the present order."""
    game = LectureGame(tree)
    return [(game.format(path), node.at, node.value) for path, node in tree.walk() if not node.children]


def shown(value: float) -> str:
    return format_number(value).replace("-", "−")
