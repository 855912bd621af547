"""Parts of the lecture page: where the tree comes from, what can be changed about it, and what the quiz asks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import events, ui

from zermelo.interfaces.studio.pages.lecture.quiz import Question
from zermelo.interfaces.studio.pages.lecture.trees import LONGEST, Branch, Path, leaf_table, presets

if TYPE_CHECKING:
    from zermelo.interfaces.studio.pages.lecture.controller import Controller

EXAMPLE = '{"A": [[3, 12], [8, 2]], "B": [[4, 6], [7, 5]], "C": [2, [{"p": 0.5, "value": 9}, {"p": 0.5, "value": -3}]]}'
HELP = (
    'A number is a leaf, a list is a node with its moves, and {"A": …, "B": …} names them. '
    'MAX and MIN take turns; outcomes with a p, as in {"p": 0.5, "value": 3}, make a chance node.'
)
FURTHER = {"random": "A random tree", "typed": "Type a tree", "game": "A position of any game"}
TABLE = 48  # leaves that are listed


class SourcePanel:
    """Chooses the tree."""

    def __init__(self, controller: Controller) -> None:
        self.controller = controller
        titles = {preset["key"]: preset["title"] for preset in presets()} | FURTHER
        with ui.row().classes("items-end gap-3 w-full mt-2"):
            self.choice = ui.select(titles, value=next(iter(titles)), label="Tree", on_change=self.chosen)
            self.choice.classes("w-full sm:w-96").props('outlined dense data-testid="lecture-source"')
            self.random = ui.row().classes("items-end gap-2")
            with self.random:
                self.branching = self._number("Moves a node", 3, 10, "branching")
                self.depth = self._number("Plies", 3, 8, "depth")
                self.seed = self._number("Seed", 1, 999_999, "tree-seed", low=0)
                self.chance = ui.checkbox("with chance", on_change=self.grow)
            self.game = ui.row().classes("items-end gap-2")
            with self.game:
                names = controller.site.catalogue.titles
                self.name = ui.select(names, value=names[0], label="Game")
                self.name.props('outlined dense data-testid="lecture-game"')
                self.name.classes("w-44")
                self.position = ui.input("Position (empty: the start)").classes("w-56")
                self.position.props('outlined dense maxlength=500 data-testid="lecture-position"')
                self.plies = self._number("Plies", 2, 8, "plies", changed=False)
                self.taking = ui.button("Take it", on_click=self.unfold)
                self.taking.props('outline no-caps data-testid="lecture-unfold"')
        self.typing = ui.column().classes("w-full gap-1 mt-3")
        with self.typing:
            self.text = ui.textarea("The tree", value=EXAMPLE).classes("w-full z-mono")
            self.text.props(f'outlined dense autogrow maxlength={LONGEST} data-testid="lecture-text"')
            ui.label(HELP).classes("z-muted text-sm")
            with ui.row().classes("items-end gap-2"):
                self.levels = ui.input("Who moves, level by level (optional)", placeholder="max, chance, min")
                self.levels.props("outlined dense maxlength=300").classes("w-72")
                ui.button("Use this tree", on_click=self.read).props('outline no-caps data-testid="lecture-read"')
        self._show()

    def _number(self, label: str, value: int, high: int, name: str, *, low: int = 1, changed: bool = True) -> ui.number:
        field = ui.number(label, value=value, min=low, max=high, on_change=self.grow if changed else None)
        return field.classes("w-28").props(f'outlined dense debounce=300 data-testid="lecture-{name}"')

    def _show(self) -> None:
        for key, part in (("random", self.random), ("typed", self.typing), ("game", self.game)):
            part.set_visibility(self.choice.value == key)

    async def chosen(self, event: events.ValueChangeEventArguments[Any]) -> None:
        self._show()
        if event.value == "random":
            await self.grow()
        elif event.value not in FURTHER:
            await self.controller.take_preset(event.value)

    async def grow(self) -> None:
        await self.controller.take_random(self.seed.value, self.branching.value, self.depth.value, self.chance.value)

    async def read(self) -> None:
        await self.controller.take_typed(self.text.value, self.levels.value)

    async def unfold(self) -> None:
        self.taking.props("loading")
        try:
            await self.controller.take_position(self.name.value, self.position.value, self.plies.value)
        finally:
            self.taking.props(remove="loading")


class BranchPanel:
    """Changes a leaf, or the place of a branch."""

    def __init__(self, controller: Controller) -> None:
        self.controller = controller
        self.shown: Branch | None = None
        self.listed: dict[Path, ui.number] = {}
        self.rows: list[tuple[str, Path]] = []
        with ui.element("div").classes("z-card w-full"):
            ui.label("Change the tree").classes("font-bold")
            self.hint = ui.label("Click a leaf or a branch in the tree to change its number or its place.")
            self.hint.classes("z-muted text-sm")
            with ui.row().classes("items-center gap-2 w-full"):
                self.name = ui.label().props('data-testid="lecture-selected"')
                self.value = ui.number("Value").classes("w-28")
                self.value.on_value_change(lambda e: controller.set_selected_leaf(e.value))
                self.value.props('outlined dense debounce=300 data-testid="lecture-leaf"')
                self.earlier = ui.button(icon="arrow_back", on_click=lambda: controller.move_branch(-1)).props(
                    "outline dense"
                )
                self.earlier.props('data-testid="lecture-earlier"').tooltip("try this move earlier")
                self.later = ui.button(icon="arrow_forward", on_click=lambda: controller.move_branch(1)).props(
                    "outline dense"
                )
                self.later.props('data-testid="lecture-later"').tooltip("try this move later")
            self.all = ui.expansion("All leaves").classes("w-full").props('dense data-testid="lecture-leaves"')
            with self.all:
                self.table = ui.row().classes("gap-2 w-full")

    def show(self) -> None:
        walk = self.controller.walk
        branch, path = walk.branch, walk.selected
        is_leaf = branch is not None and not branch.children
        self.hint.set_visibility(branch is None)
        self.name.set_visibility(branch is not None)
        self.name.set_text("" if path is None else walk.lesson.game.format(path))
        self.value.set_visibility(is_leaf)
        if branch is not None and is_leaf:
            self.value.set_value(_plain(branch.value))
        above = walk.lesson.game.tree.below(path[:-1]) if path else None
        for button in (self.earlier, self.later):
            button.set_visibility(above is not None and len(above.children) > 1)
        if path and above is not None:
            self.earlier.set_enabled(path[-1] > 0)
            self.later.set_enabled(path[-1] < len(above.children) - 1)
        if walk.lesson.game.tree is not self.shown:
            self.shown = walk.lesson.game.tree
            self._show_table(leaf_table(self.shown))

    def _show_table(self, leaves: list[tuple[str, Path, float]]) -> None:
        rows = [(name, at) for name, at, _ in leaves]
        if rows != self.rows:
            self.rows = rows
            self.listed = {}
            self.table.clear()
            with self.table:
                if len(rows) > TABLE:
                    ui.label(f"{len(rows)} leaves are too many to list: click one in the tree.").classes("z-muted")
                    return
                for i, (name, at, value) in enumerate(leaves):
                    field = ui.number(name, value=_plain(value))
                    field.on_value_change(lambda e, at=at: self.controller.set_leaf(at, e.value))
                    field.classes("w-24").props(f'outlined dense debounce=300 data-testid="lecture-leaf-{i}"')
                    self.listed[at] = field
        for _, at, value in leaves:
            if at in self.listed:
                self.listed[at].set_value(_plain(value))


class QuizPanel:
    """Asks, where the quiz is on."""

    def __init__(self, controller: Controller) -> None:
        self.controller = controller
        self.box = ui.column().classes("lecture-question w-full gap-2 my-1").props('data-testid="lecture-question"')

    def show(self) -> None:
        walk = self.controller.walk
        self.box.clear()
        self.box.set_visibility(walk.quizzing)
        if not walk.quizzing:
            return
        score = f"{walk.quiz.right} of {walk.quiz.asked} right." if walk.quiz.asked else ""
        with self.box:
            if walk.question is not None:
                self._ask(walk.question, score)
            else:
                ended = walk.is_at_end
                words = "That was all." if ended else "Step forwards to the next question."
                ui.label(f"{words} {score}").props('data-testid="lecture-score"')

    def _ask(self, question: Question, score: str) -> None:
        ui.label(question.text)
        with ui.row().classes("gap-2"):
            for path, name in question.choices:
                button = ui.button(name, on_click=lambda path=path: self.controller.answer(path))
                button.props("outline dense no-caps").classes("px-2")
            none = ui.button("Nothing is cut here", on_click=lambda: self.controller.answer(None)).classes("px-2")
            none.props('outline dense no-caps data-testid="lecture-none"')
        ui.label(f"Or click the branch in the tree. {score}").classes("z-muted text-sm")


def _plain(value: float) -> float:
    """A number as somebody types it."""
    return int(value) if value == int(value) else value


def tip(element: ui.element, words: str) -> None:
    """A tooltip above what it explains: below is what is being read."""
    with element:
        ui.tooltip(words).props('anchor="top middle" self="bottom middle"')
