"""What a visitor does on the page of trainings and tournaments: open one of the list, turn pages, replay a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from zermelo.core.game import GameError
from zermelo.interfaces.studio.pages.arena.folder import Item, list_folder
from zermelo.interfaces.studio.pages.arena.games import Brief
from zermelo.interfaces.studio.pages.arena.library import Library, OpenGames
from zermelo.interfaces.studio.pages.arena.replay import Replay
from zermelo.interfaces.studio.pages.arena.training_run import WatchedRun

if TYPE_CHECKING:
    from zermelo.interfaces.studio.visit import Visit

LIST_EVERY = 5  # looks at what is open between two at the folder
PAGE = 20  # games on the list


class Shown(Protocol):
    """The view."""

    def show_list(self) -> None: ...
    def show_ages(self) -> None: ...
    def show_opened(self) -> None:
        """Something else was opened."""

    def show_run(self, is_new: bool) -> None: ...
    def show_games(self) -> None: ...
    def show_page(self) -> None: ...
    def show_replay(self) -> None: ...
    def show_ply(self) -> None: ...


class Controller:
    """One visitor's page: the list, and what is open."""

    view: Shown

    def __init__(self, visit: Visit):
        self.visit, self.site = visit, visit.site
        self.library = self.site.shared(Library)
        self.items: list[Item] = []
        self.problem = ""  # with the folder
        self.opened: WatchedRun | OpenGames | None = None
        self.number = 0  # of the page of games
        self.replay: Replay | None = None
        self.ply = 0
        self._version = -1  # of what is open, as it is shown
        self._looks = 0
        self._looking = False

    # -- the list ------------------------------------------------------------------------------------------------------

    async def open(self) -> None:
        await self._look_at_folder()

    async def _look_at_folder(self) -> None:
        items: list[Item] = []
        try:
            items = await self.visit.in_thread(list_folder, self.site.runs)
        except GameError as problem:
            self.problem = str(problem)
        if self.visit.gone:
            return
        if {item.path for item in items} != {item.path for item in self.items} or self._looks == 0:
            self.items = items
            self.view.show_list()
        else:  # their order stays, so that nothing moves away under a pointer
            changed = {item.path: item for item in items}
            self.items = [changed[item.path] for item in self.items]
            self.view.show_ages()
        if self.opened is None and self.items:
            await self.choose(self.items[0])

    async def choose(self, item: Item) -> None:
        self.opened = self.library.open(item)
        self._version, self.number, self.replay = -1, 0, None
        self.view.show_opened()
        await self.look(at_once=True)

    # -- what is open --------------------------------------------------------------------------------------------------

    async def look(self, at_once: bool = False) -> None:
        """See whether anything has changed."""
        if self._looking and not at_once:
            return
        self._looking = True
        try:
            self._looks += 1
            if self._looks % LIST_EVERY == 0:
                await self._look_at_folder()
            opened = self.opened
            if opened is None or self.visit.gone:
                return
            version = await self.visit.in_thread(opened.refresh)
            if opened is self.opened and not self.visit.gone:
                is_new, self._version = self._version != version, version
                if isinstance(opened, WatchedRun):
                    self.view.show_run(is_new)
                elif is_new:
                    self.view.show_games()
        finally:
            self._looking = False

    # -- games ---------------------------------------------------------------------------------------------------------

    @property
    def games(self) -> list[Brief]:
        return self.opened.file.games if isinstance(self.opened, OpenGames) else []

    @property
    def pages(self) -> int:
        return max(1, -(-len(self.games) // PAGE))

    def turn(self, by: int) -> None:
        """To another page of the list of games."""
        self.number = min(max(self.number + by, 0), self.pages - 1)
        self.view.show_page()

    async def choose_game(self, index: Any) -> None:
        """Replay the game of an index in the list."""
        opened = self.opened
        if not isinstance(opened, OpenGames):
            return
        try:
            found = await self.visit.in_thread(opened.replay, index)
        except GameError as problem:
            self.visit.complain(problem)
            return
        if opened is self.opened and not self.visit.gone:
            self.replay, self.ply = found, found.last
            self.view.show_replay()

    def go(self, to: object) -> None:
        """To a ply of the game that is replayed."""
        if self.replay is None or not isinstance(to, (int, float)) or isinstance(to, bool) or to != to:
            return
        ply = int(min(max(to, 0), self.replay.last))
        if ply != self.ply:
            self.ply = ply
            self.view.show_ply()
