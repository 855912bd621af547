"""The tree of a position of any game, for the lecture page: plain Python, which for some games is not quick."""

from __future__ import annotations

from typing import Any

from zermelo.interfaces.studio.catalogue import Entry
from zermelo.interfaces.studio.pages.lecture.trees import as_json, from_game
from zermelo.interfaces.studio.tasks import Message, Tell


def lecture(message: Message, tell: Tell) -> dict[str, Any]:
    """{"tree": …} of the game "game" below "position" (its start if empty), "plies" deep."""
    game = Entry("", str(message["game"])).load()
    tell({"began": True})
    return {"tree": as_json(from_game(game, str(message["position"]) or None, int(message["plies"])))}
