"""A game typed in as a tree: JSON in, a plain `Game` out. The textbook's examples are such games.

    [[-50, 50], [1, 3], [-5, 15]]                     MAX moves, then MIN; leaves are what MAX gets
    {"A": [-50, 50], "B": [1, 3], "C": [-5, 15]}      the same, with the first moves named
    [{"p": 0.5, "tree": [1, 2]}, {"p": 0.5, "value": 3}]     every child has a p: a chance node, wherever it stands
    {"utilities": [1, 2, 3]}                          a leaf for three players
    {"player": "max", "tree": [1, 2]}                 a node whose mover is not the one whose turn it would be

A node is a number (a leaf), a list (its moves are called a, b, c …), an object whose keys name the moves, or an object
with reserved keys: one of `value`, `utilities`, `tree`, and beside it `p` (a number, or "1/6") and `player`.

The players take turns: after max moves min, after min moves max, and chance does not use up a turn (with utilities for
three: p0, p1, p2, p0 …). `levels="max,chance,min"` names the mover of every level instead, from the root.

A state is the path to it, the numbers of the children from 0, written "root > B > a".
"""

from __future__ import annotations

from collections.abc import Sequence

from zermelo.core.game import NO_MARKS, OVER, Game, GameError, Marks
from zermelo.drawing.tree.drawing import draw, game_tree
from zermelo.games.tree.reader import MAX_NODES, Path, read_tree

GAME_1 = '{"A": [-50, 50], "B": [1, 3], "C": [-5, 15]}'  # the tree without a tree given: the lecture's first game


def tree_game(text: str = GAME_1, levels: str | None = None) -> TreeGame:
    """The game whose tree `text` writes down in JSON; a GameError says what is wrong with it, and where."""
    return TreeGame(text, levels)


class TreeGame(Game[Path, int]):
    """A game given by its whole tree; an action is the number of a child, from 0."""

    name = "tree"

    def __init__(self, text: str = GAME_1, levels: str | None = None) -> None:
        self._nodes, self.players = read_tree(text, levels)
        self.zero_sum = all(abs(sum(node.utilities)) < 1e-9 for node in self._nodes.values() if node.utilities)

    def start(self) -> Path:
        return ()

    def player(self, s: Path) -> int:
        player = self._nodes[s].player
        return OVER if player is None else player

    def actions(self, s: Path) -> Sequence[int]:
        return range(len(self._nodes[s].children))

    def succ(self, s: Path, a: int) -> Path:
        if (after := (*s, a)) not in self._nodes:
            raise GameError(f"there is no child {a} at {self.format(s)}")
        return after

    def utility(self, s: Path, player: int = 0) -> float:
        utilities = self._nodes[s].utilities
        if not utilities:
            raise GameError(f"the game is not over at {self.format(s)}")
        return utilities[player]

    def chances(self, s: Path) -> Sequence[tuple[int, float]]:
        return list(enumerate(self._nodes[s].probabilities))

    def clicks(self, s: tuple[int, ...], a: int) -> tuple[str, ...]:
        return (self.format_action(s, a),)

    def format_action(self, s: Path, a: int) -> str:
        return self._nodes[s].labels[a]

    def format(self, s: Path) -> str:
        return " > ".join(["root", *(self.format_action(s[:i], a) for i, a in enumerate(s))])

    def parse(self, text: str) -> Path:
        root, *labels = (part.strip() for part in text.split(">"))
        if root != "root":
            raise GameError("a position in a tree is written from the root, as in: root > A > b")
        s: Path = ()
        for label in labels:
            s = self.succ(s, self.parse_action(s, label))
        return s

    def text(self, s: Path) -> str:
        return draw(game_tree(self, s, max_nodes=MAX_NODES)).text

    def svg(self, s: Path, marks: Marks = NO_MARKS) -> str:
        return draw(game_tree(self, s, max_nodes=MAX_NODES)).svg
