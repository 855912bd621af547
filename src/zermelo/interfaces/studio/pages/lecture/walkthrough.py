"""One visitor's way through a lesson: the tree, the algorithm, the order, the step, the quiz.

A change either succeeds as a whole or raises a GameError and changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from zermelo.core.game import GameError
from zermelo.interfaces.studio.catalogue import Catalogue
from zermelo.interfaces.studio.pages.lecture.code import ALGORITHMS
from zermelo.interfaces.studio.pages.lecture.lesson import Lesson, SearchLesson, count_orders, fitting, make_lesson
from zermelo.interfaces.studio.pages.lecture.quiz import Question, Quiz, question_at
from zermelo.interfaces.studio.pages.lecture.trees import (
    Branch,
    Path,
    from_game,
    ordered,
    presets,
    settled,
    swapped,
    typed,
    with_leaf,
)


@dataclass(frozen=True)
class Settings:
    """What makes a lesson."""

    tree: Branch  # as given
    title: str
    algorithm: str = "alphabeta"
    order: str = "given"
    shuffle: int = 1  # seed of the random order
    rounds: int = 30
    exploration: float = 1.4
    seed: int = 1  # of the random games

    @property
    def searched(self) -> Branch:
        """The tree in the order in which it is searched."""
        return ordered(self.tree, self.order, self.shuffle)

    def lesson(self) -> Lesson:
        return make_lesson(
            self.searched, self.algorithm, title=self.title,
            rounds=self.rounds, exploration=self.exploration, seed=self.seed,
        )  # fmt: skip


class Walkthrough:
    """One visitor's lesson, and how far it has come."""

    def __init__(self, tree: Branch, title: str) -> None:
        self.settings = Settings(tree, title)
        self.lesson: Lesson = self.settings.lesson()
        self.step = 0
        self.quizzing = False
        self.quiz = Quiz()
        self.feedback = ""  # on the last answer, until the next step
        self.selected: Path | None = None  # a node somebody clicked

    # -- changing what is searched -------------------------------------------------------------------------------------

    def change(self, **changes: Any) -> None:
        """Another algorithm, order, tree …; the search runs anew."""
        settings = replace(self.settings, **changes)
        if settings.algorithm in ALGORITHMS and settings.algorithm not in fitting(settings.tree):
            settings = replace(settings, algorithm="expectiminimax")
        lesson = settings.lesson()
        ended = self.is_at_end
        self.settings, self.lesson = settings, lesson
        self.step = lesson.steps if ended else 0
        self.restart_quiz()

    def take(self, tree: Branch, title: str) -> None:
        """Another tree, from its start."""
        self.change(tree=tree, title=title, order="given")
        self.selected, self.step = None, 0

    def set_leaf(self, at: Path, value: object) -> None:
        self.change(tree=with_leaf(self.settings.tree, at, value))

    def move_branch(self, by: int) -> None:
        """Exchange the selected branch with its neighbour; the order shown becomes the one given."""
        if not self.selected:
            raise GameError("choose a branch to move: click it in the tree")
        tree = swapped(settled(self.settings.searched), self.selected, by)
        self.change(tree=tree, order="given")
        self.selected = (*self.selected[:-1], self.selected[-1] + by)

    def select(self, path: Path) -> None:
        if self.lesson.game.tree.below(path) is None:
            raise GameError("there is no such node in this tree")
        self.selected = path

    @property
    def branch(self) -> Branch | None:
        """What is selected."""
        return None if self.selected is None else self.lesson.game.tree.below(self.selected)

    def orders(self) -> dict[str, int]:
        """Leaves alpha-beta looks at, by order."""
        return _counted(self.settings.tree, self.settings.shuffle)

    # -- stepping ------------------------------------------------------------------------------------------------------

    def go(self, step: int) -> None:
        """To this step, or as near as there is one; forwards no further than the next question of the quiz."""
        step = max(0, min(step, self.lesson.steps))
        if self.quizzing and step > self.step:
            waiting = (k for k in range(self.step, step) if self._question(k) and k not in self.quiz.answered)
            step = next(waiting, step)
        if step != self.step:
            self.feedback = ""
        self.step = step

    @property
    def is_at_end(self) -> bool:
        return self.step == self.lesson.steps

    # -- the quiz ------------------------------------------------------------------------------------------------------

    @property
    def can_quiz(self) -> bool:
        return self.settings.algorithm == "alphabeta"

    def set_quiz(self, on: bool) -> None:
        self.quizzing = on
        self.restart_quiz()
        if on:
            self.step = 0

    def restart_quiz(self) -> None:
        self.quiz.clear()
        self.feedback = ""
        self.quizzing = self.quizzing and self.can_quiz

    def _question(self, k: int) -> Question | None:
        lesson = self.lesson
        return question_at(lesson.game, lesson.trace, k) if isinstance(lesson, SearchLesson) else None

    @property
    def question(self) -> Question | None:
        """What is asked now."""
        if not self.quizzing or self.step in self.quiz.answered:
            return None
        return self._question(self.step)

    @property
    def sentence(self) -> str:
        """What is said of this step: on an answer, or what has happened; where the quiz asks, no more than that."""
        question = self.question
        return self.feedback or (self.lesson.sentence(self.step) if question is None else question.said)

    def answer(self, path: Path | None) -> bool:
        question = self.question
        if question is None:
            raise GameError("nothing is asked at the moment")
        if path is not None and question.branch_of(path) is None:
            raise GameError(
                "this branch is not asked about: choose one that has not been looked at, below the marked node"
            )
        is_right, self.feedback = self.quiz.answer(question, path)
        return is_right


@lru_cache(maxsize=64)
def _counted(tree: Branch, shuffle: int) -> dict[str, int]:
    return count_orders(tree, shuffle)


def preset_tree(catalogue: Catalogue, key: object) -> tuple[Branch, str]:
    """One of the trees always offered, and its title."""
    for preset in presets():
        if preset["key"] == key:
            title = preset["title"].split(":")[0]
            if "tree" in preset:
                return typed(preset["tree"]), title
            return from_game(catalogue[preset["game"]].load(), preset.get("position")), title
    raise GameError("there is no such tree here")


def path_of(node: object) -> Path:
    """The path of a node as a drawing names it, "n-0-1"; what a browser sends is checked."""
    if not isinstance(node, str) or len(node) > 200 or not node.startswith("n"):
        raise GameError("that is no node of the tree")
    parts = node.split("-")[1:]
    if not all(part.isascii() and part.isdigit() and len(part) <= 4 for part in parts):
        raise GameError("that is no node of the tree")
    return tuple(int(part) for part in parts)


def decimal(value: object, low: float, high: float, what: str) -> float:
    """A number from a field of the page."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:  # nor is NaN
        raise GameError(f"{what} is a number from {low:,} to {high:,}")
    return float(value)


def whole(value: object, low: int, high: int, what: str) -> int:
    """A whole number from a field of the page; a fraction is cut off."""
    try:
        return int(decimal(value, low, high, what))
    except GameError:
        raise GameError(f"{what}: a whole number from {low:,} to {high:,}") from None
