"""`zermelo games`: what there is to play."""

from __future__ import annotations

from dataclasses import asdict

from zermelo.core.words import count
from zermelo.interfaces.cli.common.console import print_json, say, stdout
from zermelo.interfaces.cli.common.loading import AsJson


def games(as_json: AsJson = False) -> None:
    """List the games that come with zermelo."""
    from zermelo.interfaces.cli.common.catalogue import Entry, catalogue

    entries = catalogue()
    if as_json:
        print_json([asdict(entry) for entry in entries])
        return
    width = max(len(entry.name) for entry in entries)
    room = stdout().width - width - len("  players  chance  ") if stdout().is_terminal else None

    def row(entry: Entry) -> str:
        players = "varies" if entry.players is None else str(entry.players)
        chance = {True: "yes", False: "", None: "varies"}[entry.chance]
        return f"{entry.name:{width}}  {players:>7}  {chance:6}  {_cut(entry.description, room)}".rstrip()

    say(f"{'game':{width}}  players  chance  what it is", "bold")
    for entry in entries:
        say(row(entry))
    say(f"\n{count(len(entries), 'game')}. Their options: zermelo games --json, given as --option key=value.", "dim")


def _cut(text: str, room: int | None) -> str:
    return text if room is None or len(text) <= room else text[: max(room - 1, 0)] + "…"
