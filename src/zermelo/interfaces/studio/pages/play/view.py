"""What the Play page looks like: the board, the buttons, who plays, the value, the moves; all shown anew when asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import ui

from zermelo.core.game import CHANCE
from zermelo.drawing.svg import escape
from zermelo.interfaces.studio.bounds import HUMAN
from zermelo.interfaces.studio.curve import draw_curve, share
from zermelo.interfaces.studio.pages.play.dialogs import choose_variant, edit_position, edit_record
from zermelo.interfaces.studio.pool import News
from zermelo.interfaces.studio.shell import Studio

if TYPE_CHECKING:
    from zermelo.interfaces.studio.pages.play.page import PlayPage

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
PLY = "(e) => { const c = e.target.closest('[data-at]'); if (c) emit(parseInt(c.dataset.at)) }"
MOVES_STYLE = """
.z-moves { max-height: 220px; overflow: auto; line-height: 1.9; font-size: 14px }
.z-moves a { cursor: pointer; padding: 2px 6px; border-radius: 5px; white-space: nowrap }
.z-moves a.on { background: color-mix(in srgb, var(--accent) 22%, transparent) }
.z-curve svg { width: 100%; height: auto }
"""


class PlayView:
    """The page's elements. What happens when they are used is `PlayPage`'s business (play.py)."""

    def __init__(self, page: PlayPage):
        self.page = page

    # -- layout --------------------------------------------------------------------------------------------------------

    def build(self) -> None:
        with ui.row().classes("w-full gap-4 items-start"):
            with ui.column().classes("gap-2 grow").style("flex-basis: 460px; min-width: min(100%, 320px)"):
                self.build_top()
                with ui.element("div").classes("z-card w-full").style("padding: 8px"):
                    self.board = ui.html("", sanitize=False).classes("z-board").props('data-testid="board"')
                    self.board.on("pointerdown", js_handler=DOWN)
                    self.board.on("pointerup", self.page.on_cells, js_handler=UP)
                self.extra = ui.row().classes("gap-2")
                self.build_actions()
            with ui.column().classes("gap-3").style("flex: 1 1 340px; max-width: 100%"):
                self.build_side()

    def build_top(self) -> None:
        with ui.row().classes("w-full items-center gap-2 no-wrap"):
            self.choice = ui.select(Studio.catalogue.titles, label="game", with_input=True, on_change=self.page.on_game)
            self.choice.classes("grow").props('dense outlined data-testid="game"')
            ui.button("variant", on_click=lambda: choose_variant(self.page)).props("flat dense no-caps")
            ui.button("new game", icon="refresh", on_click=self.page.on_new).props(
                'dense no-caps unelevated data-testid="new"'
            )
        self.about = ui.label("").classes("z-muted text-sm")
        self.checked = ui.column().classes("gap-1").props('data-testid="checked"')
        self.status = ui.label("").classes("text-base font-semibold").props('data-testid="status"')

    def build_actions(self) -> None:
        with ui.row().classes("gap-1 items-center"):
            for words, icon, act, name in (
                ("take back", "undo", self.page.on_take_back, "back"),
                ("hint", "lightbulb", self.page.on_hint, "hint"),
                ("flip", "swap_vert", self.page.on_flip, "flip"),
                ("position", "content_paste", lambda: edit_position(self.page), "position"),
                ("record", "description", lambda: edit_record(self.page), "record"),
            ):
                ui.button(words, icon=icon, on_click=act).props(f'flat dense no-caps data-testid="{name}"')
            ui.link("look inside", "/inside").classes("text-sm q-ml-sm")
        with ui.row().classes("items-center gap-2 w-full no-wrap"):
            self.typed = ui.input(placeholder="or type a move").props('dense outlined data-testid="typed"')
            self.typed.classes("grow").on("keydown.enter", self.page.on_typed)
            ui.button(icon="send", on_click=self.page.on_typed).props("flat dense").tooltip("play the typed move")

    def build_side(self) -> None:
        with ui.column().classes("z-card w-full gap-2"):
            ui.label("what the program thinks").classes("text-sm z-muted")
            self.thought = ui.label("").classes("text-sm z-mono").props('data-testid="thought"')
            self.line = ui.label("").classes("text-sm z-muted").style("overflow-wrap: anywhere")
            with ui.row().classes("gap-2 items-center"):
                self.pause = ui.button("pause", icon="pause", on_click=self.page.on_pause)
                self.stop = ui.button("move now", icon="bolt", on_click=self.page.on_stop)
                self.pause.props('outline dense no-caps data-testid="pause"')
                self.stop.props('flat dense no-caps data-testid="stop"')
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
            self.curve.on("click", self.page.on_ply, js_handler=PLY)
        with ui.column().classes("z-card w-full gap-1"):
            self.moment = ui.row().classes("items-center gap-2")
            self.moves = ui.html("", sanitize=False).classes("z-moves").props('data-testid="moves"')
            self.moves.on("click", self.page.on_ply, js_handler=PLY)
        ui.add_css(MOVES_STYLE)

    # -- showing -------------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show everything as it is."""
        table = self.page.table
        board = table.board()
        self.board.content = board
        self.show_buttons(board)
        self.show_status()
        self.show_value()
        self.show_moves()

    def show_buttons(self, board: str) -> None:
        table = self.page.table
        self.extra.clear()
        if not (table.is_present and table.is_visitors_turn):
            return
        with self.extra:
            for cell in table.buttons(board)[:40]:
                ui.button(cell, on_click=lambda cell=cell: self.page.on_cell(cell)).props(
                    f'dense no-caps outline data-testid="cell-{cell}"'
                )
            if table.touch.cells or not table.touch.ways:
                self.show_choices()

    def show_choices(self) -> None:
        """Moves that clicks do not tell apart, or all of them where the game knows no clicks."""
        table = self.page.table
        several = table.touch.complete if table.touch.ways else list(table.history.actions())[:60]
        for action in several:
            words = table.game.format_action(table.history.state, action)
            ui.button(words, on_click=lambda action=action: self.page.on_action(action)).props(
                'dense no-caps outline data-testid="choice"'
            )

    def show_status(self) -> None:
        table = self.page.table
        session = table.session
        thinking = False
        if session.is_over:
            said = session.result()
        elif (seat := table.history.player()) == CHANCE:
            said = "the dice are rolled"
        elif table.is_human(seat):
            said = f"player {seat} to move" if sum(map(table.is_human, range(table.game.players))) > 1 else "your move"
            said += f" (hint: {self.page.hinted})" if table.hint and self.page.hinted else ""
        else:
            thinking = not self.page.paused
            said = f"player {seat} ({session.players[seat]}) " + ("thinks" if thinking else "waits")
        self.status.text = said
        self.pause.text, self.pause.icon = ("go on", "play_arrow") if self.page.paused else ("pause", "pause")
        programs = any(not table.is_human(p) for p in range(table.game.players))
        watched = self.page.is_watched or (self.page.paused and programs)
        self.pause.set_visibility(not session.is_over and (thinking or watched))
        self.stop.set_visibility(thinking)
        self.show_thought()

    def show_thought(self) -> None:
        report = self.page.report
        self.thought.text = (self.page.note or "–") if report is None else thought(report)
        self.line.text = "" if report is None else " ".join(report["pv"][:24])

    def show_value(self) -> None:
        table = self.page.table
        known = [v for v in table.values[: table.here + 1] if v is not None]
        value = known[-1] if known else None
        self.worth.text = "value: not judged yet" if value is None else f"value for player 0: {value:+.2f}"
        self.bar.value = 0.5 if value is None else round(share(table.game, value), 3)
        self.curve.content = draw_curve(table.game, table.values, table.here)

    def show_moves(self) -> None:
        table, here = self.page.table, self.page.table.here
        words = [
            f'<a data-at="{n}"{" class=on" if n == here else ""}>{escape(text)}</a>'
            for n, text in enumerate(table.session.moves(), 1)
        ]
        start = f'<a data-at="0"{" class=on" if here == 0 else ""}>start</a>'
        self.moves.content = " ".join([start, *words])
        self.moment.clear()
        if not table.is_present:
            with self.moment:
                ui.label(f"after {here} of {len(table.history.moves)} moves").classes("text-sm z-muted")
                ui.button("go on from here", on_click=self.page.on_branch).props(
                    'dense flat no-caps data-testid="branch"'
                )
                ui.button("back to the game", on_click=lambda: self.page.look(None)).props("dense flat no-caps")

    def show_seats(self) -> None:
        self.seats_box.clear()
        with self.seats_box:
            for number, text in enumerate(self.page.table.session.players):
                names = list(dict.fromkeys([text, *SEATS, *Studio.bounds.allowed]))
                ui.select(
                    names,
                    value=text,
                    label=f"player {number}",
                    with_input=True,
                    new_value_mode="add-unique",
                    on_change=lambda e, number=number: self.page.on_seat(number, e.value),
                ).classes("w-full").props(f'dense outlined data-testid="seat-{number}"')
        self.about.text = self.page.table.entry.summary
        self.show_check()

    def show_check(self) -> None:
        """What was found out about the rules, where the game is the user's own."""
        title = self.page.table.entry.title
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


def thought(report: News) -> str:
    """What a search found so far, in one line."""
    parts = [f"depth {report['depth']}"] if report["depth"] else []
    parts.append(f"value {report['value']:+.2f}" + (" (proven)" if report["proof"] == "proven" else ""))
    parts.append(f"{report['nodes']:,} nodes")
    if report["nodes_per_second"]:
        parts.append(f"{report['nodes_per_second']:,.0f}/s")
    return " · ".join(parts)
