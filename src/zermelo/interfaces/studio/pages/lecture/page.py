"""The lecture page: an algorithm on a small tree, one step at a time, forwards and back.

What is shown is worked out in `lecture_desk` and the modules it names; here are the layout and what is done when
somebody clicks. Runs and drawings are made in a thread, so that the server goes on answering.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from nicegui import events, run, ui

from zermelo.core.game import GameError
from zermelo.drawing.tree.style import Theme
from zermelo.interfaces.studio.pages.lecture import look
from zermelo.interfaces.studio.pages.lecture.code import ALGORITHMS, SAYS
from zermelo.interfaces.studio.pages.lecture.controller import Desk, decimal, path_of, preset_tree, whole
from zermelo.interfaces.studio.pages.lecture.lesson import ROUNDS, fitting
from zermelo.interfaces.studio.pages.lecture.panels import BranchPanel, QuizPanel, SourcePanel, tip
from zermelo.interfaces.studio.pages.lecture.trees import ORDERS, Path, presets
from zermelo.interfaces.studio.shell import PATIENCE, Studio, Visit, complain, frame

SPEEDS = {2.0: "slow", 1.0: "steady", 0.4: "fast", 0.15: "very fast"}  # seconds a step


@ui.page("/lecture", response_timeout=PATIENCE)
def lecture() -> None:
    with frame("lecture") as visit:
        ui.add_css(look.STYLE + look.dark_style())
        Page(visit)


class Page:
    """One visitor's page."""

    def __init__(self, visit: Visit) -> None:
        self.visit = visit
        self.desk = Desk(*preset_tree(Studio.catalogue, presets()[0]["key"]))
        self.lock, self.waiting = asyncio.Lock(), 0
        self.build()
        self.timer = ui.timer(1.0, self.tick, active=False)
        ui.keyboard(self.key, ignore=["input", "select", "textarea"])
        ui.timer(0.01, self.show, once=True)

    # -- layout --------------------------------------------------------------------------------------------------------

    def build(self) -> None:
        with ui.element("div").classes("z-card w-full"):
            ui.label(
                "Step through an algorithm on a small tree: see what it looks at, what it knows, and what it skips."
            )
            self.source = SourcePanel(self)
            self._build_choices()
        with ui.row().classes("w-full gap-4 items-start"):
            with ui.column().classes("gap-3").style("flex: 4 1 560px; min-width: 0; max-width: 100%"):
                self._build_stage()
            with ui.column().classes("gap-3").style("flex: 1 1 330px; min-width: 0; max-width: 100%"):
                self._build_side()

    def _build_choices(self) -> None:
        with ui.row().classes("items-center gap-3 w-full mt-3 mb-1"):
            self.algorithm = (
                ui.select(
                    dict(ALGORITHMS),
                    value=self.desk.settings.algorithm,
                    label="Algorithm",
                    on_change=self.set_algorithm,
                )
                .classes("w-56")
                .props('outlined dense data-testid="lecture-algorithm"')
            )
            self.order = ui.select(
                ORDERS, value="given", label="Order of moves", on_change=self.set_order
            ).classes("w-40").props('outlined dense data-testid="lecture-order"')  # fmt: skip
            self.shuffle = ui.button(icon="shuffle", on_click=self.reshuffle).props("flat round dense")
            self.shuffle.tooltip("another random order")
            self.quiz = ui.switch("Quiz: which branch is cut next?", on_change=self.set_quiz)
            self.quiz.props('data-testid="lecture-quiz"')
            self.sampling = ui.row().classes("items-center gap-2")
            with self.sampling:
                self._number("rounds", "Rounds", 30, 1, ROUNDS)
                self._number("exploration", "Exploration", 1.4, 0, 100, step=0.1).tooltip(
                    "c = this times the difference between the largest and the smallest leaf"
                )
                self._number("seed", "Seed", 1, 0, 999_999)
        self.says = ui.label().classes("z-muted")

    def _number(self, name: str, label: str, value: float, low: int, high: int, step: float = 1) -> ui.number:
        check = whole if step == 1 else decimal

        async def changed(event: events.ValueChangeEventArguments[Any]) -> None:
            if event.value is None or event.value == getattr(self.desk.settings, name):
                return  # emptied, to be typed anew
            await self.do(lambda: self.desk.change(**{name: check(event.value, low, high, name)}))

        field = ui.number(label, value=value, min=low, max=high, step=step, on_change=changed)
        return field.classes("w-28").props(f'outlined dense debounce=300 data-testid="lecture-{name}"')

    def _build_stage(self) -> None:
        with ui.element("div").classes("z-card w-full"):
            with ui.row().classes("items-center no-wrap gap-1 w-full"):
                for icon, name, words, where in (
                    ("first_page", "start", "to the start", lambda: 0),
                    ("chevron_left", "back", "one step back (←)", lambda: self.desk.step - 1),
                    ("chevron_right", "next", "one step forwards (→)", self.following),
                    ("last_page", "end", "to the end", lambda: self.desk.lesson.steps),
                ):
                    button = ui.button(icon=icon, on_click=lambda where=where: self.go(where))
                    button.props(f'outline dense data-testid="lecture-{name}"')
                    tip(button, words)
                self.play = ui.button(icon="play_arrow", on_click=self.toggle_play).props("dense")
                self.play.props('data-testid="lecture-play"')
                tip(self.play, "play by itself, or pause")
                self.speed = ui.select(SPEEDS, value=1.0, on_change=self.set_speed).props("dense borderless")
                tip(self.speed.classes("ml-1"), "how fast it plays")
                self.where = (
                    ui.label()
                    .classes("z-muted lecture-count ml-auto whitespace-nowrap")
                    .props('data-testid="lecture-step"')
                )
            self.slider = ui.slider(min=0, max=1, value=0, on_change=self.slid).props('data-testid="lecture-slider"')
            self.sentence = ui.label().classes("lecture-says").props('data-testid="lecture-sentence" aria-live=polite')
            self.asking = QuizPanel(self)
            self.tree = ui.html("", sanitize=False).classes("z-scroll lecture-tree").props('data-testid="lecture-tree"')
            self.tree.on("click", self.clicked, js_handler=look.CLICKED)
            with ui.row().classes("items-center w-full gap-2"):
                self.counts = ui.label().classes("z-muted lecture-count grow").props('data-testid="lecture-counts"')
                fit = ui.button(icon="fit_screen", on_click=lambda: self.tree.classes(toggle="fit"))
                fit.props('flat dense data-testid="lecture-fit"').tooltip(
                    "the whole tree at once, or large enough to read"
                )
                for kind in ("SVG", "PNG"):
                    button = ui.button(kind, icon="download", on_click=lambda kind=kind: self.export(kind))
                    button.props(f'flat dense no-caps data-testid="lecture-{kind.lower()}"')
                    button.tooltip(f"download the drawing of this step as {kind}")

    def _build_side(self) -> None:
        with ui.element("div").classes("z-card w-full"):
            ui.label("The algorithm, and where it is").classes("font-bold")
            self.code = ui.html("", sanitize=False).classes("w-full").props('data-testid="lecture-code"')
        self.orders_card = ui.element("div").classes("z-card w-full")
        with self.orders_card:
            ui.label("Leaves looked at, by the order of moves").classes("font-bold")
            self.orders = ui.html("", sanitize=False).classes("w-full")
        self.branch = BranchPanel(self)

    # -- doing and showing ---------------------------------------------------------------------------------------------

    async def do(self, change: Callable[[], Any]) -> None:
        """Change the desk and show it; what cannot be done is said."""
        self.waiting += 1
        async with self.lock:
            self.waiting -= 1
            with self.visit.client:  # what was clicked may be gone by the time it is answered
                try:
                    await run.io_bound(change)
                except GameError as problem:
                    if not self.visit.gone:
                        complain(problem)
                if not self.waiting:  # else it is drawn after what was clicked since
                    await self._draw()

    async def show(self) -> None:
        await self.do(lambda: None)

    async def _draw(self) -> None:
        desk = self.desk
        lesson, step = desk.lesson, desk.step
        counted: dict[str, int] = {}

        def prepare() -> str:
            counted.update(desk.orders() if desk.can_quiz else {})
            return lesson.drawing(step).svg

        svg = await run.io_bound(prepare)
        if svg is None or self.visit.gone:  # the server is closing, or nobody looks any more
            return
        self.tree.style(f"--w: {look.width_of(svg)}px")
        self.tree.set_content(svg + look.selected_style(desk.selected))
        self.code.set_content(look.code_html(lesson.code, lesson.lit(step)))
        self.sentence.set_text(desk.feedback or lesson.sentence(step))
        self.where.set_text(f"step {step} / {lesson.steps}")
        self.counts.set_text(look.counts_text(lesson.counts(step), lesson.game.tree.leaves))
        self._show_choices(counted)
        self.asking.show()
        self.branch.show()
        ui.run_javascript(look.FOLLOW)

    def _show_choices(self, counted: dict[str, int]) -> None:
        desk = self.desk
        settings, steps = desk.settings, desk.lesson.steps
        fit = {name: ALGORITHMS[name] for name in fitting(settings.tree)}
        if self.algorithm.options != fit:
            self.algorithm.set_options(fit)
        self.algorithm.set_value(settings.algorithm)
        self.order.set_value(settings.order)
        self.says.set_text(SAYS[settings.algorithm])
        self.shuffle.set_visibility(settings.order == "random")
        self.sampling.set_visibility(settings.algorithm == "mcts")
        self.quiz.set_visibility(desk.can_quiz)
        self.quiz.set_value(desk.quizzing)
        self.orders_card.set_visibility(bool(counted))
        if counted:
            self.orders.set_content(look.orders_html(counted, settings.tree.leaves, settings.order))
        if self.slider.props.get("max") != steps:
            self.slider.props(f"max={steps}")
        self.slider.set_value(desk.step)

    # -- what a visitor does -------------------------------------------------------------------------------------------

    async def go(self, where: Callable[[], int]) -> None:
        """To a step, which is worked out when it is its turn: somebody may click faster than it is drawn."""
        await self.do(lambda: self.desk.go(where()))
        if self.timer.active and (self.desk.step >= self.desk.lesson.steps or self.desk.question is not None):
            self.set_playing(False)

    async def slid(self, event: events.ValueChangeEventArguments[Any]) -> None:
        step = event.value
        if isinstance(step, int | float) and step != self.desk.step:
            await self.go(lambda: int(step))

    async def key(self, event: events.KeyEventArguments) -> None:
        if event.action.keydown and not event.modifiers.ctrl and not event.modifiers.alt:
            if event.key.arrow_right:
                await self.go(self.following)
            elif event.key.arrow_left:
                await self.go(lambda: self.desk.step - 1)

    def following(self) -> int:
        return self.desk.step + 1

    async def toggle_play(self) -> None:
        self.set_playing(not self.timer.active)
        if self.timer.active and self.desk.step >= self.desk.lesson.steps:
            await self.go(lambda: 0)

    def set_playing(self, playing: bool) -> None:
        self.timer.active = playing
        self.play.props(f"icon={'pause' if playing else 'play_arrow'}")

    async def tick(self) -> None:
        if not self.lock.locked():  # a slow page drops steps rather than piling them up
            await self.go(self.following)

    def set_speed(self, event: events.ValueChangeEventArguments[Any]) -> None:
        if event.value in SPEEDS:
            self.timer.interval = event.value

    async def set_algorithm(self, event: events.ValueChangeEventArguments[Any]) -> None:
        if event.value != self.desk.settings.algorithm:
            await self.do(lambda: self.desk.change(algorithm=event.value))

    async def set_order(self, event: events.ValueChangeEventArguments[Any]) -> None:
        if event.value != self.desk.settings.order:
            await self.do(lambda: self.desk.change(order=event.value))

    async def reshuffle(self) -> None:
        await self.do(lambda: self.desk.change(shuffle=self.desk.settings.shuffle + 1))

    async def set_quiz(self, event: events.ValueChangeEventArguments[Any]) -> None:
        if bool(event.value) != self.desk.quizzing:
            self.set_playing(False)
            await self.do(lambda: self.desk.set_quiz(bool(event.value)))

    async def answer(self, path: Path | None) -> None:
        await self.do(lambda: self.desk.answer(path))

    async def clicked(self, event: events.GenericEventArguments) -> None:
        """A node or branch of the drawing: an answer where the quiz asks, else it is selected."""
        try:
            path = path_of(event.args)
        except GameError as problem:
            complain(problem)
            return
        if self.desk.question is not None:
            await self.answer(path)
        else:
            await self.do(lambda: self.desk.select(path))

    async def export(self, kind: str) -> None:
        """Download the drawing as it stands, in the colours of the page."""
        try:
            dark = await ui.run_javascript(look.IS_DARK, timeout=10)
        except TimeoutError:  # the visitor has left
            return
        theme: Theme = "dark" if dark is True else "light"
        desk = self.desk
        svg = await run.io_bound(lambda: desk.lesson.drawing(desk.step, theme, caption=True).svg)
        name = f"{desk.settings.algorithm}-step-{desk.step}.{kind.lower()}"
        if svg is None:  # the server is closing
            return
        if kind == "SVG":
            ui.download.content(svg + "\n", name, "image/svg+xml")
        else:
            ui.run_javascript(look.png_script(svg, name))
