"""What a visitor does on the page of analysis: choose a position, have it searched, look into the tree."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from zermelo.core.game import GameError
from zermelo.core.words import count
from zermelo.interfaces.studio.pages.analysis.limits import SAMPLED, TELLING, read_limits
from zermelo.interfaces.studio.pages.analysis.networks import shares_of
from zermelo.interfaces.studio.pages.analysis.position import (
    Position,
    board_html,
    heat_html,
    make_position,
    played_position,
)
from zermelo.interfaces.studio.pages.analysis.rows import news_text, value_text
from zermelo.interfaces.studio.pages.analysis.tree import ROOT, Branch, Outline, draw_outline, drawn_path
from zermelo.interfaces.studio.ticket import Cancelled, News, delay

if TYPE_CHECKING:
    from zermelo.interfaces.studio.visit import Visit

AGAIN = 1.0  # seconds of a search from a node that was opened
AGAIN_DEPTH = 4  # of the textbook's, where it goes beyond its own


class Shown(Protocol):
    """The view."""

    def show_position(self) -> None: ...
    def show_board(self) -> None: ...
    def show_answer(self) -> None: ...
    def show_tree(self) -> None: ...
    def show_drawing(self) -> None: ...
    def show_status(self) -> None: ...
    def focus(self, path: str) -> None:
        """A row was opened by the keyboard, and has been written anew."""


class Controller:
    """One visitor's position, its search and its tree."""

    view: Shown

    def __init__(self, visit: Visit):
        self.visit, self.site = visit, visit.site
        self.position: Position | None = None
        self.trail: list[Position] = []  # where to go back to
        self.has_played = False  # is there a game on the page to play on?
        self.answer: News | None = None
        self.outline: Outline | None = None
        self.selected = ROOT  # path of the node whose position is on the board
        self.board, self.turn, self.drawing = "", "", ""
        self.heat = "policy"  # of HEATS, where a network was asked; else the board is plain
        self.is_below = False  # is the board that of a node below the root?
        self.limits: News = {}  # of the search whose tree is shown
        self.status = ""
        self.is_busy = False
        self.is_searching = False  # and not only looking below a node
        self._asked = 0  # searches so far: the answer to an old one is not wanted
        self._looked = 0  # boards so far: likewise

    # -- the position --------------------------------------------------------------------------------------------------

    async def open(self, game: str | None, position: str | None) -> None:
        """The first position: from the address, from the page to play on, or any."""
        played = self.visit.tab.get("play")
        self.has_played = played is not None
        if game is not None and await self._look_at(lambda: self._make(game, None, position)):
            return
        if game is not None and position is not None and await self._look_at(lambda: self._make(game)):
            return
        if game is None and self.has_played and await self._look_at(lambda: self._played(played)):
            return
        await self._look_at(lambda: self._make(self.site.first))

    def _make(self, title: object, options: object = None, start: object = None) -> Position:
        return make_position(self.site.catalogue, title, options, start, runs=self.site.runs)

    def _played(self, played: object) -> Position:
        return played_position(self.site.catalogue, played, self.site.runs)

    async def _look_at(self, make: Callable[[], Position], trail: list[Position] | None = None) -> bool:
        """Make a position and show it; complain, and keep what is shown, where that is not possible."""

        def look() -> tuple[Position, str]:
            made = make()
            return made, board_html(made, [])

        try:
            position, board = await self.visit.in_thread(look)
        except GameError as problem:
            self.visit.complain(problem)
            return False
        if not self.visit.gone:
            self.cancel()
            self._looked += 1
            self.trail = trail or []
            self.position, self.board, self.turn, self.is_below = position, board, position.turn, False
            self.answer, self.outline, self.selected, self.status = None, None, ROOT, ""
            self.view.show_position()
            self.view.show_board()
            self.view.show_answer()
            self.view.show_status()
        return True

    async def choose_game(self, title: object) -> None:
        if self.position is None or title == self.position.title:
            return
        if not await self._look_at(lambda: self._make(title)):
            self.view.show_position()  # the old title again

    async def set_position(self, text: object) -> None:
        position = self.position
        if position is not None:
            await self._look_at(lambda: self._make(position.title, position.options, text))

    async def set_start(self) -> None:
        await self.set_position(None)

    async def take_played(self) -> None:
        await self._look_at(lambda: self._played(self.visit.tab.get("play")))

    async def look_from_here(self) -> None:
        """Make the position of the selected node the one to search."""
        if self.position is not None and self.outline is not None:
            moves, position = self.outline.moves_to(self.selected), self.position
            await self._look_at(lambda: position.after(moves), [*self.trail, position])

    async def go_back(self) -> None:
        """From a position that was come to by looking further, back to where that began."""
        if self.trail:
            *trail, position = self.trail
            await self._look_at(lambda: position, trail)

    # -- the search ----------------------------------------------------------------------------------------------------

    async def search(self, fields: Mapping[str, Any]) -> None:
        """Search the position as the fields say."""
        position = self.position
        if position is None:
            return
        try:
            limits = read_limits(fields, position, self.site.bounds)
            answer = await self._ask({**position.message, **limits}, is_searching=True)
        except GameError as problem:
            self.visit.complain(problem)
            return
        if answer is None:
            return
        outline = await self.visit.in_thread(Outline, answer["tree"])
        if position is self.position:
            self.limits, self.answer, self.outline, self.selected = limits, answer, outline, ROOT
            self.view.show_answer()
            await self._show_board()
            await self._show_tree()

    async def _ask(self, message: News, is_searching: bool) -> News | None:
        """Have a position searched, instead of what was asked before; None if the answer is not wanted any more."""
        self.cancel()
        number, self.is_searching = self._asked, is_searching
        self.is_busy, self.status = True, "preparing …"
        self.view.show_status()
        try:
            most = min(message["seconds"] + TELLING, self.site.bounds.seconds)
            answer = await self.visit.ask("analysis", message, seconds=most, hear=self._hear)
        except Cancelled:
            return None
        finally:
            if number == self._asked and not self.visit.gone:
                self._rest("")
        return answer if number == self._asked and not self.visit.gone else None

    def _hear(self, news: News) -> None:
        """What a search tells while it runs."""
        self.status = news_text(news["report"]) if "report" in news else delay(news) or self.status
        self.view.show_status()

    def cancel(self) -> None:
        """Stop what is going on; what is shown stays."""
        was_busy = self.is_busy
        self._asked += 1
        self.visit.cancel()
        self._rest("cancelled" if was_busy else "")

    def _rest(self, words: str) -> None:
        self.is_busy = self.is_searching = False
        self.status = words
        self.view.show_status()

    # -- the tree ------------------------------------------------------------------------------------------------------

    async def click(self, args: object) -> None:
        """A row, a node of the drawing or a move was clicked."""
        if self.outline is None or not isinstance(args, dict):
            return
        try:
            if "more" in args:
                self.outline.more(args["more"])
            elif "again" in args:
                await self._search_below(args["again"])
            elif "move" in args:
                await self._open_move(args["move"])
            else:
                path = args["path"] if "path" in args else drawn_path(args.get("id"))
                await self._select(path, self.outline.toggle(path))
            await self._show_tree()
        except GameError as problem:
            self.visit.complain(problem)
            return
        if args.get("key") is True and "path" in args and not self.visit.gone:
            self.view.focus(self.selected)

    async def _open_move(self, move: object) -> None:
        """Open a move of the table in the tree, or only show it, where the tree was too wide for it."""
        assert self.outline is not None
        path = self.outline.path_of(move)
        if path is None:
            await self._show_board(pointed=str(move)[:200])
        else:
            await self._select(path, self.outline.reveal(path))

    async def _select(self, path: str, is_known: bool) -> None:
        """Show the position of a node; where nothing is known below it, search there."""
        self.selected = path
        await self._show_board()
        if not is_known:
            await self._search_below(path)

    async def _search_below(self, path: str) -> None:
        """Search the position at a node briefly, and put what is found there."""
        position, outline = self.position, self.outline
        if position is None or outline is None or self.answer is None:
            return
        if self.is_searching:
            raise GameError("a search is running; wait for it, or cancel it")
        moves = outline.moves_to(path)
        limits = {**self.limits, "seconds": min(self.limits["seconds"], AGAIN)}
        rest = outline.rest_of_search(path, self.answer["depth"]) if limits["search"] == "textbook" else None
        if limits["search"] == "textbook":
            limits |= {"depth": limits["depth"] or AGAIN_DEPTH} if rest is None else rest
        await self._show_tree()
        message = {**position.message, **limits, "moves": [*position.moves, *moves]}
        answer = await self._ask(message, is_searching=False)
        if answer is None or outline is not self.outline:
            return
        how = count(answer["nodes"], "simulation") if limits["search"] in SAMPLED else f"depth {answer['depth']}"
        note = f"from a new search of this position ({how}), which values it {value_text(answer['value'])}"
        found = await self.visit.in_thread(Branch.of, answer["tree"])
        if outline is self.outline:
            outline.graft(path, found, note if rest is None else "the same search, done again from here")

    async def fold(self) -> None:
        """Close everything but the root."""
        if self.outline is not None:
            self.outline.fold()
            self.selected = ROOT
            await self._show_board()
            await self._show_tree()

    async def point(self, args: object) -> None:
        """The pointer is over a move of the table."""
        move = args.get("move") if isinstance(args, dict) else None
        if self.answer is not None and any(one["move"] == move for one in self.answer["moves"]):
            await self._show_board(pointed=str(move))

    async def unpoint(self) -> None:
        await self._show_board()

    async def choose_heat(self, what: object) -> None:
        self.heat = str(what)
        await self._show_board()

    async def _show_board(self, pointed: str | None = None) -> None:
        """The board at the selected node, or at the root with one of its moves pointed out."""
        position = self.position
        if position is None:
            return
        moves = [] if pointed is not None or self.outline is None else self.outline.moves_to(self.selected)
        self._looked += 1
        number = self._looked
        shares = {} if pointed is not None or moves else shares_of(self.answer, self.heat)
        drawn: Any = (heat_html, position, shares) if shares else (board_html, position, moves, pointed)
        board = await self.visit.in_thread(*drawn)
        if number == self._looked and not self.visit.gone:
            self.board, self.is_below = board, bool(moves)
            self.turn = f"The position after {' '.join(moves[-8:])}" if moves else position.turn
            self.view.show_board()

    async def _show_tree(self) -> None:
        outline = self.outline
        if outline is not None:
            self.view.show_tree()
            drawing = await self.visit.in_thread(draw_outline, outline)
            if outline is self.outline and not self.visit.gone:
                self.drawing = drawing
                self.view.show_drawing()
