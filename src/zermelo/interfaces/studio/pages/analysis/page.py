"""Look inside: the search of a position as a tree that opens on click, and every move with what answers it.

The position comes from the address (?game=…&position=…), else from the game on the page to play on, else from the
fields. Beside this module:

    inside_layout, inside_style     what the page is made of
    inside_desk                     choosing a position and having it searched
    inside_place                    the position, checked and drawn
    inside_tree, inside_rows        what is open in the tree, and how its rows and the table of moves are written
    inside_task                     the search, in a process of its own; inside_mcts, inside_maxn, inside_textbook
    inside_told                     the form in which a tree is sent
"""

from __future__ import annotations

import re
from html import escape

from nicegui import events, run, ui

from zermelo.core.game import GameError
from zermelo.drawing.tree.drawing import draw
from zermelo.interfaces.studio.pages.analysis.controller import Desk
from zermelo.interfaces.studio.pages.analysis.layout import CENTRE, CLICKED, POINTED
from zermelo.interfaces.studio.pages.analysis.position import TREE, Place, board_html, go_on
from zermelo.interfaces.studio.pages.analysis.rows import (
    did_html,
    moves_html,
    stages_html,
    summary,
    tree_html,
    value_text,
    view_text,
)
from zermelo.interfaces.studio.pages.analysis.textbook import is_two_sided
from zermelo.interfaces.studio.pages.analysis.tree import DRAWN, ROOT, Branch, Outline, drawn_name, drawn_path
from zermelo.interfaces.studio.pool import News
from zermelo.interfaces.studio.shell import PATIENCE, Visit, frame, is_connected

AGAIN = 1.0  # seconds of a search from a node that was opened
AGAIN_DEPTH = 4  # of the textbook's, where it goes beyond its own
TREE_ABOUT = (
    "Click a row to open or close it, and to see its position on the board. The best line is bold. "
    "Below a hollow ▹ nothing is known yet: opening it searches from there."
)
MOVES_ABOUT = {
    "alphabeta": "Each was then asked for its own value, to the depth given; beside it stands what refutes it.",
    "textbook": "What the search knew of each: where it could not be better, a bound (≤ ≥) was enough.",
    "mcts": "The most visited is chosen, or one proven as good; beside each stands what would follow.",
    "maxn": "Each was then asked for its own values, to the depth given; beside it stands what would follow.",
}


@ui.page("/inside", response_timeout=PATIENCE)
async def inside(game: str | None = None, position: str | None = None) -> None:
    with frame("inside") as visit:
        page = Page(visit)
        if await is_connected():
            await page.begin(game, position)


class Page(Desk):
    """The right side: what was found, and the tree to look into."""

    def __init__(self, visit: Visit):
        super().__init__(visit)
        self.answer: News | None = None
        self.outline: Outline | None = None
        self.limits: News = {}  # of the search whose tree is shown
        self.selected = ROOT
        self.go.on_click(self.begin_search)
        self.here.on_click(self.look_from_here)
        self.close.on_click(self.fold)
        for element in (self.moves, self.tree, self.drawing):
            element.on("click", self.click, js_handler=CLICKED)
            element.on("keydown", self.click, js_handler=CLICKED)
        self.moves.on("mouseover", self.point, js_handler=POINTED, throttle=0.15)
        self.moves.on("mouseleave", self.unpoint, js_handler="() => emit({})")

    async def begin_search(self) -> None:
        place = self.place
        if place is None:
            return
        try:
            limits = self.read_limits(place)
            answer = await self.ask({**place.message, **limits}, is_searching=True)
        except GameError as problem:
            self.complain(problem)
            return
        if answer is not None:
            self.limits = limits
            await self.show_answer(place, answer)

    # -- showing -------------------------------------------------------------------------------------------------------

    def show_place(self, place: Place, board: str) -> None:
        super().show_place(place, board)
        self.answer, self.outline, self.selected = None, None, ROOT

    async def show_answer(self, place: Place, answer: News) -> None:
        outline = await run.io_bound(Outline, answer["tree"])
        if outline is None or place is not self.place:
            return
        self.answer, self.outline, self.selected = answer, outline, ROOT
        first, *others = summary(answer)
        rest = "".join(f'<div class="text-sm">{escape(words)}</div>' for words in others)
        self.said.content = f'<div class="zi-big">{escape(first)}</div>{rest}'
        self.view.text = view_text(place.game.players, is_two_sided(place.game))
        self.moves_title.text = "The outcomes" if answer["chance"] else "The moves"
        self.moves_about.text = (
            f"{MOVES_ABOUT[answer['search']]} Point at one to see it on the board; click to open it."
        )
        self.tree_about.text = f"{TREE[answer['search']]} {TREE_ABOUT}"
        self.stages.content, self.did.content = stages_html(answer), did_html(answer)
        self.found.visible, self.hint.visible = True, False
        await self.show_board()
        await self.show_tree()
        script = f"if (innerWidth <= 860) getHtmlElement({self.found.id}).scrollIntoView({{behavior: 'smooth'}})"
        self.visit.client.run_javascript(script)  # on a phone, the answer stands below the fields

    async def show_tree(self) -> None:
        outline = self.outline
        if outline is None or self.answer is None:
            return
        moves = outline.moves_to(self.selected)
        self.tree.content = tree_html(outline, self.selected, self.board.content if moves else "")
        self.moves.content = moves_html(self.answer, moves[0] if moves else "")
        svg = await run.io_bound(_draw, outline)
        if outline is self.outline and not self.visit.gone:
            self.drawing.content = svg or ""
            self.visit.client.run_javascript(CENTRE % (self.drawing.id, drawn_name(self.selected)))

    async def show_board(self, pointed: str | None = None) -> None:
        """The board at the selected node, or at the root with one of its moves pointed out."""
        place, moves = self.place, list[str]()
        if place is None:
            return
        if pointed is None and self.outline is not None:
            moves = self.outline.moves_to(self.selected)
        self.looked += 1
        number = self.looked
        html = await run.io_bound(board_html, place, moves, pointed)
        if number == self.looked and not self.visit.gone:
            self.board.content = html or ""
            self.turn.text = f"The position after {' '.join(moves[-8:])}" if moves else place.turn
            self.here.visible = bool(moves)

    async def point(self, event: events.GenericEventArguments) -> None:
        move = event.args.get("move") if isinstance(event.args, dict) else None
        if self.answer is not None and any(one["move"] == move for one in self.answer["moves"]):
            await self.show_board(pointed=str(move))

    async def unpoint(self) -> None:
        await self.show_board()

    # -- opening -------------------------------------------------------------------------------------------------------

    async def click(self, event: events.GenericEventArguments) -> None:
        """A row, a node of the drawing or a move was clicked."""
        args = event.args
        if self.outline is None or not isinstance(args, dict):
            return
        try:
            if "more" in args:
                self.outline.more(args["more"])
            elif "again" in args:
                await self.search_below(args["again"])
            elif "move" in args:
                await self.open_move(args["move"])
            else:
                await self.open(args["path"] if "path" in args else drawn_path(args.get("id")))
            await self.show_tree()
        except GameError as problem:
            self.complain(problem)
            return
        if args.get("key") is True and "path" in args and not self.visit.gone:  # the row was written anew
            row = f'[data-testid="inside-tree"] [data-path="{self.selected}"]'
            self.visit.client.run_javascript(f"document.querySelector('{row}')?.focus()")

    async def open(self, path: str) -> None:
        """Open or close a node; where nothing is known below it, search there."""
        assert self.outline is not None
        is_known = self.outline.toggle(path)
        self.selected = path
        await self.show_board()
        if not is_known:
            await self.search_below(path)

    async def open_move(self, move: object) -> None:
        """Open a move of the table in the tree, or only show it, where the tree was too wide for it."""
        assert self.outline is not None
        path = self.outline.path_of(move)
        if path is None:
            await self.show_board(pointed=str(move)[:200])
            return
        is_known = self.outline.reveal(path)
        self.selected = path
        await self.show_board()
        if not is_known:
            await self.search_below(path)

    async def search_below(self, path: str) -> None:
        """Search the position at a node briefly, and put what is found there."""
        place, outline = self.place, self.outline
        if place is None or outline is None or self.answer is None:
            return
        if self.is_searching:
            raise GameError("a search is running; wait for it, or cancel it")
        moves = outline.moves_to(path)
        limits = {**self.limits, "seconds": min(self.limits["seconds"], AGAIN)}
        rest = outline.rest_of_search(path, self.answer["depth"]) if limits["search"] == "textbook" else None
        if limits["search"] == "textbook":
            limits |= {"depth": limits["depth"] or AGAIN_DEPTH} if rest is None else rest
        await self.show_tree()
        answer = await self.ask({**place.message, **limits, "moves": [*place.moves, *moves]}, is_searching=False)
        if answer is None or outline is not self.outline:
            return
        how = f"{answer['nodes']:,} simulations" if limits["search"] == "mcts" else f"depth {answer['depth']}"
        note = f"from a new search of this position ({how}), which values it {value_text(answer['value'])}"
        found = await run.io_bound(Branch.of, answer["tree"])
        if found is not None and outline is self.outline:
            outline.graft(path, found, note if rest is None else "the same search, done again from here")

    async def fold(self) -> None:
        """Close everything but the root."""
        if self.outline is not None:
            self.outline.fold()
            self.selected = ROOT
            await self.show_board()
            await self.show_tree()

    async def look_from_here(self) -> None:
        """Make the position of the selected node the one to search."""
        if self.place is not None and self.outline is not None:
            moves, place, trail = self.outline.moves_to(self.selected), self.place, [*self.trail, self.place]
            if await self.look_at(lambda catalogue: go_on(place, moves)):
                self.trail, self.back.visible = trail, True


def _draw(outline: Outline) -> str:
    svg = draw(outline.drawn(), max_nodes=DRAWN, theme="light").svg
    width = re.search(r'viewBox="[-\d.]+ [-\d.]+ ([\d.]+) ', svg)
    return f'<div style="--width: {width[1]}px">{svg}</div>' if width else svg
