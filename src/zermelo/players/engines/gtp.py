"""A GTP engine as a player: another program, in a process of its own.

    boardsize 9, komi 7.5, clear_board        what the game's `gtp_setup(s)` says a game from `s` begins with
    play b D4                                 every move that the engine does not know yet, as `gtp(s, a)` writes it
    genmove w   →   = F5                      its own

For any game whose file offers these two. The engine is told a game's moves as they come; where a game does not go on
from what it was told, it is set up anew. An engine that dies, hangs, refuses or answers nonsense is told of in one
sentence, and started again for the next game. It plays to the end: one that resigns is to be told not to, by its
`arguments`.

Reference: G. Farnebäck, Specification of the Go Text Protocol, version 2, 2002.
"""

from __future__ import annotations

import shlex
from typing import Any

from zermelo.core.game import Game, GameError
from zermelo.core.history import History
from zermelo.players.engines.program import START, Engine, find_engine
from zermelo.players.player import Player, as_history

COLOURS = ("b", "w")  # of players 0 and 1
PASS = " pass"  # where a pass is never a choice, an engine may see to it itself and take none


class GTP(Player):
    """Asks a GTP engine."""

    def __init__(self, game: Game[Any, Any], name: str, command: str, arguments: str = "", patience: float = 60.0):
        super().__init__(game, name)
        write, set_up = game.hook("gtp"), game.hook("gtp_setup")
        if write is None or set_up is None:
            raise GameError(f"{game.name} has no moves that a GTP engine would understand")
        self._write, self._set_up = write, set_up
        self._command = find_engine(command, "give its path, as in gtp:/path/to/engine")
        try:
            self._arguments = shlex.split(arguments)
        except ValueError as problem:
            raise GameError(f"gtp: the arguments '{arguments}' cannot be read: {problem}") from None
        self._patience = patience
        self._engine: Engine | None = None
        self._told: list[str] = []  # commands since the board was cleared

    def prepare(self) -> None:
        """Start the engine."""
        self.close()
        self._engine = Engine(self._command, self._arguments)
        self._ask("protocol_version", START)

    def _ask(self, command: str, patience: float | None = None, may_refuse: bool = False) -> str:
        """What the engine answers to a command."""
        assert self._engine is not None
        self._engine.send(command)
        line, _ = self._engine.wait_for(["=", "?"], self._patience if patience is None else patience)
        if line.startswith("?") and not may_refuse:
            name = self._engine.name
            self.close()  # who knows what it thinks stands on the board
            raise GameError(f"the engine {name} refused '{command}': {line[1:].strip()}")
        return line[1:].strip()

    def choose(self, position: Any) -> Any:
        with self.choosing():
            return self._choose(as_history(self.game, position))

    def _choose(self, history: History[Any, Any]) -> Any:
        if self._engine is None or not self._engine.is_running:
            self.prepare()
        assert self._engine is not None
        player = history.player()
        wanted = [*self._set_up(history.states[0]), *self._moves(history)]
        known = len(self._told)
        if self._told != wanted[:known] or known == 0:
            self._told, known = [], 0
        for command in wanted[known:]:
            self._ask(command, may_refuse=command.endswith(PASS))
            self._told.append(command)
        said = self._ask(f"genmove {COLOURS[player]}")
        legal = {self._write(history.state, a).lower(): a for a in history.actions()}
        if said.lower() not in legal:
            name = self._engine.name
            self.close()
            raise GameError(f"the engine {name} answered '{said}', which is no move here")
        action = legal[said.lower()]
        self._told.append(self._move(player, history.state, action))  # it has played its own move itself
        return action

    def _moves(self, history: History[Any, Any]) -> list[str]:
        moved = zip(history.states, history.moves, strict=False)
        return [self._move(self.game.player(s), s, a) for s, a in moved]

    def _move(self, player: int, s: Any, a: Any) -> str:
        return f"play {COLOURS[player]} {self._write(s, a)}"

    def close(self) -> None:
        self._told = []
        if self._engine is not None:
            self._engine.end()
            self._engine = None
