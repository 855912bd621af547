"""The Play page's dialogs: a position, a game record, a variant; to copy, to paste, to download."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from nicegui import ui

from zermelo.arena.export import export, formats_of
from zermelo.core.game import GameError
from zermelo.interfaces.studio.pages.play.played_game import LONGEST_TEXT

if TYPE_CHECKING:
    from zermelo.interfaces.studio.pages.play.controller import Controller


def _copy(text: str) -> None:
    ui.clipboard.write(text)
    ui.notify("copied", position="top", timeout=1000)


def edit_position(controller: Controller) -> None:
    """The position as text; another one may be pasted."""
    played = controller.played
    text = played.game.format(played.history.states[played.here])
    with ui.dialog() as dialog, ui.card().classes("z-card w-full"):
        ui.label("Position").classes("text-lg")
        ui.label("Copy it, or paste another and play from there.").classes("text-sm z-muted")
        box = ui.textarea(value=text).classes("w-full z-mono").props(f"outlined autogrow maxlength={LONGEST_TEXT}")
        box.props('data-testid="position-text"')

        async def take() -> None:
            if await controller.begin_again(box.value):
                dialog.close()

        with ui.row():
            ui.button("copy", on_click=lambda: _copy(box.value)).props("flat no-caps")
            ui.button("play from here", on_click=take).props('unelevated no-caps data-testid="position-take"')
            ui.button("close", on_click=dialog.close).props("flat no-caps")
    dialog.open()


def edit_record(controller: Controller) -> None:
    """The game so far; another may be pasted, or this one downloaded."""
    played = controller.played
    session, name = played.session, played.game.name
    own = json.dumps({**session.record(), "game": played.entry.title}, ensure_ascii=False)
    texts: dict[str, str] = {"record": own}
    for format in formats_of(played.game):
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
            if await controller.take_record(box.value or ""):
                dialog.close()

        def download() -> None:
            ending = {"record": "jsonl"}.get(kind.value, kind.value)
            ui.download.content(texts[kind.value] + "\n", f"{name}.{ending}")

        with ui.row():
            ui.button("copy", on_click=lambda: _copy(box.value)).props("flat no-caps")
            ui.button("download", on_click=download).props("flat no-caps")
            ui.button("go on with this", on_click=take).props('unelevated no-caps data-testid="record-take"')
            ui.button("close", on_click=dialog.close).props("flat no-caps")
    dialog.open()


def choose_variant(controller: Controller) -> None:
    """Another variant of the same game: its parameters, with their defaults."""
    played = controller.played
    parameters = played.entry.parameters
    if not parameters:
        ui.notify(f"{played.game.name} has one variant only", position="top")
        return
    chosen: dict[str, Any] = {}
    present = {**parameters, **played.session.options}
    with ui.dialog() as dialog, ui.card().classes("z-card"):
        ui.label(f"A variant of {played.game.name}").classes("text-lg")
        for name, default in parameters.items():
            chosen[name] = _field(name, default, present[name])

        async def take() -> None:
            options = {name: _read(parameters[name], field.value) for name, field in chosen.items()}
            options = {name: value for name, value in options.items() if value != parameters[name]}
            if await controller.begin(played.entry.title, options):
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
