"""What all pages share: the frame with its menu, the look in light and dark, and the visitor.

    @ui.page("/lecture")
    def lecture() -> None:
        with frame("lecture") as visit:
            …
            answer = await visit.ask("move", {…}, seconds=5, hear=show)     # a search; see pool.py, tasks.py

A `Visit` is one open page. When its visitor leaves, what it had asked for is cancelled.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from typing import ClassVar

from nicegui import app, ui

from zermelo.core.game import GameError
from zermelo.interfaces.studio.bounds import Bounds
from zermelo.interfaces.studio.catalogue import Catalogue
from zermelo.interfaces.studio.pool import News, Pool, Ticket

PAGES = {  # name: (path, what the menu says, icon, a sentence)
    "play": ("/", "Play", "casino", "Play any game, against a person or a program"),
    "inside": ("/inside", "Look inside", "account_tree", "The search of a position, opened up"),
    "lecture": ("/lecture", "Lecture", "school", "Step through the algorithms, one node at a time"),
    "agents": ("/agents", "Agents", "pest_control", "What an agent believes about the others, animated"),
    "arena": ("/arena", "Train & arena", "insights", "Training curves, tournaments, ratings"),
}

PATIENCE = 30.0  # seconds a page may take to be made: the machine may be busy, and three, as usual, be too few
CONNECTS = 30.0  # seconds a browser may take to connect after the page was sent
STYLE = """
:root { --paper: #faf8f4; --card: #ffffff; --ink: #1d2330; --muted: #5d6676; --line: #e2ddd3; --accent: #2d5fa8 }
body.body--dark {
  --paper: #15181e; --card: #1e232b; --ink: #e9ecf2; --muted: #a3adbd; --line: #343b47; --accent: #8ab4f2 }
body { background: var(--paper); color: var(--ink) }
.z-card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 14px; box-shadow: none }
.z-muted { color: var(--muted) } .z-mono { font-family: ui-monospace, 'DejaVu Sans Mono', Menlo, monospace }
.z-header { background: var(--card); color: var(--ink); border-bottom: 1px solid var(--line) }
.z-menu a { color: var(--muted); text-decoration: none; padding: 6px 10px; border-radius: 8px; white-space: nowrap }
.z-menu a.on { color: var(--accent); background: color-mix(in srgb, var(--accent) 12%, transparent); font-weight: 600 }
.z-menu { overflow-x: auto; scrollbar-width: none }
.z-page { width: 100%; max-width: 1280px; margin: 0 auto; padding: 14px; gap: 14px }
.z-board { width: 100%; touch-action: manipulation; user-select: none; -webkit-user-select: none }
.z-board svg { width: 100%; height: auto; max-height: min(66vh, 720px); display: block; margin: 0 auto }
.z-board [data-at] { cursor: pointer }
.z-board pre { overflow: auto; font-size: 15px; line-height: 1.25 }
.z-scroll { overflow: auto; max-width: 100% } .z-scroll svg { max-width: none }
body.body--dark .zb .label { fill: #b9b0a4 }
.nicegui-content { padding: 0 }
"""


class Studio:
    """What one server has: set when it starts."""

    bounds: Bounds = Bounds()
    catalogue: Catalogue
    pool: Pool
    first: str = ""  # the game a new visitor finds
    checks: ClassVar[dict[str, News]] = {}  # what was found out about games of the user's own, by title
    runs: str = "."  # folder whose training runs and match records the arena page shows


class Visit:
    """One open page: its visitor's searches, which end when the visitor leaves."""

    def __init__(self) -> None:
        self.client = ui.context.client
        self.tickets: list[Ticket] = []
        self.gone = False
        self.client.on_delete(self.leave)

    def submit(
        self,
        task: str,
        message: News,
        *,
        seconds: float,
        hear: Callable[[News], None] = lambda news: None,
        urgent: bool = True,
    ) -> Ticket:
        """Ask for a search; `hear` may touch the page."""
        self.tickets = [ticket for ticket in self.tickets if not ticket.is_done]
        if len(self.tickets) >= Studio.bounds.each:
            raise GameError("this page has asked for enough already; wait for an answer, or stop it")
        if seconds > Studio.bounds.seconds:
            raise GameError(f"a search may take at most {Studio.bounds.seconds:g} s on this page")

        def hear_here(news: News) -> None:
            if not self.gone:
                with self.client:
                    hear(news)

        ticket = Studio.pool.submit(task, message, seconds=seconds, hear=hear_here, urgent=urgent)
        self.tickets.append(ticket)
        return ticket

    async def ask(
        self, task: str, message: News, *, seconds: float, hear: Callable[[News], None] = lambda news: None
    ) -> News:
        """Ask for a search and wait for its answer; a GameError says what went wrong."""
        return await self.submit(task, message, seconds=seconds, hear=hear).result()

    def cancel(self) -> None:
        """Stop everything this page asked for."""
        for ticket in self.tickets:
            ticket.cancel()
        self.tickets = []

    def leave(self) -> None:
        self.gone = True
        self.cancel()


@contextmanager
def frame(name: str) -> Generator[Visit, None, None]:
    """The page around its content; gives the visit."""
    title = PAGES[name][1]
    ui.page_title(f"{title} · zermelo")
    ui.add_css(STYLE)
    dark = ui.dark_mode(app.storage.user.get("dark"))  # None: as the system has it
    visit = Visit()
    with ui.header(elevated=False).classes("z-header items-center no-wrap q-px-md q-py-xs gap-2"):
        ui.link("zermelo", "/").classes("text-lg font-bold no-underline").style("color: var(--ink)")
        with ui.row().classes("z-menu no-wrap gap-1 grow"):
            for key, (target, words, _, _) in PAGES.items():
                ui.link(words, target).classes("on" if key == name else "").props(f'data-testid="menu-{key}"')
        contrast = ui.button(icon="contrast", on_click=lambda: switch(dark)).props("flat round dense")
        contrast.tooltip("light or dark").props('data-testid="contrast"')
    with ui.column().classes("z-page"):
        yield visit


def switch(dark: ui.dark_mode) -> None:
    """From what the system has to dark, to light, to what the system has; kept for this visitor's other pages."""
    dark.value = {None: True, True: False, False: None}[dark.value if isinstance(dark.value, bool) else None]
    app.storage.user["dark"] = dark.value
    ui.notify({None: "as the system", True: "dark", False: "light"}[dark.value], position="top", timeout=800)


async def is_connected() -> bool:
    """Wait until the browser answers, which `app.storage.tab` needs; False if none does (a program read the page)."""
    client = ui.context.client
    with suppress(TimeoutError):
        await client.connected(CONNECTS)
    return client.has_socket_connection


def complain(problem: object) -> None:
    """Say what is wrong, in one sentence."""
    ui.notify(str(problem)[:300], type="warning", position="top", multi_line=True)
