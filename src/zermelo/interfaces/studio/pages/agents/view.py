"""What the page of agents consists of: its widgets, and nothing of what they do."""

from __future__ import annotations

from typing import Any

from nicegui import ui

from zermelo.interfaces.studio.pages.agents.lessons import AGENTS, DEPTHS, MOST_SEED, Book
from zermelo.interfaces.studio.pages.agents.playback import SPEEDS, USUAL_SPEED

COMPARED = 20  # games
Choices = dict[str, Any] | None

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
    """One game's part of the page: its board, its controls, its lessons. What a click does, a subclass says."""

    def __init__(self, book: Book):
        self.book = book
        self.fields: dict[str, Any] = {}  # what a visitor chooses, by its name in a Setting
        ui.label(book.about).classes("z-muted")
        with ui.element("div").classes("z-agents"):
            with ui.column().classes("gap-3 w-full"):
                self._build_board()
                self._build_thoughts()
            with ui.column().classes("gap-3 w-full"):
                for number, lesson in enumerate(book.lessons):
                    self._build_lesson(number, lesson)
                self._build_choices()

    # -- what happens ----------------------------------------------------------------------------------------------

    async def run(self, choices: Choices) -> None:
        """Play an episode and show it; None: with what the fields say."""
        raise NotImplementedError

    async def compare(self, choices: Choices) -> None:
        """Play many, and show their scores."""
        raise NotImplementedError

    async def toggle(self) -> None:
        """Play or pause."""
        raise NotImplementedError

    def control(self, name: str) -> None:
        """first, back, on or last was clicked."""
        raise NotImplementedError

    def slide(self, to: object) -> None:
        raise NotImplementedError

    def set_speed(self, speed: object) -> None:
        raise NotImplementedError

    def preview(self) -> None:
        """Something else was chosen."""
        raise NotImplementedError

    def stop(self) -> None:
        raise NotImplementedError

    # -- what there is ---------------------------------------------------------------------------------------------

    def _build_board(self) -> None:
        with ui.column().classes("z-card w-full gap-2"):
            self.board = ui.html("", sanitize=False).classes("z-board").props('data-testid="agents-board"')
            with ui.row().classes("items-center w-full no-wrap gap-0"):
                self._control("first_page", "to the beginning", "first")
                self._control("chevron_left", "one move back", "back")
                self.play = ui.button(icon="play_arrow", on_click=self.toggle).tooltip("play or pause")
                self.play.props('round dense data-testid="agents-play"')
                self._control("chevron_right", "one move on", "on")
                self._control("last_page", "to the end", "last")
                self.slider = ui.slider(min=0, max=1, value=0, on_change=lambda e: self.slide(e.value))
                self.slider.classes("grow q-mx-md").props('data-testid="agents-slider"').style("min-width: 40px")
                self.speed = ui.select(SPEEDS, value=USUAL_SPEED, on_change=lambda e: self.set_speed(e.value))
                self.speed.props("dense borderless").tooltip("how fast the film runs")
            with ui.row().classes("items-center w-full justify-between no-wrap"):
                with ui.column().classes("gap-0"):
                    self.says = ui.label("").classes("text-lg font-bold").props('data-testid="agents-says"')
                    self.state = ui.label("").classes("z-muted").props('data-testid="agents-state"')
                self.stop_button = ui.button("Stop", on_click=self.stop)
                self.stop_button.props('no-caps outline dense data-testid="agents-stop"').set_visibility(False)

    def _control(self, icon: str, words: str, name: str) -> None:
        button = ui.button(icon=icon, on_click=lambda: self.control(name)).tooltip(words)
        button.props(f'flat round dense data-testid="agents-{name}"')

    def _build_thoughts(self) -> None:
        with ui.column().classes("z-card w-full gap-2"):
            ui.label(f"What {self.book.agent} thinks its moves are worth").classes("font-bold")
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

    def _build_run(self, label: str, choices: Choices, mark: str, is_random: bool) -> None:
        with ui.row().classes("items-center w-full no-wrap gap-2"):
            one = ui.button(label, icon="play_arrow", on_click=lambda: self.run(choices)).classes("grow")
            one.props(f'no-caps dense data-testid="agents-run{mark}"')
            if is_random:
                many = ui.button(f"{COMPARED} games", on_click=lambda: self.compare(choices))
                many.props(f'no-caps dense outline data-testid="agents-compare{mark}"')
                many.tooltip(f"play {COMPARED} games without showing them, and compare the scores")

    def _build_choices(self) -> None:
        book = self.book
        offered: dict[str, tuple[str, dict[Any, str]]] = {
            **{option: (label, dict(values)) for option, (label, values) in book.choices.items()},
            "world": (f"{_capital(book.others)} are", {name: words for name, (words, _) in book.worlds.items()}),
            "agent": (f"{_capital(book.agent)} searches by", dict(AGENTS)),
            "depth": ("So far ahead", dict(DEPTHS)),
        }
        with ui.column().classes("z-card w-full gap-2"):
            ui.label("Your own experiment").classes("text-lg font-bold")
            for name, (label, values) in offered.items():
                field = ui.select(values, value=book.usual[name], label=label, on_change=self.preview)
                self.fields[name] = field.classes("w-full").props(f'dense outlined data-testid="agents-{name}"')
            seed = ui.number("Seed of the luck", value=book.usual["seed"], min=0, max=MOST_SEED, precision=0)
            self.fields["seed"] = seed.classes("w-full").props('dense outlined data-testid="agents-seed"')
            self._build_run("Run", None, "", True)


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
