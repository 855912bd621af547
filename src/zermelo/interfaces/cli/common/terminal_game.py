"""A game in the terminal: the board, the moves, and the words that are not moves.

The game is kept in a file after every move (one line of JSON, as in zermelo.arena.records), so whatever ends the
session, an end of input, Ctrl-C or a closed window, nothing is lost.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from zermelo.arena import records
from zermelo.arena.session import GameSession
from zermelo.core.files import given_path, need_plain, read_plain, reason, user_folder, write_atomically
from zermelo.core.game import CHANCE, Game, GameError
from zermelo.core.history import History
from zermelo.core.words import count
from zermelo.interfaces.cli.common.console import complain, say, working
from zermelo.interfaces.cli.common.interrupts import patiently
from zermelo.players.human import read_move
from zermelo.players.player import Player

HELP = """moves         the legal moves
undo          take back your last move, and what came after it
hint          what the best search here would play
save FILE     keep the game in a file
load FILE     go on with the game in a file
board         draw the board again
resign        give the game up
quit          leave; zermelo play … --resume goes on with it"""


def last_game() -> Path:
    """Where the last game is kept that nobody named a file for."""
    return user_folder("XDG_STATE_HOME", ".local/state") / "zermelo" / "last-game.jsonl"


def read_game(path: Path, game: Game[Any, Any]) -> tuple[History[Any, Any], records.Record]:
    """The last game in a file of records, if it is one of `game`."""
    if not path.exists():
        raise GameError(f"there is no game in '{path}'")
    found = records.read(path)
    if not found:
        raise GameError(f"there is no game in '{path}'")
    record = found[-1]
    if not is_of(record, game):
        raise GameError(
            f"'{path}' holds a game of {record['game']} with other options or another name than {game.name}"
        )
    return records.replay({**record, "reason": "unfinished"}, game), record


def need_replaceable(path: Path, game: Game[Any, Any]) -> None:
    """Refuse to write a game over anything but one game of the same kind, such as this one as it was kept before."""
    need_plain(path)
    if not path.exists() or not path.stat().st_size:
        return
    try:
        found = records.read(path)
        ours = len(found) == 1 and is_of(found[0], game) and read_plain(path).endswith(b"\n")
    except GameError:
        found, ours = [], False
    if not ours:
        what = count(len(found), "game") if len(found) > 1 else f"something else than a game of {game.name}"
        raise GameError(f"'{path}' holds {what}, and is left as it is; take another name")


def is_replaceable(path: Path, game: Game[Any, Any]) -> bool:
    try:
        need_replaceable(path, game)
    except GameError:
        return False
    return True


def is_of(record: records.Record, game: Game[Any, Any]) -> bool:
    """Is it a record of this game, with these options?"""
    other = records.game_of(record)
    return other.name == game.name and getattr(other, "options", None) == getattr(game, "options", None)


class Leave(Exception):  # noqa: N818  nothing is wrong
    """Somebody wants to leave."""


class TerminalGame:
    """A person's session at the terminal. `players[p]` sits in seat p."""

    def __init__(
        self, game: Game[Any, Any], players: list[Player], *, seed: int | None = None,
        position: str | None = None, origin: str = "", options: dict[str, Any] | None = None,
        save_to: Path | None = None, must_save: bool = False, ask: Callable[[str], str] = input,
    ):  # fmt: skip
        self.game = game
        self.players = players
        names = [player.name for player in players]
        self.session = GameSession(game, names, position=position, seed=seed, origin=origin, options=options)
        self._save_to, self._must_save = save_to or last_game(), must_save
        self._ours = {last_game()}  # files that may be written over
        self._is_warned = False
        self._ask = ask

    @property
    def history(self) -> History[Any, Any]:
        return self.session.history

    def take_over(self, history: History[Any, Any], record: records.Record) -> None:
        """Go on with a game from a file; its dice go on too."""
        self.session.adopt(history, record)

    # -- the game ------------------------------------------------------------------------------------------------------

    def run(self) -> None:
        if self._must_save:  # what cannot be written is told now
            self._keep()
        say(self.game.text(self.history.state))
        try:
            while not self.session.is_over:
                self._turn()
        except (EOFError, Leave) as why:
            say("\nended" if isinstance(why, EOFError) else "ended")  # after the prompt, where nobody pressed Return
            return
        say(self.session.result())
        self._keep()

    def _turn(self) -> None:
        seat = self.history.player()
        if seat == CHANCE:
            self._play("chance", self.session.roll())
        elif self.players[seat].is_human:
            self._listen(seat)
        else:
            self._play(f"player {seat} ({self.players[seat].name})", self._think(self.players[seat]))

    def _think(self, player: Player) -> Any:
        player.begin()
        return patiently(lambda: player.choose(self.history), player.stop)

    def _play(self, who: str, action: Any) -> None:
        text = self.game.format_action(self.history.state, action)
        self.history.play(action)
        self._keep()
        say(f"{who}: {text}")
        if self.history.player() != CHANCE:  # else it is drawn with the dice
            say(self.game.text(self.history.state))

    # -- people --------------------------------------------------------------------------------------------------------

    def _listen(self, seat: int) -> None:
        typed = self._ask(f"player {seat}: ").strip()
        word, _, rest = typed.partition(" ")
        command = (
            getattr(self, f"_on_{word.lower()}", None) if word.isalpha() else self._on_help if word == "?" else None
        )
        try:
            if not typed:
                return
            if command is not None:
                command(seat, rest.strip())
            else:
                self._play(f"player {seat}", read_move(self.history, typed))
        except GameError as problem:
            complain(str(problem) + ("" if command else " (help shows what else can be typed)"))

    def _on_help(self, seat: int, rest: str) -> None:
        say("a move, as it is listed by moves, or:\n" + HELP)

    def _on_moves(self, seat: int, rest: str) -> None:
        s = self.history.state
        say("  ".join(self.game.format_action(s, a) for a in self.history.actions()))

    def _on_board(self, seat: int, rest: str) -> None:
        say(self.game.text(self.history.state))

    def _on_undo(self, seat: int, rest: str) -> None:
        """Back to where a person chose the last time: past dice and programs."""
        self.session.take_back(lambda seat: self.players[seat].is_human)
        self._keep()
        say(self.game.text(self.history.state))

    def _on_hint(self, seat: int, rest: str) -> None:
        from zermelo.players.level import best_player

        adviser = best_player(self.game, 1.0)
        try:
            with working("thinking"):
                adviser.prepare()
                action = self._think(adviser)
        finally:
            adviser.close()
        report = adviser.report
        line = f", value {report.value:+.3f}: {report.pv_text()}" if report is not None else ""
        say(f"hint: {self.game.format_action(self.history.state, action)}{line}")

    def _on_save(self, seat: int, rest: str) -> None:
        if not rest:
            raise GameError("say where, as in: save game.jsonl")
        self._write(given_path(rest))
        say(f"saved to {rest}")

    def _on_load(self, seat: int, rest: str) -> None:
        if not rest:
            raise GameError("say from where, as in: load game.jsonl")
        self.take_over(*read_game(given_path(rest), self.game))
        self._keep()
        say(self.game.text(self.history.state))

    def _on_resign(self, seat: int, rest: str) -> None:
        self.session.resigned = seat

    def _on_quit(self, seat: int, rest: str) -> None:
        raise Leave

    # -- the file ------------------------------------------------------------------------------------------------------

    def _keep(self) -> None:
        try:
            self._save_to.parent.mkdir(parents=True, exist_ok=True)
            self._write(self._save_to)
        except (OSError, GameError) as problem:
            if self._must_save:
                raise GameError(f"the game cannot be kept: {reason(problem)}") from None
            if not self._is_warned:
                complain(f"the game goes on, but it cannot be kept: {reason(problem)}")
            self._is_warned = True

    def _write(self, path: Path) -> None:
        """The whole file at once, over nothing but a game of the same kind: there is always one whole game."""
        if path not in self._ours:
            need_replaceable(path, self.game)
        write_atomically(path, f"{json.dumps(self.session.record(), ensure_ascii=False)}\n".encode())
        self._ours.add(path)
