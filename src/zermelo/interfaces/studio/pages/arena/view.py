"""The page of trainings and tournaments as it looks: the list, curves, tables, games, a game to walk through."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nicegui import ui

from zermelo.interfaces.studio.pages.arena.controller import PAGE
from zermelo.interfaces.studio.pages.arena.folder import MOST, ago
from zermelo.interfaces.studio.pages.arena.library import OpenGames
from zermelo.interfaces.studio.pages.arena.style import COMMANDS, SCROLL, STYLE
from zermelo.interfaces.studio.pages.arena.tables import game_row
from zermelo.interfaces.studio.pages.arena.training_run import WatchedRun

if TYPE_CHECKING:
    from zermelo.interfaces.studio.pages.arena.controller import Controller

EVERY = 2.0  # seconds between two looks at what is open


class View:
    """The page's elements."""

    def __init__(self, controller: Controller):
        self.controller = controller
        self.ages: dict[Path, ui.item_label] = {}
        ui.add_css(STYLE)
        with ui.column().classes("w-full gap-3"):
            ui.label(
                "Training runs and recorded games in the folder this page was started with. What is still growing is "
                "read again every two seconds."
            ).classes("z-muted")
            with ui.element("div").classes("z-arena"):
                self.list = ui.column().classes("z-card z-list w-full gap-0").props('data-testid="arena-list"')
                self.main = ui.column().classes("w-full gap-3").props('data-testid="arena-main"')
            ui.timer(EVERY, controller.look)

    # -- the list ------------------------------------------------------------------------------------------------------

    def show_list(self) -> None:
        controller = self.controller
        self.list.clear()
        self.ages = {}
        with self.list:
            if not controller.items:
                ui.label("Nothing yet").classes("z-muted")
            for index, item in enumerate(controller.items):
                is_open = controller.opened is not None and controller.opened.item.path == item.path
                row = ui.item(on_click=lambda item=item: controller.choose(item)).classes("w-full" + " on" * is_open)
                row.props(f'dense clickable data-testid="arena-item-{index}"')
                with row:
                    with ui.item_section().props("avatar").style("min-width: 34px"):
                        ui.icon("show_chart" if item.kind == "run" else "grid_on").classes("z-muted")
                    with ui.item_section():
                        ui.item_label(item.name).style("overflow-wrap: anywhere")
                        self.ages[item.path] = ui.item_label("").props("caption")
            if len(controller.items) >= MOST:
                ui.label(f"only the newest {MOST} are listed").classes("z-muted")
        self.show_ages()
        if controller.opened is None and not controller.items:
            self.show_nothing()

    def show_ages(self) -> None:
        now = time.time()
        for item in self.controller.items:
            self.ages[item.path].text = f"{item.words}, {ago(now - item.changed)}"

    def show_nothing(self) -> None:
        self.main.clear()
        with self.main:
            if self.controller.problem:
                ui.label(self.controller.problem).props('data-testid="arena-problem"')
            with ui.column().classes("z-card w-full gap-2").props('data-testid="arena-empty"'):
                ui.label("There is nothing to see here yet. On the command line, in this folder:").classes("font-bold")
                for words, command in COMMANDS:
                    ui.label(words)
                    ui.label(command).classes("z-mono").style("overflow-wrap: anywhere")

    # -- what is open --------------------------------------------------------------------------------------------------

    def show_opened(self) -> None:
        self.show_list()
        self.main.clear()
        opened = self.controller.opened
        if opened is None:
            return
        with self.main:
            with ui.column().classes("z-card w-full gap-2"):
                ui.label(opened.item.name).classes("text-lg font-bold").style("overflow-wrap: anywhere")
                self.state = ui.label("reading …").classes("z-muted").props('data-testid="arena-state"')
                self.head = ui.html("", sanitize=False).classes("w-full").props('data-testid="arena-table"')
                self.picture = ui.html("", sanitize=False).classes("w-full z-curve")
                self.picture.props('data-testid="arena-curve"')
                self.speed = ui.html("", sanitize=False).classes("w-full z-curve").props('data-testid="arena-speed"')
                self.command = ui.label("").classes("z-mono z-muted z-wrap")
            if isinstance(opened, OpenGames):
                self.build_games()

    def show_run(self, is_new: bool) -> None:
        watched = self.controller.opened
        assert isinstance(watched, WatchedRun)
        training = watched.training
        if training is None:
            self.state.text = watched.problem
            self._put("")
            return
        self.state.text = training.state(time.time())
        if is_new:
            self._put(training.html(), watched.picture(), watched.speed_picture(), training.command)

    def _put(self, head: str, picture: str = "", speed: str = "", command: str = "") -> None:
        """What is empty takes no room."""
        for widget, content in ((self.head, head), (self.picture, picture), (self.speed, speed)):
            widget.content = content
            widget.set_visibility(bool(content))
        self.command.text = command
        self.command.set_visibility(bool(command))

    # -- games ---------------------------------------------------------------------------------------------------------

    def build_games(self) -> None:
        controller = self.controller
        self.replay = ui.column().classes("w-full gap-2").props('data-testid="arena-replay"')
        self.games_card = ui.column().classes("z-card w-full gap-2")
        with self.games_card:
            ui.label("Games").classes("font-bold")
            ui.label("Click one to see its moves and its board.").classes("z-muted")
            columns = [
                {"name": name, "label": label, "field": name, "align": align}
                for name, label, align in (
                    ("number", "no.", "right"), ("players", "players", "left"), ("result", "result", "left"),
                    ("plies", "moves", "right"), ("reason", "ended", "left"),
                )
            ]  # fmt: skip
            self.table = ui.table(columns=columns, rows=[], row_key="key").classes("w-full cursor-pointer")
            self.table.props('dense flat data-testid="arena-games"')
            self.table.on("rowClick", lambda e: controller.choose_game(_key(e.args)), [[], ["key"], None])
            self.pages = ui.row().classes("items-center gap-1")
            with self.pages:
                back = ui.button(icon="chevron_left", on_click=lambda: controller.turn(-1))
                back.props("flat round dense").tooltip("earlier games")
                self.which = ui.label("")
                on = ui.button(icon="chevron_right", on_click=lambda: controller.turn(1))
                on.props("flat round dense").tooltip("later games")

    def show_games(self) -> None:
        opened = self.controller.opened
        assert isinstance(opened, OpenGames)
        count, problems = len(opened.file.games), opened.file.complaints()
        self.state.text = "; ".join(problems) or f"{count:,} game{'s' * (count != 1)}"
        self._put(opened.html)
        self.controller.turn(0)

    def show_page(self) -> None:
        games, number, pages = self.controller.games, self.controller.number, self.controller.pages
        first = number * PAGE
        self.table.rows = [game_row(first + n, game) for n, game in enumerate(games[first : first + PAGE])]
        self.table.update()
        self.games_card.set_visibility(bool(games))
        self.pages.set_visibility(pages > 1)
        self.which.text = f"page {number + 1} of {pages}"

    def show_replay(self) -> None:
        controller, replay = self.controller, self.controller.replay
        self.replay.clear()
        if replay is None:
            return
        with self.replay, ui.column().classes("z-card w-full gap-2"):
            ui.label(replay.heading()).classes("font-bold").props('data-testid="arena-heading"')
            if replay.problem:
                ui.label(replay.problem).classes("z-muted").props('data-testid="arena-replay-problem"')
            self.board = ui.html("", sanitize=False).classes("z-board").props('data-testid="arena-board"')
            with ui.row().classes("items-center w-full no-wrap gap-1") as steps:
                for icon, words, by in (("chevron_left", "one move back", -1), ("chevron_right", "one move on", 1)):
                    button = ui.button(icon=icon, on_click=lambda by=by: controller.go(controller.ply + by))
                    button.props(f'flat round dense data-testid="arena-step{by}"').tooltip(words)
                self.slider = ui.slider(min=0, max=max(replay.last, 1), value=controller.ply)
                self.slider.on_value_change(lambda e: controller.go(e.value)).classes("grow")
            steps.set_visibility(bool(replay.last))
            self.moves = ui.html("", sanitize=False).classes("z-moves z-mono").props('data-testid="arena-moves"')
        self.show_ply()
        ui.run_javascript(SCROLL)

    def show_ply(self) -> None:
        replay, ply = self.controller.replay, self.controller.ply
        if replay is not None:
            self.slider.value = ply
            self.board.content, self.moves.content = replay.board(ply), replay.moves_html(ply)


def _key(args: Any) -> Any:
    """Which row of the table was clicked, as far as the browser says so."""
    row = args[1] if isinstance(args, list) and len(args) > 1 else None
    return row.get("key") if isinstance(row, dict) else None
