"""The arena: training curves as they grow, cross-tables and ratings of tournaments, and their games.

Everything is read from the folder that the server was started with; see arena_shelf (what there is), arena_run (a
training), arena_games, arena_tables and arena_replay (games). Reading is done in threads, so that the page answers.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from nicegui import run, ui

from zermelo.core.game import GameError
from zermelo.interfaces.studio.pages.arena.library import Library, OpenGames
from zermelo.interfaces.studio.pages.arena.replay import Replay
from zermelo.interfaces.studio.pages.arena.run import Watched
from zermelo.interfaces.studio.pages.arena.shelf import MOST, Item, ago, shelf
from zermelo.interfaces.studio.pages.arena.tables import game_row
from zermelo.interfaces.studio.shell import PATIENCE, Studio, Visit, complain, frame

EVERY = 2.0  # seconds between two looks at what is open
LIST_EVERY = 5  # looks at the folder, in looks
PAGE = 20  # games on the list
STYLE = """
.z-arena { display: grid; grid-template-columns: 290px minmax(0, 1fr); gap: 14px; width: 100%; align-items: start }
.z-shelf { overflow-y: auto; max-height: 78vh; flex-wrap: nowrap } .z-arena > * { min-width: 0 }
@media (max-width: 900px) { .z-arena { grid-template-columns: minmax(0, 1fr) } .z-shelf { max-height: 230px } }
.z-shelf .on { background: color-mix(in srgb, var(--accent) 14%, transparent); border-radius: 8px }
.z-table { border-collapse: collapse }
.z-table td, .z-table th { padding: 3px 10px; text-align: left; white-space: nowrap }
.z-table th { color: var(--muted); font-weight: 500 } .z-table tr + tr td { border-top: 1px solid var(--line) }
.z-table .z-num { text-align: right; font-variant-numeric: tabular-nums }
.z-curve { overflow-x: auto } .z-curve svg { width: 100%; min-width: 480px; height: auto; max-width: 720px }
body.body--dark .curve text { fill: #c6ccd8 }
body.body--dark .curve .axis { stroke: #3b4452 } body.body--dark .curve .points { stroke: #6db3f2 }
body.body--dark .curve .band { fill: #6db3f2 } body.body--dark .curve .error { stroke: #ff7b7b }
.z-wrap { overflow-wrap: anywhere }
[data-testid=arena-replay] { scroll-margin-top: 76px }
.z-arena .q-table__card { background: transparent; color: inherit }
.z-arena .z-board svg { max-height: min(52vh, 460px) }
.z-moves { line-height: 1.7; overflow-wrap: anywhere; max-height: 40vh; overflow-y: auto }
"""
COMMANDS = (
    (
        "Learn an evaluation from self-play, which makes a folder under runs/:",
        "zermelo train connect-four --games 20000",
    ),
    (
        "Let players meet, everybody against everybody, and keep the games:",
        "zermelo tournament tic-tac-toe random minimax:depth=1 minimax:depth=3 --games 20 --record games.jsonl",
    ),
)
SCROLL = "document.querySelector('[data-testid=arena-replay]').scrollIntoView({behavior: 'smooth'})"
_library = Library()


@ui.page("/arena", response_timeout=PATIENCE)
async def arena() -> None:
    with frame("arena") as visit:
        ui.add_css(STYLE)
        place = ui.column().classes("w-full gap-3")
    page = Arena(visit, place)
    await page.look_at_folder()


class Arena:
    """One open page: the list, and what is open."""

    def __init__(self, visit: Visit, place: ui.column):
        self.visit = visit
        self.items: list[Item] = []
        self.ages: dict[Path, ui.item_label] = {}
        self.open: Watched | OpenGames | None = None
        self.looks = 0
        self.looking = False
        self.shown = -1  # version of what is open
        self.page = 0
        with place:
            ui.label(
                "Training runs and recorded games in the folder this page was started with. What is still growing is "
                "read again every two seconds."
            ).classes("z-muted")
            with ui.element("div").classes("z-arena"):
                self.list = ui.column().classes("z-card z-shelf w-full gap-0").props('data-testid="arena-list"')
                self.main = ui.column().classes("w-full gap-3").props('data-testid="arena-main"')
        with place:
            self.timer = ui.timer(EVERY, self.look)

    # -- the list --------------------------------------------------------------------------------------------------

    async def look_at_folder(self) -> None:
        try:
            items = await run.io_bound(shelf, Studio.runs)
        except GameError as problem:
            items = []
            if self.looks == 0:
                with self.main:
                    ui.label(str(problem)).props('data-testid="arena-problem"')
        if items is None or self.visit.gone:
            return
        if {item.path for item in items} != {item.path for item in self.items} or self.looks == 0:
            self.items = items
            self._show_list()
            if not items:
                self._show_nothing()
        now = time.time()
        for item in items:  # their order stays, so that nothing moves away under a pointer
            self.ages[item.path].text = f"{item.words}, {ago(now - item.changed)}"
        if self.open is None and items:
            await self.choose(items[0])

    def _show_list(self) -> None:
        self.list.clear()
        self.ages = {}
        now = time.time()
        with self.list:
            if not self.items:
                ui.label("Nothing yet").classes("z-muted")
            for place, item in enumerate(self.items):
                is_open = self.open is not None and self.open.item.path == item.path
                row = ui.item(on_click=lambda item=item: self.choose(item)).classes("w-full" + " on" * is_open)
                row.props(f'dense clickable data-testid="arena-item-{place}"')
                with row:
                    with ui.item_section().props("avatar").style("min-width: 34px"):
                        ui.icon("show_chart" if item.kind == "run" else "grid_on").classes("z-muted")
                    with ui.item_section():
                        ui.item_label(item.name).style("overflow-wrap: anywhere")
                        age = ui.item_label(f"{item.words}, {ago(now - item.changed)}").props("caption")
                        self.ages[item.path] = age
            if len(self.items) >= MOST:
                ui.label(f"only the newest {MOST} are listed").classes("z-muted")

    def _show_nothing(self) -> None:
        with self.main, ui.column().classes("z-card w-full gap-2").props('data-testid="arena-empty"'):
            ui.label("There is nothing to see here yet. On the command line, in this folder:").classes("font-bold")
            for words, command in COMMANDS:
                ui.label(words)
                ui.label(command).classes("z-mono").style("overflow-wrap: anywhere")

    async def choose(self, item: Item) -> None:
        self.open = _library.open(item, Studio.catalogue)
        self.shown, self.page = -1, 0
        self.main.clear()
        self._show_list()
        with self.main:
            self._build(self.open)
        await self.look(True)

    # -- what is open ----------------------------------------------------------------------------------------------

    async def look(self, at_once: bool = False) -> None:
        """See whether anything has changed."""
        if self.looking and not at_once:
            return
        self.looking = True
        try:
            self.looks += 1
            if self.looks % LIST_EVERY == 0:
                await self.look_at_folder()
            opened = self.open
            if opened is None or self.visit.gone:
                return
            version = await run.io_bound(opened.refresh)
            if opened is self.open and not self.visit.gone and version is not None:
                is_new, self.shown = self.shown != version, version
                if isinstance(opened, Watched):
                    self._show_run(opened, is_new)
                elif is_new:
                    self._show_games(opened)
        finally:
            self.looking = False

    def _build(self, opened: Watched | OpenGames) -> None:
        with ui.column().classes("z-card w-full gap-2"):
            ui.label(opened.item.name).classes("text-lg font-bold").style("overflow-wrap: anywhere")
            self.state = ui.label("reading …").classes("z-muted").props('data-testid="arena-state"')
            self.head = ui.html("", sanitize=False).classes("w-full").props('data-testid="arena-table"')
            self.picture = ui.html("", sanitize=False).classes("w-full z-curve").props('data-testid="arena-curve"')
            self.speed = ui.html("", sanitize=False).classes("w-full z-curve").props('data-testid="arena-speed"')
            self.command = ui.label("").classes("z-mono z-muted z-wrap")
        if isinstance(opened, OpenGames):
            self._build_games(opened)

    def _show_run(self, watched: Watched, is_new: bool) -> None:
        training = watched.training
        if training is None:
            self.state.text = watched.problem
            self._put("", "", "", "")
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

    # -- games -----------------------------------------------------------------------------------------------------

    def _build_games(self, opened: OpenGames) -> None:
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
            self.table.on("rowClick", lambda e: self._clicked(opened, e.args), [[], ["key"], None])
            self.pages = ui.row().classes("items-center gap-1")
            with self.pages:
                back = ui.button(icon="chevron_left", on_click=lambda: self._turn(opened, -1))
                back.props("flat round dense").tooltip("earlier games")
                self.which = ui.label("")
                on = ui.button(icon="chevron_right", on_click=lambda: self._turn(opened, 1))
                on.props("flat round dense").tooltip("later games")

    def _show_games(self, opened: OpenGames) -> None:
        count, problems = len(opened.file.games), opened.file.told()
        self.state.text = "; ".join(problems) or f"{count:,} game{'s' * (count != 1)}"
        self._put(opened.html)
        self._turn(opened, 0)

    def _turn(self, opened: OpenGames, by: int) -> None:
        games = opened.file.games
        pages = max(1, -(-len(games) // PAGE))
        self.page = min(max(self.page + by, 0), pages - 1)
        first = self.page * PAGE
        self.table.rows = [game_row(first + n, game) for n, game in enumerate(games[first : first + PAGE])]
        self.table.update()
        self.games_card.set_visibility(bool(games))
        self.pages.set_visibility(pages > 1)
        self.which.text = f"page {self.page + 1} of {pages}"

    async def _clicked(self, opened: OpenGames, args: Any) -> None:
        row = args[1] if isinstance(args, list) and len(args) > 1 else None
        try:
            found = await run.io_bound(opened.replay, row.get("key") if isinstance(row, dict) else None)
        except GameError as problem:
            complain(problem)
            return
        if found is not None and opened is self.open and not self.visit.gone:
            self.replay.clear()
            with self.replay:
                Viewer(found)
            ui.run_javascript(SCROLL)


class Viewer:
    """A recorded game, to be walked through."""

    def __init__(self, replay: Replay):
        self.replay = replay
        self.at = replay.last
        with ui.column().classes("z-card w-full gap-2"):
            ui.label(replay.heading()).classes("font-bold").props('data-testid="arena-heading"')
            if replay.problem:
                ui.label(replay.problem).classes("z-muted").props('data-testid="arena-replay-problem"')
            self.board = ui.html("", sanitize=False).classes("z-board").props('data-testid="arena-board"')
            if replay.last:
                with ui.row().classes("items-center w-full no-wrap gap-1"):
                    for icon, words, by in (("chevron_left", "one move back", -1), ("chevron_right", "one move on", 1)):
                        button = ui.button(icon=icon, on_click=lambda by=by: self.go(self.at + by))
                        button.props(f'flat round dense data-testid="arena-step{by}"').tooltip(words)
                    self.slider = ui.slider(min=0, max=replay.last, value=self.at, on_change=lambda e: self.go(e.value))
                    self.slider.classes("grow")
            self.moves = ui.html("", sanitize=False).classes("z-moves z-mono").props('data-testid="arena-moves"')
        self._show()

    def go(self, to: object) -> None:
        if not isinstance(to, (int, float)) or isinstance(to, bool) or to != to:
            return
        at = int(min(max(to, 0), self.replay.last))
        if at != self.at:
            self.at = at
            self.slider.value = at
            self._show()

    def _show(self) -> None:
        self.board.content = self.replay.board(self.at)
        self.moves.content = self.replay.moves_html(self.at)
