"""The lecture page as it looks: the tree, the steps, the pseudo-code, and what can be chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import events, ui

from zermelo.interfaces.studio.pages.lecture import look
from zermelo.interfaces.studio.pages.lecture.code import ALGORITHMS, SAYS
from zermelo.interfaces.studio.pages.lecture.controller import MOST_SEED, SPEEDS
from zermelo.interfaces.studio.pages.lecture.lesson import ROUNDS, fitting
from zermelo.interfaces.studio.pages.lecture.panels import BranchPanel, QuizPanel, SourcePanel, tip
from zermelo.interfaces.studio.pages.lecture.trees import ORDERS

if TYPE_CHECKING:
    from zermelo.interfaces.studio.pages.lecture.controller import Controller


class View:
    """The page's elements."""

    def __init__(self, controller: Controller) -> None:
        self.controller = controller
        ui.add_css(look.STYLE + look.dark_style())
        self.build()
        self.timer = ui.timer(1.0, controller.tick, active=False)
        ui.keyboard(self.key, ignore=["input", "select", "textarea"])

    # -- layout --------------------------------------------------------------------------------------------------------

    def build(self) -> None:
        with ui.element("div").classes("z-card w-full"):
            ui.label(
                "Step through an algorithm on a small tree: see what it looks at, what it knows, and what it skips."
            )
            self.source = SourcePanel(self.controller)
            self._build_choices()
        with ui.row().classes("w-full gap-4 items-start"):
            with ui.column().classes("gap-3").style("flex: 4 1 560px; min-width: 0; max-width: 100%"):
                self._build_steps()
            with ui.column().classes("gap-3").style("flex: 1 1 330px; min-width: 0; max-width: 100%"):
                self._build_side()

    def _build_choices(self) -> None:
        with ui.row().classes("items-center gap-3 w-full mt-3 mb-1"):
            self.algorithm = (
                ui.select(
                    dict(ALGORITHMS),
                    value=self.controller.walk.settings.algorithm,
                    label="Algorithm",
                    on_change=lambda e: self.controller.set_algorithm(e.value),
                )
                .classes("w-56")
                .props('outlined dense data-testid="lecture-algorithm"')
            )
            self.order = ui.select(ORDERS, value="given", label="Order of moves")
            self.order.on_value_change(lambda e: self.controller.set_order(e.value))
            self.order.classes("w-40").props('outlined dense data-testid="lecture-order"')
            self.shuffle = ui.button(icon="shuffle", on_click=self.controller.reshuffle).props("flat round dense")
            self.shuffle.tooltip("another random order")
            self.quiz = ui.switch("Quiz: which branch is cut next?")
            self.quiz.on_value_change(lambda e: self.controller.set_quiz(e.value))
            self.quiz.props('data-testid="lecture-quiz"')
            self.sampling = ui.row().classes("items-center gap-2")
            with self.sampling:
                self._number("rounds", "Rounds", 30, 1, ROUNDS)
                self._number("exploration", "Exploration", 1.4, 0, 100, step=0.1).tooltip(
                    "c = this times the difference between the largest and the smallest leaf"
                )
                self._number("seed", "Seed", 1, 0, MOST_SEED)
        self.says = ui.label().classes("z-muted")

    def _number(self, name: str, label: str, value: float, low: int, high: int, step: float = 1) -> ui.number:
        field = ui.number(label, value=value, min=low, max=high, step=step)
        field.on_value_change(lambda e: self.controller.set_sampling(name, e.value))
        return field.classes("w-28").props(f'outlined dense debounce=300 data-testid="lecture-{name}"')

    def _build_steps(self) -> None:
        with ui.element("div").classes("z-card w-full"):
            with ui.row().classes("items-center no-wrap gap-1 w-full"):
                act = self.controller
                for icon, name, words, go in (
                    ("first_page", "start", "to the start", lambda: act.go(lambda: 0)),
                    ("chevron_left", "back", "one step back (←)", lambda: act.step(-1)),
                    ("chevron_right", "next", "one step forwards (→)", lambda: act.step(1)),
                    ("last_page", "end", "to the end", lambda: act.go(lambda: act.walk.lesson.steps)),
                ):
                    button = ui.button(icon=icon, on_click=go)
                    button.props(f'outline dense data-testid="lecture-{name}"')
                    tip(button, words)
                self.play = ui.button(icon="play_arrow", on_click=act.play_or_pause).props("dense")
                self.play.props('data-testid="lecture-play"')
                tip(self.play, "play by itself, or pause")
                speed = ui.select(SPEEDS, value=act.pace, on_change=lambda e: act.set_pace(e.value))
                tip(speed.classes("ml-1").props("dense borderless"), "how fast it plays")
                self.where = (
                    ui.label()
                    .classes("z-muted lecture-count ml-auto whitespace-nowrap")
                    .props('data-testid="lecture-step"')
                )
            self.slider = ui.slider(min=0, max=1, value=0, on_change=lambda e: self.controller.go_to(e.value))
            self.slider.props('data-testid="lecture-slider"')
            self.sentence = ui.label().classes("lecture-says").props('data-testid="lecture-sentence" aria-live=polite')
            self.asking = QuizPanel(self.controller)
            self.tree = ui.html("", sanitize=False).classes("z-scroll lecture-tree").props('data-testid="lecture-tree"')
            self.tree.on("click", lambda e: self.controller.click(e.args), js_handler=look.CLICKED)
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
        self.branch = BranchPanel(self.controller)

    # -- what is done --------------------------------------------------------------------------------------------------

    async def key(self, event: events.KeyEventArguments) -> None:
        if event.action.keydown and not event.modifiers.ctrl and not event.modifiers.alt:
            if event.key.arrow_right:
                await self.controller.step(1)
            elif event.key.arrow_left:
                await self.controller.step(-1)

    async def export(self, kind: str) -> None:
        """Download the drawing as it stands, in the colours of the page."""
        try:
            dark = await ui.run_javascript(look.IS_DARK, timeout=10)
        except TimeoutError:  # the visitor has left
            return
        svg, name = await self.controller.export("dark" if dark is True else "light")
        if kind == "SVG":
            ui.download.content(svg + "\n", f"{name}.svg", "image/svg+xml")
        else:
            ui.run_javascript(look.png_script(svg, f"{name}.png"))

    # -- showing -------------------------------------------------------------------------------------------------------

    def show(self) -> None:
        """Show everything as it is."""
        walk, picture = self.controller.walk, self.controller.picture
        lesson, step = walk.lesson, walk.step
        self.tree.style(f"--w: {look.width_of(picture.svg)}px")
        self.tree.set_content(picture.svg + look.selected_style(walk.selected))
        self.code.set_content(look.code_html(lesson.code, lesson.lit(step)))
        self.sentence.set_text(walk.sentence)
        self.where.set_text(f"step {step} / {lesson.steps}")
        self.counts.set_text(look.counts_text(lesson.counts(step), lesson.game.tree.leaves))
        self._show_choices(picture.orders)
        self.asking.show()
        self.branch.show()
        ui.run_javascript(look.FOLLOW)

    def _show_choices(self, counted: dict[str, int] | None) -> None:
        walk = self.controller.walk
        settings, steps = walk.settings, walk.lesson.steps
        fit = {name: ALGORITHMS[name] for name in fitting(settings.tree)}
        if self.algorithm.options != fit:
            self.algorithm.set_options(fit)
        self.algorithm.set_value(settings.algorithm)
        self.order.set_value(settings.order)
        self.says.set_text(SAYS[settings.algorithm])
        self.shuffle.set_visibility(settings.order == "random")
        self.sampling.set_visibility(settings.algorithm == "mcts")
        self.quiz.set_visibility(walk.can_quiz)
        self.quiz.set_value(walk.quizzing)
        self.orders_card.set_visibility(bool(counted))
        if counted:
            self.orders.set_content(look.orders_html(counted, settings.tree.leaves, settings.order))
        if self.slider.props.get("max") != steps:
            self.slider.props(f"max={steps}")
        self.slider.set_value(walk.step)

    def show_playing(self) -> None:
        playing = self.controller.is_playing
        self.timer.interval, self.timer.active = self.controller.pace, playing
        self.play.props(f"icon={'pause' if playing else 'play_arrow'}")
