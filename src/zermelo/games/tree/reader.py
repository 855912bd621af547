"""Reading the JSON of a typed-in tree (see rules.py): every mistake is one sentence with the path to it."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from zermelo.core.game import CHANCE, GameError

Path = tuple[int, ...]

MAX_DEPTH, MAX_NODES, MAX_PLAYERS = 40, 100_000, 8
MAX_TEXT, MAX_NAME = 5_000_000, 40  # characters
CONTENT = ("tree", "value", "utilities")
RESERVED = ("p", "player", *CONTENT)
MOVERS = {"max": 0, "min": 1, "chance": CHANCE} | {f"p{i}": i for i in range(MAX_PLAYERS)}


@dataclass
class TreeNode:
    player: int | None = None  # who moves here; None: a leaf (and, while reading, not settled yet)
    utilities: tuple[float, ...] = ()  # of a leaf, one for each player
    children: list[TreeNode] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)  # of the moves to the children
    probabilities: list[float] = field(default_factory=list)  # at a chance node


def read_tree(text: str, levels: str | None = None) -> tuple[dict[Path, TreeNode], int]:
    """Every node by its path, and how many players there are."""
    reader = _Reader()
    root, p = reader.read(_parse(text), "root", 0)
    if p is not None:
        raise GameError("the root has a p, but it is no outcome of anything")
    players = reader.players()
    named = None if levels is None else _levels(levels, reader.depth)
    nodes: dict[Path, TreeNode] = {}
    _settle(nodes, root, (), 0, players, named)
    for node in nodes.values():
        if node.player is not None and node.player >= players:
            raise GameError(
                f"p{node.player} moves, but the leaves say what {players} players get: "
                f'give every leaf {node.player + 1} numbers, as in {{"utilities": [1, 2, 3]}}'
            )
    return nodes, players


def _settle(
    nodes: dict[Path, TreeNode], node: TreeNode, path: Path, turn: int, players: int, levels: Sequence[int] | None
) -> None:
    """Find every node by its path and settle who moves there; without levels it is `turn`'s turn."""
    nodes[path] = node
    if not node.children:
        return
    if node.player is None:
        node.player = turn if levels is None else levels[len(path)]
    if node.player == CHANCE and not node.probabilities:
        node.probabilities = [1 / len(node.children)] * len(node.children)
    following = turn if node.player == CHANCE else (node.player + 1) % players
    for i, child in enumerate(node.children):
        _settle(nodes, child, (*path, i), following, players, levels)


class _Object(list[tuple[str, Any]]):
    """A JSON object as its pairs, so that a key written twice is seen."""


def _parse(text: str) -> Any:
    def refuse(constant: str) -> Any:
        raise GameError(f"the tree holds {constant}, but its numbers must be finite")

    if not isinstance(text, str):
        raise GameError("a tree is typed in as JSON text")
    if len(text) > MAX_TEXT:
        raise GameError(f"the tree is longer than {MAX_TEXT:,} characters")
    try:
        return json.loads(text, object_pairs_hook=_Object, parse_constant=refuse)
    except RecursionError:
        raise GameError(f"the tree is deeper than {MAX_DEPTH} moves") from None
    except json.JSONDecodeError as error:
        raise GameError(f"this is not JSON: {error.msg} at line {error.lineno}, column {error.colno}") from None
    except ValueError as error:
        if isinstance(error, GameError):
            raise
        raise GameError("the tree holds a number of too many digits") from None


def _levels(levels: str, depth: int) -> list[int]:
    movers = [_mover(name, "in levels") for name in levels.split(",")]
    if len(movers) < depth:
        raise GameError(f"the tree has {depth} levels of moves, but levels names {len(movers)} ({_short(levels)})")
    return movers


def _mover(name: object, where: str) -> int:
    wanted = name.strip() if isinstance(name, str) else ""
    if wanted not in MOVERS:
        raise GameError(f"nobody is called {_short(name)} ({where}): say max, min, chance or p0 to p{MAX_PLAYERS - 1}")
    return MOVERS[wanted]


def _short(thing: object) -> str:
    if isinstance(thing, _Object):
        return "an object"
    if isinstance(thing, list):
        return "a list"
    shown = thing if isinstance(thing, str) else json.dumps(thing)
    shown = "".join(c if c.isprintable() else "\ufffd" for c in shown)
    return f"'{shown[:MAX_NAME]}…'" if len(shown) > MAX_NAME else f"'{shown}'"


def _letters(i: int) -> str:
    """a … z, aa, ab …"""
    return (_letters(i // 26 - 1) if i >= 26 else "") + chr(ord("a") + i % 26)


def _number(raw: object, where: str) -> float:
    if isinstance(raw, bool) or not isinstance(raw, int | float):
        raise GameError(f"{_short(raw)} at {where} is not a number")
    try:
        number = float(raw)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise GameError(f"the number at {where} is too large")
    return number + 0.0  # never -0


def _probability(raw: object, where: str) -> float:
    """A number, or a fraction as text: 0.5 or "1/6"."""
    if isinstance(raw, str) and (parts := re.fullmatch(r"\s*([0-9]{1,9})\s*/\s*([0-9]{1,9})\s*", raw)):
        over, under = int(parts[1]), int(parts[2])
        p = over / under if under else math.inf
    else:
        p = _number(raw, f"{where} (its p)")
    if not 0 <= p <= 1:
        raise GameError(f"the p at {where} is not between 0 and 1")
    return p


class _Reader:
    """From parsed JSON to nodes."""

    def __init__(self) -> None:
        self.depth = 0
        self._count = 0
        self._leaves: dict[int, str] = {}  # how many utilities (0: one plain number) → where first seen

    def players(self) -> int:
        kinds = [(n, f"{n} utilities" if n else "a plain number", where) for n, where in self._leaves.items()]
        if len(kinds) > 1:
            (_, this, here), (_, that, there) = kinds[:2]
            raise GameError(f"all leaves must be alike, but there is {this} at {here} and {that} at {there}")
        return kinds[0][0] or 2

    def read(self, raw: object, where: str, depth: int) -> tuple[TreeNode, float | None]:
        """The node, and its p if it has one."""
        self._count += 1
        if self._count > MAX_NODES:
            raise GameError(f"the tree has more than {MAX_NODES:,} nodes")
        self.depth = max(self.depth, depth)
        if not isinstance(raw, _Object) or not any(key in RESERVED for key, _ in raw):
            return self._plain(raw, where, depth), None
        fields = self._fields(raw, where)
        content = [key for key in CONTENT if key in fields]
        if len(content) != 1:
            raise GameError(f"the object at {where} needs exactly one of tree, value and utilities")
        node = self._content(content[0], fields[content[0]], where, depth)
        if "player" in fields:
            self._override(node, _mover(fields["player"], f"the player at {where}"), where)
        return node, _probability(fields["p"], where) if "p" in fields else None

    def _fields(self, raw: _Object, where: str) -> dict[str, Any]:
        fields = dict(raw)
        if len(fields) < len(raw):
            raise GameError(f"the object at {where} has a key twice")
        for key in fields:
            if key not in RESERVED:
                reserved = next(name for name in RESERVED if name in fields)
                raise GameError(f"the object at {where} has a move {_short(key)} beside the reserved key {reserved}")
        return fields

    def _content(self, key: str, raw: Any, where: str, depth: int) -> TreeNode:
        if key == "value":
            return self._leaf((), _number(raw, where), where)
        if key == "utilities":
            if not isinstance(raw, list) or isinstance(raw, _Object) or not 1 <= len(raw) <= MAX_PLAYERS:
                raise GameError(f"the utilities at {where} must be a list of 1 to {MAX_PLAYERS} numbers")
            return self._leaf(tuple(_number(u, where) for u in raw), 0.0, where)
        if isinstance(raw, _Object) and any(name in RESERVED for name, _ in raw):
            raise GameError(f"the tree at {where} must be a number, a list or an object that names moves")
        return self._plain(raw, where, depth)

    def _leaf(self, utilities: tuple[float, ...], value: float, where: str) -> TreeNode:
        self._leaves.setdefault(len(utilities), where)
        return TreeNode(utilities=utilities or (value, 0.0 - value))

    def _override(self, node: TreeNode, mover: int, where: str) -> None:
        if not node.children:
            raise GameError(f"nobody moves at {where}: it is a leaf, and needs no player")
        if node.probabilities and mover != CHANCE:
            raise GameError(f"the node at {where} names a player, but its children have p's")
        node.player = mover

    def _plain(self, raw: object, where: str, depth: int) -> TreeNode:
        if isinstance(raw, _Object):
            return self._inner([self._name(key, where) for key, _ in raw], [child for _, child in raw], where, depth)
        if isinstance(raw, list):
            return self._inner([_letters(i) for i in range(len(raw))], raw, where, depth)
        return self._leaf((), _number(raw, where), where)

    def _name(self, key: str, where: str) -> str:
        name = key.strip()
        if not name or len(name) > MAX_NAME or ">" in name or not name.isprintable():
            raise GameError(
                f"a move at {where} is called {_short(key)}: names have 1 to {MAX_NAME} printable characters and no >"
            )
        return name

    def _inner(self, labels: list[str], children: list[Any], where: str, depth: int) -> TreeNode:
        if not children:
            raise GameError(f"the node at {where} is empty: it needs at least one child")
        if depth == MAX_DEPTH:
            raise GameError(f"the tree is deeper than {MAX_DEPTH} moves")
        if len(set(labels)) < len(labels):
            raise GameError(f"two moves at {where} have the same name")
        read = [self.read(child, f"{where} > {a}", depth + 1) for a, child in zip(labels, children, strict=True)]
        probabilities = [p for _, p in read if p is not None]
        if probabilities and len(probabilities) < len(read):
            raise GameError(f"at {where} some children have a p and some have none")
        if probabilities and abs(math.fsum(probabilities) - 1) > 1e-9:
            raise GameError(f"the p's at {where} sum to {math.fsum(probabilities):.10g}, not to 1")
        chance = CHANCE if probabilities else None
        return TreeNode(chance, children=[node for node, _ in read], labels=labels, probabilities=probabilities)
