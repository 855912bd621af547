"""The quiz of the lecture page: which branch does alpha-beta cut next, or does it go on?

It asks where it is decided: a child's value has come back, others are left, and there is a bound they could be cut by.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import isinf

from zermelo.core.trace import Trace
from zermelo.drawing.numbers import format_window
from zermelo.interfaces.studio.pages.lecture.trees import LectureGame, Path, shown
from zermelo.interfaces.studio.pages.lecture.words import WHO, name_of, update_sentence, why_cut


@dataclass(frozen=True)
class Question:
    """Asked after `step` steps."""

    step: int
    said: str  # what has just happened, without what follows from it
    text: str
    choices: tuple[tuple[Path, str], ...]  # the branches left, and what they are called
    is_cut: bool
    why: str

    def branch_of(self, path: Path) -> Path | None:
        """Which of the choices the node at `path` belongs to."""
        return next((choice for choice, _ in self.choices if path[: len(choice)] == choice), None)


def question_at(game: LectureGame, trace: Trace, k: int) -> Question | None:
    """The question to ask after k steps, or None."""
    if not 0 < k < len(trace.steps):
        return None
    step = trace.steps[k - 1]
    node = step.node
    if step.event != "update" or node.kind not in ("max", "min") or step.alpha is None or step.beta is None:
        return None
    entered = {s.node.state for s in trace.steps[:k] if s.event == "enter"}
    left = [(*node.state, a) for a in game.actions(node.state) if (*node.state, a) not in entered]
    bound = step.alpha if node.kind == "min" else step.beta
    if not left or isinf(bound):
        return None
    following = trace.steps[k]
    is_cut = following.event == "prune"
    value = shown(step.value) if isinstance(step.value, int | float) else "?"
    assert node.alpha is not None
    assert node.beta is not None
    window = format_window(node.alpha, node.beta).replace("-", "−")
    name, who = name_of(game, node), WHO[node.kind]
    said = update_sentence(game, trace, k, tells_window=False)
    text = f"{who} moves at {name} and has v = {value}; {name} was entered with {window}. Which branch is cut next?"
    if is_cut:
        why = why_cut(game, following)
    else:
        way, sign = ("more", "α") if node.kind == "min" else ("less", "β")
        so_far = f"{who} has {value} so far"
        why = f"{name} may still be worth {way} than {sign} = {shown(bound)} ({so_far}), so the search looks on."
    return Question(k, said, text, tuple((path, game.format(path)) for path in left), is_cut, why)


@dataclass
class Quiz:
    """What somebody has answered."""

    answered: set[int] = field(default_factory=set)
    right: int = 0

    @property
    def asked(self) -> int:
        return len(self.answered)

    def answer(self, question: Question, path: Path | None) -> tuple[bool, str]:
        """Whether `path` (a node, or None: nothing is cut) is right, and a sentence; only the first answer counts."""
        chosen = None if path is None else question.branch_of(path)
        is_right = (chosen is not None) == question.is_cut and not (path is not None and chosen is None)
        if question.step not in self.answered:
            self.answered.add(question.step)
            self.right += is_right
        fact = "it is cut" if question.is_cut else "nothing is cut here"
        if is_right and question.is_cut and len(question.choices) > 1:
            fact = "all that is left here is cut"
        return is_right, f"{'Right' if is_right else 'No'}: {fact}. {question.why}"

    def clear(self) -> None:
        self.answered.clear()
        self.right = 0
