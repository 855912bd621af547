"""The tree of a position of any game, for the lecture page: plain Python, which for some games is not quick."""

from __future__ import annotations

from zermelo.interfaces.studio.catalogue import Entry
from zermelo.interfaces.studio.pages.lecture.trees import as_json, from_game
from zermelo.interfaces.studio.tasks import Job, Message


def unfold(job: Job) -> Message:
    """{"tree": …} of the game "game" below "position" (its start if empty), "plies" deep."""
    game = Entry("", str(job.message["game"])).load()
    job.began()
    return {"tree": as_json(from_game(game, str(job.message["position"]) or None, int(job.message["plies"])))}
