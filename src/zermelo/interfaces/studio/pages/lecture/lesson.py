"""A lesson: one algorithm on one tree, run to its end and then shown step by step, forwards and back.

    lesson = make_lesson(tree, "alphabeta")
    lesson.steps             how many
    lesson.drawing(k)        the tree after k of them; sentence(k), lit(k), counts(k) go with it

`SearchLesson` holds the trace of one of the textbook's searches, `SamplingLesson` the rounds of Monte Carlo tree
search.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from zermelo.core.game import GameError
from zermelo.core.trace import Node, Trace
from zermelo.core.words import count
from zermelo.drawing.tree.drawing import TreeDrawing, game_tree
from zermelo.drawing.tree.style import Theme
from zermelo.drawing.tree.view import View, view_tree
from zermelo.drawing.tree.visits import Count, visits_view
from zermelo.interfaces.studio.pages.lecture.code import ALGORITHMS, Line, key_of, lit, pseudo_code
from zermelo.interfaces.studio.pages.lecture.trees import MOST, ORDERS, Branch, LectureGame, Path, ordered, shown
from zermelo.interfaces.studio.pages.lecture.words import round_sentence, sentence
from zermelo.textbook import alphabeta
from zermelo.textbook.mcts import TreeStep, Tried, mcts
from zermelo.textbook.registry import run_traced

ROOM = 8 * MOST  # so that a drawing folds nothing
ROUNDS = 200  # at most


@dataclass(frozen=True)
class Counts:
    """How far a search is; what it does not count is None."""

    nodes: int
    leaves: int
    cut: int | None = None  # leaves that will not be looked at
    rounds: int | None = None


class Lesson(Protocol):
    game: LectureGame
    algorithm: str
    title: str
    result: str  # what came out, in a few words

    @property
    def steps(self) -> int: ...
    @property
    def code(self) -> list[Line]: ...
    def lit(self, k: int) -> list[int]: ...
    def sentence(self, k: int) -> str: ...
    def counts(self, k: int) -> Counts: ...
    def drawing(self, k: int, theme: Theme = "light", caption: bool = False, is_asked: bool = False) -> TreeDrawing:
        """The tree after k steps; `is_asked`: without what the last step did to a window, which somebody is to say."""


def fitting(tree: Branch) -> list[str]:
    """The algorithms that take this tree."""
    return [name for name in ALGORITHMS if not (name == "minimax" and tree.has_chance)]


def make_lesson(
    tree: Branch, algorithm: str, *, title: str = "", rounds: int = 30, exploration: float = 1.4, seed: int = 0
) -> Lesson:
    """Run `algorithm` on `tree`."""
    if algorithm not in ALGORITHMS:
        raise GameError("there is no such algorithm here")
    if algorithm not in fitting(tree):
        raise GameError("minimax knows no chance: take expectiminimax for a tree with chance nodes")
    named = f"{title}: {ALGORITHMS[algorithm]}" if title else ALGORITHMS[algorithm]
    if algorithm == "mcts":
        return SamplingLesson(tree, named, rounds, exploration, seed)
    return SearchLesson(tree, algorithm, named)


class SearchLesson:
    """A search of the whole tree, from its trace."""

    def __init__(self, tree: Branch, algorithm: str, title: str) -> None:
        self.game, self.algorithm, self.title = LectureGame(tree), algorithm, title
        done = run_traced(self.game, (), algorithm, most=4 * MOST)
        self.trace: Trace = done.trace
        self.value = done.value
        value = shown(done.value) if isinstance(done.value, int | float) else str(done.value)
        self.result = f"value {value}" + (f", by {done.best}" if done.best else "")
        self.code = pseudo_code(algorithm, tree.has_chance)

    @property
    def steps(self) -> int:
        return len(self.trace.steps)

    def lit(self, k: int) -> list[int]:
        return lit(self.code, key_of(self.trace.steps[k - 1])) if k else []

    def sentence(self, k: int) -> str:
        return sentence(self.game, self.trace, k, self.algorithm)

    def counts(self, k: int) -> Counts:
        steps = self.trace.steps[:k]
        entered = [step.node for step in steps if step.event == "enter"]
        cut = [step.child for step in steps if step.event == "prune" and step.child is not None]
        return Counts(len(entered), sum(node.is_leaf for node in entered), sum(map(self._leaves_below, cut)))

    def _leaves_below(self, node: Node) -> int:
        below = self.game.tree.below(node.state)
        return below.leaves if below is not None else 0

    def drawing(self, k: int, theme: Theme = "light", caption: bool = False, is_asked: bool = False) -> TreeDrawing:
        view = view_tree(self.trace, upto=k, game=self.game, max_nodes=ROOM, leaves=True)
        if is_asked:
            _hide_window(view)
        return _drawing(view, self, k, theme, caption)


class SamplingLesson:
    """Monte Carlo tree search, from its rounds."""

    algorithm = "mcts"

    def __init__(self, tree: Branch, title: str, rounds: int, exploration: float, seed: int) -> None:
        if not 1 <= rounds <= ROUNDS:
            raise GameError(f"Monte Carlo tree search runs 1 to {ROUNDS} rounds here")
        if not 0 <= exploration <= 100:
            raise GameError("the weight of exploration is between 0 and 100")
        self.game, self.title = LectureGame(tree), title
        values = [node.value for _, node in tree.walk() if not node.children]
        self.span = max(values) - min(values) or 1.0
        self.rounds: list[TreeStep[int]] = []
        self.root: Tried[Path, int] = mcts(self.game, (), rounds, seed, c=exploration * self.span, steps=self.rounds)
        best = "" if self.root.best is None else f", by {self.game.format_action((), self.root.best)}"
        self.result = f"mean {shown(float(f'{self.root.mean:.3g}'))} after {count(rounds, 'round')}{best}"
        self.code = pseudo_code("mcts", tree.has_chance)
        self._nodes = game_tree(self.game, (), max_nodes=MOST)

    @property
    def steps(self) -> int:
        return len(self.rounds)

    def lit(self, k: int) -> list[int]:
        if not k:
            return []
        step = self.rounds[k - 1]
        drawn = step.event == "select" and not step.bounds
        return lit(self.code, "choose" if k == self.steps else "select-chance" if drawn else step.event)

    def sentence(self, k: int) -> str:
        return round_sentence(self.game, self.rounds, k) + (f" The end: {self.result}." if k == self.steps else "")

    def counts(self, k: int) -> Counts:
        steps = self.rounds[:k]
        ends = {(*step.path, *step.played) for step in steps if step.event == "simulate"}
        return Counts(len(self._counted(k)), len(ends), rounds=steps[-1].number if steps else 0)

    def _counted(self, k: int) -> dict[Path, Count]:
        """Visits and totals of the nodes in the search's tree after k steps."""
        counted: dict[Path, Count] = {(): (0, 0.0)}
        for step in self.rounds[:k]:
            counted[step.path] = (step.visits, step.total)
        return counted

    @cached_property
    def _last(self) -> dict[Path, Count]:
        return self._counted(self.steps)

    def drawing(self, k: int, theme: Theme = "light", caption: bool = False, is_asked: bool = False) -> TreeDrawing:
        view = visits_view(self._nodes, self._counted(k), self._last, self._pointed_out(k))
        return _drawing(view, self, k, theme, caption)

    def _pointed_out(self, k: int) -> list[Path]:
        """The way down to the node of a step, and of a random game all of it; on the way back only the node."""
        if not k:
            return []
        step = self.rounds[k - 1]
        if step.event == "backup":
            return [step.path]
        way = (*step.path, *step.played)
        return [way[:i] for i in range(len(way) + 1)]


def _hide_window(view: View) -> None:
    """Show the node of the last step with the window it was entered with."""
    alpha, beta = view.node.alpha, view.node.beta
    if view.current and alpha is not None and beta is not None:
        view.window = (alpha, beta)
    for child in view.children:
        _hide_window(child)


def _drawing(view: View, lesson: Lesson, k: int, theme: Theme, caption: bool) -> TreeDrawing:
    said = f"step {k} of {lesson.steps}: {lesson.sentence(k)}" if caption else ""
    return TreeDrawing(view, lesson.title if caption else "", said, said, theme, "n")


def count_orders(tree: Branch, seed: int) -> dict[str, int]:
    """How many leaves alpha-beta looks at, for every order of the moves of the tree as it was given."""
    counted = {}
    for order in ORDERS:
        trace = Trace()
        alphabeta(LectureGame(ordered(tree, order, seed)), (), trace=trace)
        counted[order] = trace.leaves
    return counted
