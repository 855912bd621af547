"""The Play page: a board, who plays, what the program thinks, the value over the game. The game itself is table.py."""

from __future__ import annotations

import asyncio
import time
from collections.abc import MutableMapping
from typing import Any

from nicegui import app, background_tasks, run, ui

from zermelo.core.game import CHANCE, GameError
from zermelo.drawing.svg import escape
from zermelo.interfaces.studio.bounds import HUMAN
from zermelo.interfaces.studio.curve import draw_curve, share
from zermelo.interfaces.studio.play_dialogs import choose_variant, edit_position, edit_record
from zermelo.interfaces.studio.pool import Cancelled, News
from zermelo.interfaces.studio.shell import Studio, Visit, complain, frame, is_connected
from zermelo.interfaces.studio.table import JUDGING, Table
from zermelo.players.registry import split_texts

DICE = 0.7  # seconds a roll is in view before a program plays it
HINT = "level=10"
SEATS = [HUMAN, *(f"level={n}" for n in range(1, 11)), "alphabeta:seconds=1", "mcts:seconds=1", "random"]
# One handler for clicks and for drags: where the pointer went down and where it came up, as cells.
DOWN = "(e) => { const c = e.target.closest('[data-at]'); e.currentTarget.down = c ? c.dataset.at : null }"
UP = """(e) => {
  const under = document.elementFromPoint(e.clientX, e.clientY)
  const c = under && e.currentTarget.contains(under) ? under.closest('[data-at]') : null
  const from = e.currentTarget.down, to = c ? c.dataset.at : null
  e.currentTarget.down = null
  if (to !== null) emit(from !== null && from !== to ? [from, to] : [to])
}"""


@ui.page("/")
async def play(game: str = "", seats: str = "", position: str = "") -> None:
    with frame("play") as visit:
        page = PlayPage(visit)
        page.build()
    if await is_connected():
        page.sit_down(game, seats, position)


class PlayPage:
    """One visitor's page."""

    def __init__(self, visit: Visit):
        self.visit = visit
        self.table = Table(Studio.catalogue, Studio.bounds)
        self.table.begin(Studio.first)
        self.turn = 0  # counts whatever makes an answer stale: a move, a new game, somebody else in a seat
        self.paused = False
        self.note = ""  # what the program says: thinking, waiting, a hint
        self.report: News | None = None
        self.hinted = ""
        self.kept: MutableMapping[str, Any] = {}  # what this browser tab was playing, once it is connected

    # -- layout --------------------------------------------------------------------------------------------------------

    def build(self) -> None:
        with ui.row().classes("w-full gap-4 items-start"):
            with ui.column().classes("gap-2 grow").style("flex-basis: 460px; min-width: min(100%, 320px)"):
                self.build_top()
                with ui.element("div").classes("z-card w-full").style("padding: 8px"):
                    self.board = ui.html("", sanitize=False).classes("z-board").props('data-testid="board"')
                    self.board.on("pointerdown", js_handler=DOWN)
                    self.board.on("pointerup", self.on_cells, js_handler=UP)
                self.extra = ui.row().classes("gap-2")
                self.build_actions()
            with ui.column().classes("gap-3").style("flex: 1 1 340px; max-width: 100%"):
                self.build_side()

    def build_top(self) -> None:
        with ui.row().classes("w-full items-center gap-2 no-wrap"):
            self.choice = ui.select(Studio.catalogue.titles, label="game", with_input=True, on_change=self.on_game)
            self.choice.classes("grow").props('dense outlined data-testid="game"')
            ui.button("variant", on_click=lambda: choose_variant(self)).props("flat dense no-caps")
            ui.button("new game", icon="refresh", on_click=self.on_new).props(
                'dense no-caps unelevated data-testid="new"'
            )
        self.about = ui.label("").classes("z-muted text-sm")
        self.checked = ui.column().classes("gap-1").props('data-testid="checked"')
        self.status = ui.label("").classes("text-base font-semibold").props('data-testid="status"')

    def build_actions(self) -> None:
        with ui.row().classes("gap-1 items-center"):
            for words, icon, act, name in (
                ("take back", "undo", self.on_take_back, "back"),
                ("hint", "lightbulb", self.on_hint, "hint"),
                ("flip", "swap_vert", self.on_flip, "flip"),
                ("position", "content_paste", lambda: edit_position(self), "position"),
                ("record", "description", lambda: edit_record(self), "record"),
            ):
                ui.button(words, icon=icon, on_click=act).props(f'flat dense no-caps data-testid="{name}"')
            ui.link("look inside", "/inside").classes("text-sm q-ml-sm")
        with ui.row().classes("items-center gap-2 w-full no-wrap"):
            self.typed = ui.input(placeholder="or type a move").props('dense outlined data-testid="typed"')
            self.typed.classes("grow").on("keydown.enter", self.on_typed)
            ui.button(icon="send", on_click=self.on_typed).props("flat dense").tooltip("play the typed move")

    def build_side(self) -> None:
        with ui.column().classes("z-card w-full gap-2"):
            ui.label("what the program thinks").classes("text-sm z-muted")
            self.thought = ui.label("").classes("text-sm z-mono").props('data-testid="thought"')
            self.line = ui.label("").classes("text-sm z-muted").style("overflow-wrap: anywhere")
            with ui.row().classes("gap-2 items-center"):
                self.pause = ui.button("pause", icon="pause", on_click=self.on_pause).props("outline dense no-caps")
                self.stop = ui.button("move now", icon="bolt", on_click=self.on_stop).props("flat dense no-caps")
        with ui.column().classes("z-card w-full gap-2"):
            self.seats_box = ui.column().classes("w-full gap-2")
            with ui.row().classes("items-center w-full no-wrap gap-3"):
                ui.label("pause between programs' moves").classes("text-sm z-muted")
                self.speed = ui.slider(min=0, max=3, step=0.1, value=0.5).props("label").classes("grow")
        with ui.column().classes("z-card w-full gap-1"):
            with ui.row().classes("items-center justify-between w-full no-wrap"):
                self.worth = ui.label("").classes("text-sm").props('data-testid="value"')
                self.judging = ui.switch("judge", value=True, on_change=self.refresh).props("dense")
            self.bar = ui.linear_progress(0.5, show_value=False, size="12px", color="primary").props("rounded")
            self.curve = ui.html("", sanitize=False).classes("w-full z-curve")
            self.curve.on("click", self.on_ply, js_handler=PLY)
        with ui.column().classes("z-card w-full gap-1"):
            self.moment = ui.row().classes("items-center gap-2")
            self.moves = ui.html("", sanitize=False).classes("z-moves").props('data-testid="moves"')
            self.moves.on("click", self.on_ply, js_handler=PLY)
        ui.add_css(MOVES_STYLE)

    # -- showing -------------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show everything as it is."""
        table = self.table
        board = table.board()
        self.board.content = board
        self.show_buttons(board)
        self.show_status()
        self.show_value()
        self.show_moves()

    def show_buttons(self, board: str) -> None:
        table = self.table
        self.extra.clear()
        if not (table.is_present and table.is_visitors_turn):
            return
        with self.extra:
            for cell in table.buttons(board)[:40]:
                ui.button(cell, on_click=lambda cell=cell: self.on_cell(cell)).props(
                    f'dense no-caps outline data-testid="cell-{cell}"'
                )
            if table.touch.cells or not table.touch.ways:
                self.show_choices()

    def show_choices(self) -> None:
        """Moves that clicks do not tell apart, or all of them where the game knows no clicks."""
        table = self.table
        several = table.touch.complete if table.touch.ways else list(table.history.actions())[:60]
        for action in several:
            words = table.game.format_action(table.history.state, action)
            ui.button(words, on_click=lambda action=action: self.on_action(action)).props(
                'dense no-caps outline data-testid="choice"'
            )

    def show_status(self) -> None:
        table = self.table
        sitting = table.sitting
        thinking = False
        if sitting.is_over:
            said = sitting.result()
        elif (seat := table.history.player()) == CHANCE:
            said = "the dice are rolled"
        elif table.is_human(seat):
            said = f"player {seat} to move" if sum(map(table.is_human, range(table.game.players))) > 1 else "your move"
            said += f" (hint: {self.hinted})" if table.hint and self.hinted else ""
        else:
            thinking = not self.paused
            said = f"player {seat} ({sitting.players[seat]}) " + ("thinks" if thinking else "waits")
        self.status.text = said
        self.pause.text, self.pause.icon = ("go on", "play_arrow") if self.paused else ("pause", "pause")
        programs = any(not table.is_human(p) for p in range(table.game.players))
        watched = not any(map(table.is_human, range(table.game.players)))
        self.pause.set_visibility(not sitting.is_over and (thinking or watched or (self.paused and programs)))
        self.stop.set_visibility(thinking)
        self.show_thought()

    def show_thought(self) -> None:
        report = self.report
        self.thought.text = (self.note or "–") if report is None else thought(report)
        self.line.text = "" if report is None else " ".join(report["line"][:24])

    def show_value(self) -> None:
        table = self.table
        known = [v for v in table.values[: table.here + 1] if v is not None]
        value = known[-1] if known else None
        self.worth.text = "value: not judged yet" if value is None else f"value for player 0: {value:+.2f}"
        self.bar.value = 0.5 if value is None else round(share(table.game, value), 3)
        self.curve.content = draw_curve(table.game, table.values, table.here)

    def show_moves(self) -> None:
        table, here = self.table, self.table.here
        words = [
            f'<a data-at="{n}"{" class=on" if n == here else ""}>{escape(text)}</a>'
            for n, text in enumerate(table.sitting.moves(), 1)
        ]
        start = f'<a data-at="0"{" class=on" if here == 0 else ""}>start</a>'
        self.moves.content = " ".join([start, *words])
        self.moment.clear()
        if not table.is_present:
            with self.moment:
                ui.label(f"after {here} of {len(table.history.moves)} moves").classes("text-sm z-muted")
                ui.button("go on from here", on_click=self.on_branch).props('dense flat no-caps data-testid="branch"')
                ui.button("back to the game", on_click=lambda: self.look(None)).props("dense flat no-caps")

    def show_seats(self) -> None:
        self.seats_box.clear()
        with self.seats_box:
            for number, text in enumerate(self.table.sitting.players):
                names = list(dict.fromkeys([text, *SEATS, *Studio.bounds.allowed]))
                ui.select(
                    names,
                    value=text,
                    label=f"player {number}",
                    with_input=True,
                    new_value_mode="add-unique",
                    on_change=lambda e, number=number: self.on_seat(number, e.value),
                ).classes("w-full").props(f'dense outlined data-testid="seat-{number}"')
        self.about.text = self.table.entry.summary
        self.show_check()

    def show_check(self) -> None:
        """What was found out about the rules, where the game is the user's own."""
        title = self.table.entry.title
        self.checked.clear()
        if title not in Studio.catalogue.own:
            return
        found = Studio.checks.get(title)
        with self.checked:
            if found is None:
                ui.label("the rules are being checked …").classes("text-sm z-muted")
                ui.timer(2.0, self.show_check, once=True)
            elif found["ok"]:
                ui.label("the rules have been checked: no fault was found").classes("text-sm")
            else:
                ui.label("the check of the rules found a fault").classes("text-sm font-semibold")
                ui.label(found["text"]).classes("text-xs z-mono").style("white-space: pre-wrap")

    # -- the game goes on ----------------------------------------------------------------------------------------------

    def changed(self, *, seats: bool = False) -> None:
        """Something has happened: show it, keep it, and let whoever is to move go on."""
        self.turn += 1
        self.visit.cancel()
        self.report, self.note = None, ""
        if seats:
            self.show_seats()
            if self.choice.value != self.table.entry.title:
                self.choice.value = self.table.entry.title
        self.kept["play"] = self.table.kept()
        self.refresh()
        background_tasks.create(self.go_on(self.turn), name="go on")

    async def go_on(self, turn: int) -> None:
        """Nature and programs move until a person has to, or something else has happened."""
        with self.visit.client:
            try:
                while turn == self.turn and not self.visit.gone and not self.table.sitting.is_over:
                    seat = self.table.history.player()
                    if seat == CHANCE:
                        await asyncio.sleep(DICE)
                        action = self.table.sitting.roll()
                    elif self.table.is_human(seat) or self.paused:
                        break
                    else:
                        action = await self.think(seat, turn)
                    if turn != self.turn or self.visit.gone:
                        return
                    self.table.play(action)
                    self.report, self.note = None, ""
                    self.kept["play"] = self.table.kept()
                    self.refresh()
                await self.judge(turn)
            except Cancelled:
                return
            except GameError as problem:
                if turn == self.turn:
                    self.paused = True
                    complain(problem)
                    self.refresh()

    async def think(self, seat: int, turn: int) -> Any:
        """The move of the program in `seat`."""
        table, began = self.table, time.monotonic()
        text = table.sitting.players[seat]

        def hear(news: News) -> None:
            if turn == self.turn:
                self.hear(news)

        question = {**table.question(), "player": text}
        answer = await self.visit.ask("move", question, seconds=Studio.bounds.seconds, hear=hear)
        if turn == self.turn and answer["report"] is not None:
            table.values[-1] = answer["report"]["value"]
        if not any(map(table.is_human, range(table.game.players))):
            pause = self.speed.value if isinstance(self.speed.value, int | float) else 0.0
            await asyncio.sleep(min(max(0.0, pause - (time.monotonic() - began)), 5.0))
        return table.game.parse_action(table.history.state, answer["move"])

    def hear(self, news: News) -> None:
        """How far a search is."""
        if "report" in news:
            self.report = news["report"]
        elif "waiting" in news:
            before = news["waiting"]
            self.note = f"waiting: {before} {'search is' if before == 1 else 'searches are'} before this one"
        elif "compiling" in news:
            self.note = "getting ready (only the first time): compiling " + str(news["compiling"])[:60]
        elif "began" in news:
            self.note = "thinking"
        self.show_thought()

    async def judge(self, turn: int) -> None:
        """What the position is worth, for the bar and the curve."""
        table = self.table
        if not self.judging.value or turn != self.turn or self.visit.gone:
            return
        if table.sitting.is_over:
            table.values[-1] = table.sitting.payoffs()[0]
        elif table.values[-1] is None and table.history.player() >= 0:
            question = {**table.question(), "seconds": JUDGING}
            ticket = self.visit.submit("value", question, seconds=JUDGING, urgent=False)
            answer = await ticket.result()
            if turn != self.turn:
                return
            table.values[-1] = answer["value"]
        self.show_value()

    # -- what a visitor does -------------------------------------------------------------------------------------------

    def sit_down(self, game: str, seats: str, position: str) -> None:
        """The page has opened: the game asked for in its address, or the one this tab was playing, or a new one."""
        self.kept = app.storage.tab
        try:
            if game:
                self.table.begin(game, None, _split(seats), position or None)
                ui.navigate.history.replace("/")  # reloading goes on with the game, and does not begin it anew
            else:
                self.table.restore(self.kept.get("play"))
        except GameError as problem:
            if game:
                complain(problem)
        self.changed(seats=True)

    def on_cells(self, event: Any) -> None:
        cells = event.args
        if not isinstance(cells, list) or not 1 <= len(cells) <= 2:
            return
        if len(cells) == 2:  # dragged
            if self.table.touch.cells[-1:] != (cells[0],):
                self.on_cell(cells[0])
            if self.table.touch.cells[-1:] != (cells[0],):
                return
        self.on_cell(cells[-1])

    def on_cell(self, cell: object) -> None:
        action = self.table.click(cell)
        if action is not None:
            self.on_action(action)
        else:
            self.refresh()

    def on_action(self, action: Any) -> None:
        try:
            self.table.play(action)
        except GameError as problem:
            complain(problem)
        self.changed()

    def on_typed(self) -> None:
        try:
            action = self.table.read(self.typed.value)
        except GameError as problem:
            complain(problem)
            return
        self.typed.value = ""
        self.on_action(action)

    async def on_game(self, event: Any) -> None:
        if event.value != self.table.entry.title:
            await self.begin(event.value)

    async def begin(self, title: object, options: object = None, seats: object = None, position: object = None) -> bool:
        """A new game; if it cannot be, the old one stays."""
        try:
            await run.io_bound(self.table.begin, title, options, seats, position)
        except GameError as problem:
            complain(problem)
            return False
        self.paused = False
        self.changed(seats=True)
        return True

    async def on_new(self) -> None:
        sitting = self.table.sitting
        await self.begin(self.table.entry.title, sitting.options, list(sitting.players))

    def on_seat(self, number: int, text: object) -> None:
        if text == self.table.sitting.players[number]:
            return
        try:
            self.table.seat(number, text)
        except GameError as problem:
            complain(problem)
        self.changed(seats=True)

    def on_take_back(self) -> None:
        try:
            self.table.take_back()
        except GameError as problem:
            complain(problem)
            return
        self.changed()

    def on_branch(self) -> None:
        self.table.go_back(self.table.here)
        self.changed()

    def on_ply(self, event: Any) -> None:
        if isinstance(event.args, int):
            self.look(event.args)

    def look(self, ply: int | None) -> None:
        self.table.look(len(self.table.history.moves) if ply is None else ply)
        self.refresh()

    def on_flip(self) -> None:
        self.table.flip = not self.table.flip
        self.refresh()

    def on_pause(self) -> None:
        self.paused = not self.paused
        self.changed()

    def on_stop(self) -> None:
        for ticket in self.visit.tickets:
            ticket.hurry()

    async def on_hint(self) -> None:
        table, turn = self.table, self.turn
        if not (table.is_present and table.is_visitors_turn):
            complain("a hint is for your own move")
            return
        self.note, self.report = "thinking about a hint", None
        self.show_thought()
        try:
            answer = await self.visit.ask(
                "move", {**table.question(), "player": HINT}, seconds=Studio.bounds.seconds, hear=self.hear
            )
        except GameError as problem:
            if not isinstance(problem, Cancelled):
                complain(problem)
            return
        if turn == self.turn:
            action = table.game.parse_action(table.history.state, answer["move"])
            table.hint = table.game.clicks(table.history.state, action)
            self.report, self.note, self.hinted = answer["report"], "", answer["move"]
            self.refresh()


PLY = "(e) => { const c = e.target.closest('[data-at]'); if (c) emit(parseInt(c.dataset.at)) }"
MOVES_STYLE = """
.z-moves { max-height: 220px; overflow: auto; line-height: 1.9; font-size: 14px }
.z-moves a { cursor: pointer; padding: 2px 6px; border-radius: 5px; white-space: nowrap }
.z-moves a.on { background: color-mix(in srgb, var(--accent) 22%, transparent) }
.z-curve svg { width: 100%; height: auto }
"""


def thought(report: News) -> str:
    """What a search found so far, in one line."""
    parts = [f"depth {report['depth']}"] if report["depth"] else []
    parts.append(f"value {report['value']:+.2f}" + (" (proven)" if report["proof"] == "proven" else ""))
    parts.append(f"{report['nodes']:,} nodes")
    if report["nodes_per_second"]:
        parts.append(f"{report['nodes_per_second']:,.0f}/s")
    return " · ".join(parts)


def _split(seats: str) -> list[str] | None:
    return split_texts(seats[:1000]) if seats else None
