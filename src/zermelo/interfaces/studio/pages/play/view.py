"""The page to play on as it looks: the board, the buttons, who plays, the value, the moves; shown anew when asked."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from nicegui import ui

from zermelo.core.game import CHANCE
from zermelo.core.words import count
from zermelo.drawing.svg import escape
from zermelo.interfaces.studio.bounds import HUMAN
from zermelo.interfaces.studio.pages.play import dragging
from zermelo.interfaces.studio.pages.play.advice_html import STYLE as ADVICE_STYLE
from zermelo.interfaces.studio.pages.play.advice_html import advice_html
from zermelo.interfaces.studio.pages.play.curve import draw_curve, share
from zermelo.interfaces.studio.pages.play.dialogs import choose_variant, edit_position, edit_record

if TYPE_CHECKING:
    from zermelo.interfaces.studio.pages.play.controller import Controller

SEATS = [HUMAN, *(f"level={n}" for n in range(1, 11)), "alphabeta:seconds=1", "mcts:seconds=1", "random"]
PLY = "(e) => { const c = e.target.closest('[data-at]'); if (c) emit(parseInt(c.dataset.at)) }"
MOVES_STYLE = """
.z-moves { max-height: 220px; overflow: auto; line-height: 1.9; font-size: 14px }
.z-moves a { cursor: pointer; padding: 2px 6px; border-radius: 5px; white-space: nowrap }
.z-moves a.on { background: color-mix(in srgb, var(--accent) 22%, transparent) }
.z-curve svg { width: 100%; height: auto }
"""


class View:
    """The page's elements."""

    def __init__(self, controller: Controller):
        self.controller, self.site = controller, controller.site
        with ui.row().classes("w-full gap-4 items-start"):
            with ui.column().classes("gap-2 grow").style("flex-basis: 460px; min-width: min(100%, 320px)"):
                self.build_top()
                with ui.element("div").classes("z-card w-full").style("padding: 8px"):
                    self.board = ui.html("", sanitize=False).classes("z-board").props('data-testid="board"')
                    self.board.on("pointerdown", js_handler=dragging.DOWN)
                    self.board.on("pointermove", lambda e: controller.lift(e.args), js_handler=dragging.MOVE)
                    self.board.on("pointerup", lambda e: controller.point(e.args), js_handler=dragging.UP)
                    self.board.on("pointercancel", js_handler=dragging.CANCEL)
                self.extra = ui.row().classes("gap-2")
                self.build_actions()
            with ui.column().classes("gap-3").style("flex: 1 1 340px; max-width: 100%"):
                self.build_side()

    # -- layout --------------------------------------------------------------------------------------------------------

    def build_top(self) -> None:
        with ui.row().classes("w-full items-center gap-2 no-wrap"):
            titles = self.site.catalogue.titles
            self.choice = ui.select(
                titles, label="game", with_input=True, on_change=lambda e: self.controller.choose_game(e.value)
            )
            self.choice.classes("grow").props('dense outlined data-testid="game"')
            ui.button("variant", on_click=lambda: choose_variant(self.controller)).props("flat dense no-caps")
            ui.button("new game", icon="refresh", on_click=self.controller.begin_again).props(
                'dense no-caps unelevated data-testid="new"'
            )
        self.about = ui.label("").classes("z-muted text-sm")
        self.checked = ui.column().classes("gap-1").props('data-testid="checked"')
        self.status = ui.label("").classes("text-base font-semibold").props('data-testid="status"')

    def build_actions(self) -> None:
        with ui.row().classes("gap-1 items-center"):
            for words, icon, act, name in (
                ("take back", "undo", self.controller.take_back, "back"),
                ("hint", "lightbulb", self.controller.advice.hint, "hint"),
                ("flip", "swap_vert", self.controller.flip, "flip"),
                ("position", "content_paste", lambda: edit_position(self.controller), "position"),
                ("record", "description", lambda: edit_record(self.controller), "record"),
            ):
                ui.button(words, icon=icon, on_click=act).props(f'flat dense no-caps data-testid="{name}"')
            ui.link("analyse", "/analysis").classes("text-sm q-ml-sm")
        with ui.row().classes("items-center gap-2 w-full no-wrap"):
            self.typed = ui.input(placeholder="or type a move").props('dense outlined data-testid="typed"')
            self.typed.classes("grow").on("keydown.enter", self.play_typed)
            ui.button(icon="send", on_click=self.play_typed).props("flat dense").tooltip("play the typed move")

    def build_side(self) -> None:
        with ui.column().classes("z-card w-full gap-2"):
            self.thinker = ui.label("").classes("text-sm z-muted").props('data-testid="thinker"')
            self.thought = ui.label("").classes("text-sm z-mono").props('data-testid="thought"')
            self.line = ui.label("").classes("text-sm z-muted").style("overflow-wrap: anywhere")
            self.line.props('data-testid="line"')
            with ui.row().classes("gap-2 items-center"):
                self.pause = ui.button("pause", icon="pause", on_click=self.controller.pause)
                self.stop = ui.button("move now", icon="bolt", on_click=self.controller.move_now)
                self.pause.props('outline dense no-caps data-testid="pause"')
                self.stop.props('flat dense no-caps data-testid="stop"')
        with ui.column().classes("z-card w-full gap-2"):
            self.seats_box = ui.column().classes("w-full gap-2")
            with ui.row().classes("items-center w-full no-wrap gap-3"):
                ui.label("pause between programs' moves").classes("text-sm z-muted")
                pace = self.controller.pace
                slider = ui.slider(
                    min=0, max=3, step=0.1, value=pace, on_change=lambda e: self.controller.set_pace(e.value)
                )
                slider.props("label").classes("grow")
        with ui.column().classes("z-card w-full gap-1"):
            with ui.row().classes("items-center justify-between w-full no-wrap"):
                self.worth = ui.label("").classes("text-sm").props('data-testid="value"')
                judging = ui.switch("judge", value=self.controller.judge.is_on)
                judging.on_value_change(lambda e: self.controller.set_judging(e.value)).props("dense")
            self.verdict = ui.label("").classes("text-sm z-muted")
            self.bar = ui.linear_progress(0.5, show_value=False, size="12px", color="primary").props("rounded")
            self.curve = ui.html("", sanitize=False).classes("w-full z-curve")
            self.curve.on("click", lambda e: self.look(e.args), js_handler=PLY)
        self.build_advice()
        with ui.column().classes("z-card w-full gap-1"):
            self.moment = ui.row().classes("items-center gap-2")
            self.moves = ui.html("", sanitize=False).classes("z-moves").props('data-testid="moves"')
            self.moves.on("click", lambda e: self.look(e.args), js_handler=PLY)
        ui.add_css(MOVES_STYLE + ADVICE_STYLE + dragging.STYLE)
        ui.add_body_html(f"<script>{dragging.SETUP}</script>")
        ui.on(dragging.PUSHED, lambda e: self.controller.push(e.args))

    def build_advice(self) -> None:
        """What endgame tables say of every move, where a visitor wants to know."""
        advice = self.controller.advice
        with ui.column().classes("z-card w-full gap-1") as self.advice:
            with ui.row().classes("items-center justify-between w-full no-wrap"):
                ui.label("endgame tables").classes("text-sm")
                showing = ui.switch("perfect moves", value=advice.is_on, on_change=lambda e: advice.set_on(e.value))
                showing.props('dense data-testid="perfect"')
            self.advised = ui.html("", sanitize=False).classes("w-full").props('data-testid="advised"')

    # -- what is done --------------------------------------------------------------------------------------------------

    def play_typed(self) -> None:
        if self.controller.play_text(self.typed.value):
            self.typed.value = ""

    def look(self, ply: object) -> None:
        if isinstance(ply, int):
            self.controller.look(ply)

    def clear_address(self) -> None:
        ui.navigate.history.replace("/")

    # -- showing -------------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show everything as it is."""
        played = self.controller.played
        board = played.board()
        self.board.content = board
        if played.is_visitors_turn:  # else as it was: a finger may be on its way
            self.let_drag()
        self.show_buttons(board)
        self.show_status()
        self.show_value()
        self.show_moves()

    def let_drag(self) -> None:
        """Tell the browser which pieces may be lifted, and whether moves are directions."""
        clicks = self.controller.played.clicks
        kinds = {"z-drag": clicks.is_dragged, "z-push": bool(clicks.pushes)}
        self.board.classes(
            add=" ".join(kind for kind, so in kinds.items() if so),
            remove=" ".join(kind for kind, so in kinds.items() if not so),
        )
        starts = json.dumps(sorted(clicks.starts))
        if self.board.props.get("data-starts") != starts:
            self.board.props["data-starts"] = starts
            self.board.update()

    def show_buttons(self, board: str) -> None:
        played = self.controller.played
        self.extra.clear()
        if not (played.is_present and played.is_visitors_turn):
            return
        with self.extra:
            for cell in played.buttons(board)[:40]:
                ui.button(cell, on_click=lambda cell=cell: self.controller.point([cell])).props(
                    f'dense no-caps outline data-testid="cell-{cell}"'
                )
            if played.clicks.cells or not played.clicks.ways:
                self.show_choices()

    def show_choices(self) -> None:
        """Moves that clicks do not tell apart, or all of them where the game knows no clicks."""
        played = self.controller.played
        several = played.clicks.complete if played.clicks.ways else list(played.history.actions())[:60]
        for action in several:
            words = played.game.format_action(played.history.state, action)
            ui.button(words, on_click=lambda action=action: self.controller.play(action)).props(
                'dense no-caps outline data-testid="choice"'
            )

    def show_status(self) -> None:
        played = self.controller.played
        session = played.session
        thinking = False
        if session.is_over:
            said = session.result()
        elif (seat := played.history.player()) == CHANCE:
            said = "the dice are rolled"
        elif played.is_human(seat):
            said = (
                f"player {seat} to move" if sum(map(played.is_human, range(played.game.players))) > 1 else "your move"
            )
            said += f" (hint: {self.controller.advice.hinted})" if played.hints else ""
            said += f": {played.refusal}" if played.refusal else ""
        else:
            thinking = not self.controller.paused
            said = f"player {seat} ({session.players[seat]}) " + ("thinks" if thinking else "waits")
        self.status.text = said
        self.pause.text, self.pause.icon = ("go on", "play_arrow") if self.controller.paused else ("pause", "pause")
        programs = any(not played.is_human(p) for p in range(played.game.players))
        watched = played.is_watched or (self.controller.paused and programs)
        self.pause.set_visibility(not session.is_over and (thinking or watched))
        self.stop.set_visibility(thinking)
        self.show_thought()

    def show_thought(self) -> None:
        thought = self.controller.thought
        self.thinker.text, self.thought.text, self.line.text = thought.title(), thought.numbers(), thought.line()

    def show_value(self) -> None:
        played = self.controller.played
        known, ago = played.judgements.latest(played.here)
        value = None if known is None else known.value
        verdict = self.controller.judge.verdict or "not judged yet"
        self.worth.text = f"value: {verdict}" if known is None else known.text(ago)
        self.verdict.text = verdict if known is not None and ago and played.is_present else ""
        self.bar.value = 0.5 if value is None else round(share(played.game, value), 3)
        self.curve.content = draw_curve(played.game, played.judgements.values, played.here)
        self.show_advice()

    def show_advice(self) -> None:
        advice = self.controller.advice
        self.advice.set_visibility(advice.has_tables)
        self.advised.content = advice_html(advice)

    def show_moves(self) -> None:
        played, here = self.controller.played, self.controller.played.here
        words = [
            f'<a data-at="{n}"{" class=on" if n == here else ""}>{escape(text)}</a>'
            for n, text in enumerate(played.session.moves(), 1)
        ]
        start = f'<a data-at="0"{" class=on" if here == 0 else ""}>start</a>'
        self.moves.content = " ".join([start, *words])
        self.moment.clear()
        if not played.is_present:
            with self.moment:
                ui.label(f"after {here} of {count(len(played.history.moves), 'move')}").classes("text-sm z-muted")
                ui.button("go on from here", on_click=self.controller.go_on_from_here).props(
                    'dense flat no-caps data-testid="branch"'
                )
                ui.button("back to the game", on_click=lambda: self.controller.look(None)).props("dense flat no-caps")

    def show_seats(self) -> None:
        if self.choice.value != self.controller.played.entry.title:
            self.choice.value = self.controller.played.entry.title
        self.seats_box.clear()
        with self.seats_box:
            for number, spec in enumerate(self.controller.played.session.players):
                names = list(dict.fromkeys([spec, *SEATS, *self.site.bounds.allowed]))
                ui.select(
                    names,
                    value=spec,
                    label=f"player {number}",
                    with_input=True,
                    new_value_mode="add-unique",
                    on_change=lambda e, number=number: self.controller.set_seat(number, e.value),
                ).classes("w-full").props(f'dense outlined data-testid="seat-{number}"')
        self.about.text = self.controller.played.entry.summary
        self.show_check()

    def show_check(self) -> None:
        """What was found out about the rules, where the game is the user's own."""
        title = self.controller.played.entry.title
        self.checked.clear()
        if title not in self.site.catalogue.own:
            return
        found = self.site.checks.get(title)
        with self.checked:
            if found is None:
                ui.label("the rules are being checked …").classes("text-sm z-muted")
                ui.timer(2.0, self.show_check, once=True)
            elif found["ok"]:
                ui.label("the rules have been checked: no fault was found").classes("text-sm")
            else:
                ui.label("the check of the rules found a fault").classes("text-sm font-semibold")
                ui.label(found["text"]).classes("text-xs z-mono").style("white-space: pre-wrap")
