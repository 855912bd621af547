"""The page of agents as it looks: the board and what the agent thinks, lessons, an experiment of one's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui

from zermelo.interfaces.studio.pages.agents.controller import COMPARED
from zermelo.interfaces.studio.pages.agents.playback import SPEEDS, comparison_html, thought_html
from zermelo.interfaces.studio.pages.agents.scenario import AGENTS, DEPTHS, MOST_SEED

if TYPE_CHECKING:
    from zermelo.interfaces.studio.pages.agents.controller import Controller

SCROLL = "document.querySelector('[data-testid=agents-board]').scrollIntoView({behavior: 'smooth', block: 'nearest'})"
STYLE = """
.z-agents { display: grid; grid-template-columns: minmax(0, 1fr) 380px; gap: 14px; width: 100%; align-items: start }
.z-agents > * { min-width: 0 }
@media (max-width: 900px) { .z-agents { grid-template-columns: minmax(0, 1fr) } }
[data-testid=agents-board] { scroll-margin: 76px 0 }
.z-agents .z-board svg { max-height: min(56vh, 560px) }
.z-thought { width: 100%; border-collapse: collapse }
.z-thought td, .z-thought th { padding: 2px 8px; text-align: left }
.z-thought th { color: var(--muted); font-weight: 500; font-size: 0.85em } .z-thought .z-num { text-align: right }
.z-thought .z-best { font-weight: 700 } .z-thought .z-bar { width: 35% }
.z-bar div { height: 10px; border-radius: 5px; background: var(--accent); opacity: .55 }
.z-best .z-bar div { opacity: 1 }
"""


class View:
    """The page's elements: which game, if there are several, and below it all about the one that was chosen."""

    def __init__(self, controller: Controller):
        self.controller = controller
        self.fields: dict[str, Any] = {}  # what a visitor chooses, by its name in a Setting
        ui.add_css(STYLE)
        titles = {name: scenario.title for name, scenario in controller.scenarios.items()}
        if not titles:
            ui.label("No game here comes with lessons about agents.")
        elif len(titles) > 1:
            choice = ui.select(titles, value=next(iter(titles)), label="Game")
            choice.on_value_change(lambda e: controller.choose_scenario(e.value))
        self.content = ui.column().classes("w-full gap-3")
        self.timer = ui.timer(1.0, controller.tick, active=False)

    # -- layout --------------------------------------------------------------------------------------------------------

    def show_scenario(self) -> None:
        """Build everything about the game that was chosen."""
        self.content.clear()
        scenario = self.controller.scenario
        with self.content:
            ui.label(scenario.about).classes("z-muted")
            with ui.element("div").classes("z-agents"):
                with ui.column().classes("gap-3 w-full"):
                    self._build_board()
                    self._build_thoughts()
                with ui.column().classes("gap-3 w-full"):
                    for number, lesson in enumerate(scenario.lessons):
                        self._build_lesson(number, lesson)
                    self._build_choices()

    def _build_board(self) -> None:
        with ui.column().classes("z-card w-full gap-2"):
            self.board = ui.html("", sanitize=False).classes("z-board").props('data-testid="agents-board"')
            with ui.row().classes("items-center w-full no-wrap gap-0"):
                self._control("first_page", "to the beginning", "first")
                self._control("chevron_left", "one move back", "back")
                self.play = ui.button(
                    icon="play_arrow", on_click=lambda: self.controller.play_or_pause(self.chosen())
                ).tooltip("play or pause")
                self.play.props('round dense data-testid="agents-play"')
                self._control("chevron_right", "one move on", "on")
                self._control("last_page", "to the end", "last")
                self.slider = ui.slider(min=0, max=1, value=0, on_change=lambda e: self.controller.slide(e.value))
                self.slider.classes("grow q-mx-md").props('data-testid="agents-slider"').style("min-width: 40px")
                speed = ui.select(SPEEDS, value=self.controller.speed)
                speed.on_value_change(lambda e: self.controller.set_speed(e.value))
                speed.props("dense borderless").tooltip("how fast it is played")
            with ui.row().classes("items-center w-full justify-between no-wrap"):
                with ui.column().classes("gap-0"):
                    self.says = ui.label("").classes("text-lg font-bold").props('data-testid="agents-says"')
                    self.state = ui.label("").classes("z-muted").props('data-testid="agents-state"')
                self.stop_button = ui.button("Stop", on_click=self.controller.stop)
                self.stop_button.props('no-caps outline dense data-testid="agents-stop"').set_visibility(False)

    def _control(self, icon: str, words: str, name: str) -> None:
        button = ui.button(icon=icon, on_click=lambda: self.controller.step(name)).tooltip(words)
        button.props(f'flat round dense data-testid="agents-{name}"')

    def _build_thoughts(self) -> None:
        with ui.column().classes("z-card w-full gap-2"):
            ui.label(f"What {self.controller.scenario.agent} thinks its moves are worth").classes("font-bold")
            self.thought = ui.html("", sanitize=False).classes("w-full").props('data-testid="agents-thought"')
            self.count = ui.label("").classes("z-muted")
        self.comparison_card = ui.column().classes("z-card w-full gap-2")
        with self.comparison_card:
            ui.label("Many games").classes("font-bold")
            self.comparison = ui.html("", sanitize=False).classes("z-scroll w-full")
            self.comparison.props('data-testid="agents-compared"')
        self.comparison_card.set_visibility(False)

    def _build_lesson(self, number: int, lesson: dict[str, Any]) -> None:
        with ui.column().classes("z-card w-full gap-2"):
            ui.label(lesson["title"]).classes("text-lg font-bold")
            ui.label(lesson["text"])
            for place, (label, choices) in enumerate(lesson["runs"]):
                self._build_run(label, choices, f"-{number}-{place}", lesson["is_random"])
            ui.label(lesson["moral"]).classes("z-muted")

    def _build_run(self, label: str, choices: dict[str, Any] | None, mark: str, is_random: bool) -> None:
        with ui.row().classes("items-center w-full no-wrap gap-2"):
            one = ui.button(
                label, icon="play_arrow", on_click=lambda: self.controller.run(self.chosen(choices))
            ).classes("grow")
            one.props(f'no-caps dense data-testid="agents-run{mark}"')
            if is_random:
                many = ui.button(f"{COMPARED} games", on_click=lambda: self.controller.compare(self.chosen(choices)))
                many.props(f'no-caps dense outline data-testid="agents-compare{mark}"')
                many.tooltip(f"play {COMPARED} games without showing them, and compare the scores")

    def _build_choices(self) -> None:
        scenario = self.controller.scenario
        offered: dict[str, tuple[str, dict[Any, str]]] = {
            **{option: (label, dict(values)) for option, (label, values) in scenario.choices.items()},
            "world": (
                f"{_capital(scenario.others)} are",
                {name: words for name, (words, _) in scenario.worlds.items()},
            ),
            "agent": (f"{_capital(scenario.agent)} searches by", dict(AGENTS)),
            "depth": ("So far ahead", dict(DEPTHS)),
        }
        with ui.column().classes("z-card w-full gap-2"):
            ui.label("Your own experiment").classes("text-lg font-bold")
            for name, (label, values) in offered.items():
                field = ui.select(
                    values,
                    value=scenario.usual[name],
                    label=label,
                    on_change=lambda: self.controller.preview(self.chosen()),
                )
                self.fields[name] = field.classes("w-full").props(f'dense outlined data-testid="agents-{name}"')
            seed = ui.number("Seed of the luck", value=scenario.usual["seed"], min=0, max=MOST_SEED, precision=0)
            self.fields["seed"] = seed.classes("w-full").props('dense outlined data-testid="agents-seed"')
            self._build_run("Run", None, "", True)

    def chosen(self, choices: dict[str, Any] | None = None) -> dict[str, Any]:
        """A lesson's choices, or else what the fields say."""
        return {name: field.value for name, field in self.fields.items()} if choices is None else choices

    def preview(self) -> None:
        self.controller.preview(self.chosen())

    # -- showing -------------------------------------------------------------------------------------------------------

    def show_setting(self) -> None:
        """The fields say what runs."""
        for name, value in self.controller.setting.as_dict().items():
            self.fields[name].value = value

    def show_frame(self) -> None:
        playback = self.controller.playback
        self.board.content, self.says.text = self.controller.board, self.controller.says
        self.thought.content = thought_html(playback.thought())
        looked = f"{playback.positions():,} positions looked at so far. Values are scores it expects."
        self.count.text = looked if playback.frames else ""
        if self.slider.value != playback.at:
            self.slider.value = playback.at

    def show_state(self) -> None:
        playback = self.controller.playback
        self.state.text = self.controller.state
        self.stop_button.set_visibility(self.controller.is_busy)
        self.slider.props(f"max={max(1, playback.last)}")
        self.play.props(f"icon={'pause' if playback.playing else 'play_arrow'}")
        self.timer.interval, self.timer.active = 1 / self.controller.speed, playback.playing

    def show_comparison(self) -> None:
        self.comparison.content = comparison_html(self.controller.compared)
        self.comparison_card.set_visibility(bool(self.controller.compared))

    def scroll_to_board(self) -> None:
        ui.run_javascript(SCROLL)


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
