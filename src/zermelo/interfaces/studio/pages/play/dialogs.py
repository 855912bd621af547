"""The Play page's dialogs: a position, a game record, a variant; to copy, to paste, to download."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from nicegui import run, ui

from zermelo.arena.export import export, formats_of
from zermelo.core.game import GameError
from zermelo.interfaces.studio.pages.play.table import LONGEST_TEXT
from zermelo.interfaces.studio.shell import complain

if TYPE_CHECKING:
    from zermelo.interfaces.studio.pages.play.page import PlayPage

COPY = "() => navigator.clipboard && navigator.clipboard.writeText({})"


def _copy(text: str) -> None:
    ui.clipboard.write(text)
    ui.notify("copied", position="top", timeout=1000)


def edit_position(page: PlayPage) -> None:
    """The position as text; another one may be pasted."""
    table = page.table
    text = table.game.format(table.history.states[table.here])
    with ui.dialog() as dialog, ui.card().classes("z-card w-full"):
        ui.label("Position").classes("text-lg")
        ui.label("Copy it, or paste another and play from there.").classes("text-sm z-muted")
        box = ui.textarea(value=text).classes("w-full z-mono").props(f"outlined autogrow maxlength={LONGEST_TEXT}")
        box.props('data-testid="position-text"')

        async def take() -> None:
            session = table.session
            if await page.begin(table.entry.title, session.options, list(session.players), box.value):
                dialog.close()

        with ui.row():
            ui.button("copy", on_click=lambda: _copy(box.value)).props("flat no-caps")
            ui.button("play from here", on_click=take).props('unelevated no-caps data-testid="position-take"')
            ui.button("close", on_click=dialog.close).props("flat no-caps")
    dialog.open()


def edit_record(page: PlayPage) -> None:
    """The game so far; another may be pasted, or this one downloaded."""
    table = page.table
    session = table.session
    name = table.game.name
    own = json.dumps({**session.record(), "game": table.entry.title}, ensure_ascii=False)
    texts: dict[str, str] = {"record": own}
    for format in formats_of(table.game):
        try:
            texts[format] = export(session.history, format, session.players)
        except GameError as problem:  # the library that writes it is not installed
            texts[format] = str(problem)
    with ui.dialog() as dialog, ui.card().classes("z-card w-full"):
        ui.label("Game record").classes("text-lg")
        ui.label("Copy or download it; or paste a record (one line of JSON) and go on with that game.").classes(
            "text-sm z-muted"
        )
        kind = ui.toggle(list(texts), value="record").props("dense no-caps")
        box = ui.textarea(value=own).classes("w-full z-mono text-xs").props(f"outlined maxlength={LONGEST_TEXT}")
        box.props('data-testid="record-text" rows=8')
        kind.on_value_change(lambda e: box.set_value(texts[e.value]))

        async def take() -> None:
            try:
                record = table.read_record(box.value or "")
                await run.io_bound(table.take_record, record)
            except GameError as problem:
                complain(problem)
                return
            dialog.close()
            page.changed(seats=True)

        def download() -> None:
            ending = {"record": "jsonl"}.get(kind.value, kind.value)
            ui.download.content(texts[kind.value] + "\n", f"{name}.{ending}")

        with ui.row():
            ui.button("copy", on_click=lambda: _copy(box.value)).props("flat no-caps")
            ui.button("download", on_click=download).props("flat no-caps")
            ui.button("go on with this", on_click=take).props('unelevated no-caps data-testid="record-take"')
            ui.button("close", on_click=dialog.close).props("flat no-caps")
    dialog.open()


def choose_variant(page: PlayPage) -> None:
    """Another variant of the same game: its parameters, with their defaults."""
    table = page.table
    parameters = table.entry.parameters
    if not parameters:
        ui.notify(f"{table.game.name} has one variant only", position="top")
        return
    chosen: dict[str, Any] = {}
    present = {**parameters, **table.session.options}
    with ui.dialog() as dialog, ui.card().classes("z-card"):
        ui.label(f"A variant of {table.game.name}").classes("text-lg")
        for name, default in parameters.items():
            chosen[name] = _field(name, default, present[name])

        async def take() -> None:
            options = {name: _read(parameters[name], field.value) for name, field in chosen.items()}
            options = {name: value for name, value in options.items() if value != parameters[name]}
            if await page.begin(table.entry.title, options):
                dialog.close()

        with ui.row():
            ui.button("play", on_click=take).props('unelevated no-caps data-testid="variant-take"')
            ui.button("close", on_click=dialog.close).props("flat no-caps")
    dialog.open()


def _field(name: str, default: Any, value: Any) -> Any:
    if isinstance(default, bool):
        return ui.switch(name, value=value)
    if isinstance(default, int | float):
        return ui.number(name, value=value).props("dense outlined")
    return ui.input(name, value="" if value is None else str(value)).props("dense outlined").classes("w-64")


def _read(default: Any, value: Any) -> Any:
    """What a field holds, as the parameter wants it; the rules say what is wrong with it."""
    if isinstance(default, bool) or value is None:
        return default if value is None else bool(value)
    if isinstance(default, int) and isinstance(value, int | float):
        return int(value)
    if isinstance(default, str) or default is None:
        return (str(value) or None) if default is None else str(value)
    return value
