"""The page of Zero as it looks: the loop in words, the curve, three positions before and after the search."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import ui

from zermelo.experiments.zero_lesson import PAPER, SIMULATIONS
from zermelo.interfaces.studio.pages.zero.pictures import board_html, curve_svg, example_words, figures_html

if TYPE_CHECKING:
    from zermelo.interfaces.studio.pages.zero.controller import Controller

STYLE = """
.zz-grid { display: grid; grid-template-columns: minmax(0, 1fr) 360px; gap: 14px; width: 100%; align-items: start }
.zz-grid > * { min-width: 0 } @media (max-width: 900px) { .zz-grid { grid-template-columns: minmax(0, 1fr) } }
.zz-examples { display: grid; grid-template-columns: repeat(auto-fit, minmax(250px, 1fr)); gap: 12px; width: 100% }
.zz-pair { display: grid; grid-template-columns: 1fr 1fr; gap: 8px }
.zz-pair svg { width: 100%; height: auto } .zz-curve { width: 100%; height: auto }
.zz-figures td, .zz-figures th { padding: 3px 6px } .zz-figures td:first-child { white-space: normal; padding-left: 0 }
"""
LOOP = {
    "1. A network says two things of a position": "How likely each move is (policy), and who will win (value). At "
    "first it knows nothing: all moves are alike.",
    "2. A search improves on it": f"Of a few simulations ({SIMULATIONS} here) each goes where the policy points and "
    "the values are good. What it visits most is a better policy than the one it began with.",
    "3. The search plays against itself": "Many games; what the searches visited and who won is written down.",
    "4. The network learns that": "Its policy learns the visits, its value the results. The next search begins with "
    "it, and is better still.",
}
CURVE = "How often the move that is chosen keeps the value of the game, over positions with a choice"
EXAMPLES = "Three positions: the policy before the search, the visits after it, in per cent"


class View:
    """The page's elements."""

    def __init__(self, controller: Controller):
        self.controller = controller
        ui.add_css(STYLE)
        if not controller.games:
            ui.label("No game here is small enough for this lesson.")
        with ui.element("div").classes("zz-grid"):
            with ui.column().classes("gap-3 w-full"):
                self._build_training()
                self._build_examples()
            with ui.column().classes("gap-3 w-full"):
                with ui.column().classes("z-card w-full gap-2"):
                    for title, words in LOOP.items():
                        ui.label(title).classes("font-bold")
                        ui.label(words).classes("text-sm")
                with ui.column().classes("z-card w-full gap-2"):
                    ui.label("The paper's figures beside ours").classes("font-bold")
                    self.figures = ui.html("", sanitize=False).classes("w-full z-scroll zz-figures")
                    self.figures.props('data-testid="zero-figures"')
                    ui.label("Silver et al. (2017), Mastering the game of Go without human knowledge").classes(
                        "z-muted text-sm"
                    )

    def _build_training(self) -> None:
        act = self.controller
        with ui.column().classes("z-card w-full gap-2"):
            with ui.row().classes("items-center w-full gap-2"):
                choice = ui.select(act.games, value=act.title or None, label="Game")
                choice.on_value_change(lambda e: act.choose(e.value))
                choice.props('dense outlined options-dense data-testid="zero-game"')
                self.begin = ui.button("Learn from nothing", icon="play_arrow", on_click=act.begin)
                self.begin.props('no-caps unelevated data-testid="zero-begin"')
                self.stop = ui.button("Stop", icon="close", on_click=act.stop).props(
                    'no-caps flat data-testid="zero-stop"'
                )
            self.state = ui.label("").classes("z-muted").props('data-testid="zero-state" aria-live="polite"')
            ui.label(CURVE).classes("text-sm")
            self.curve = ui.html("", sanitize=False).classes("w-full").props('data-testid="zero-curve"')
            self.slider = ui.slider(min=0, max=1, value=0, on_change=lambda e: self.controller.go(e.value))
            self.slider.props('snap markers data-testid="zero-slider"')
            self.about = ui.label("").classes("text-sm").props('data-testid="zero-about"')

    def _build_examples(self) -> None:
        with ui.column().classes("z-card w-full gap-2"):
            ui.label(EXAMPLES).classes("font-bold")
            self.examples = ui.element("div").classes("zz-examples").props('data-testid="zero-examples"')

    # -- showing -------------------------------------------------------------------------------------------------------

    def show_state(self) -> None:
        act = self.controller
        self.state.text = act.state
        self.begin.set_enabled(bool(act.games) and not act.is_busy)
        self.stop.visible = act.is_busy

    def show_stages(self) -> None:
        act = self.controller
        self.slider.props(f"max={max(1, len(act.stages) - 1)}")
        self.slider.set_enabled(len(act.stages) > 1)
        self.slider.value = act.at
        self.figures.content = figures_html(act.figures or [[what, theirs, "…"] for what, theirs in PAPER])
        self.show_stage()

    def show_stage(self) -> None:
        act = self.controller
        self.curve.content = curve_svg(act.stages, act.at)
        self.examples.clear()
        if not act.stages:
            self.about.text = ""
            return
        stage = act.stages[act.at]
        self.about.text = (
            f"After {stage['rounds']} rounds and {stage['games']:,} games the policy is right in "
            f"{stage['policy_right']:.0%} of the positions, the search in {stage['search_right']:.0%}; the network's "
            f"value is off by {stage['policy_error']:.2f} on average, the search's by {stage['search_error']:.2f}."
        )
        game = act.game
        with self.examples:
            for example in stage["examples"]:
                truth, before, after = example_words(example)
                with ui.column().classes("gap-1"):
                    ui.label(truth).classes("text-sm")
                    with ui.element("div").classes("zz-pair w-full"):
                        for key, words in (("policy", f"policy, {before}"), ("visits", f"search, {after}")):
                            with ui.column().classes("gap-0"):
                                ui.html(board_html(game, example, key), sanitize=False).classes("w-full")
                                ui.label(words).classes("z-muted text-sm")
