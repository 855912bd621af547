"""What all pages share: the frame with its menu, the look in light and dark, and how a page gets its address."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from typing import Any

from nicegui import app, ui

from zermelo.interfaces.studio.pages import PAGES, Page
from zermelo.interfaces.studio.site import Site
from zermelo.interfaces.studio.visit import Visit

PATIENCE = 30.0  # seconds a page may take to be made: the machine may be busy, and three, as usual, be too few
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
.z-table { border-collapse: collapse }
.z-table td, .z-table th { padding: 3px 10px; text-align: left; white-space: nowrap }
.z-table th { color: var(--muted); font-weight: 500 } .z-table tr + tr td { border-top: 1px solid var(--line) }
.z-table .z-num { text-align: right; font-variant-numeric: tabular-nums }
body.body--dark .zb .label { fill: #b9b0a4 }
.nicegui-content { padding: 0 }
"""


def mount(site: Site, page: Page) -> None:
    """Give a page its address: its function `page` is called with the visit and with what the address says."""
    build: Callable[..., Awaitable[None]]
    build = importlib.import_module(f"zermelo.interfaces.studio.pages.{page.name}.page").page

    async def route(**query: Any) -> None:
        with frame(site, page) as visit:
            await build(visit, **query)

    _, *asked = inspect.signature(build, eval_str=True).parameters.values()
    route.__signature__ = inspect.Signature(asked)  # type: ignore[attr-defined]  # FastAPI reads it
    ui.page(page.path, response_timeout=PATIENCE)(route)


@contextmanager
def frame(site: Site, page: Page) -> Generator[Visit, None, None]:
    """The page around its content; gives the visit."""
    ui.page_title(f"{page.title} · zermelo")
    ui.add_css(STYLE)
    dark = ui.dark_mode(app.storage.user.get("dark"))  # None: as the system has it
    visit = Visit(site)
    with ui.header(elevated=False).classes("z-header items-center no-wrap q-px-md q-py-xs gap-2"):
        ui.link("zermelo", "/").classes("text-lg font-bold no-underline").style("color: var(--ink)")
        with ui.row().classes("z-menu no-wrap gap-1 grow"):
            for other in PAGES:
                link = ui.link(other.title, other.path).classes("on" if other is page else "")
                link.props(f'data-testid="menu-{other.name}"')
        contrast = ui.button(icon="contrast", on_click=lambda: switch(dark)).props("flat round dense")
        contrast.tooltip("light or dark").props('data-testid="contrast"')
    with ui.column().classes("z-page"):
        yield visit


def switch(dark: ui.dark_mode) -> None:
    """From what the system has to dark, to light, to what the system has; kept for this visitor's other pages."""
    dark.value = {None: True, True: False, False: None}[dark.value if isinstance(dark.value, bool) else None]
    app.storage.user["dark"] = dark.value
    ui.notify({None: "as the system", True: "dark", False: "light"}[dark.value], position="top", timeout=800)
