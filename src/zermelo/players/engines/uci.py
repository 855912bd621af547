"""A UCI engine as a player: another program, in a process of its own.

For any game whose file offers `uci(s, a)` (a move as the protocol writes it, such as e2e4) and whose positions are
written as the engine reads them. An engine that dies, hangs or answers nonsense is told of in one sentence, and started
again for the next game.

Reference: the description of the universal chess interface (UCI), S. Meyer-Kahlen and R. Huber, 2006.
"""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import Any

from zermelo.core.game import Game, GameError
from zermelo.core.history import History
from zermelo.players.engines.program import LONG, START, Engine, find_engine
from zermelo.players.player import Player, as_history


class UCI(Player):
    """Asks a UCI engine."""

    def __init__(
        self,
        game: Game[Any, Any],
        name: str,
        command: str,
        elo: int | None = None,
        seconds: float | None = None,
        depth: int | None = None,
        nodes: int | None = None,
        threads: int | None = None,
        table: int | None = None,
        patience: float = 10.0,
    ):
        super().__init__(game, name)
        write = game.hook("uci")
        if write is None:
            raise GameError(f"{game.name} has no moves that a UCI engine would understand")
        self._write = write
        self._command = find_engine(command)
        self._wanted: dict[str, Any] = {}
        if elo is not None:
            self._wanted |= {"UCI_LimitStrength": "true", "UCI_Elo": elo}
        self._wanted |= {k: v for k, v in (("Threads", threads), ("Hash", table)) if v is not None}
        if seconds is None and depth is None and nodes is None:
            seconds = 1.0
        limits = (("movetime", seconds and max(1, round(1000 * seconds))), ("depth", depth), ("nodes", nodes))
        self._go = "go " + " ".join(f"{word} {value}" for word, value in limits if value is not None)
        self.seconds = seconds
        self._patience = LONG if seconds is None else seconds + patience
        self._engine: Engine | None = None
        self.info = ""  # the engine's last line about its search

    def prepare(self) -> None:
        """Start the engine and tell it what is wanted."""
        engine = self._engine = Engine(self._command)
        engine.send("uci")
        _, told = engine.wait_for(["uciok"], START)
        options = {found[1]: found[2] for line in told if (found := re.match(r"option name (.+?) type (.+)", line))}
        try:
            for name, value in self._wanted.items():
                self._check_option(options, name, value)
                engine.send(f"setoption name {name} value {value}")
        except GameError:
            self.close()
            raise
        engine.send("isready")
        engine.wait_for(["readyok"], START)

    def _check_option(self, options: dict[str, str], name: str, value: Any) -> None:
        if name not in options:
            raise GameError(f"the engine {Path(self._command).name} has no option {name}")
        bounds = re.search(r"min (-?\d+) max (-?\d+)", options[name])
        if bounds and not int(bounds[1]) <= int(value) <= int(bounds[2]):
            raise GameError(
                f"the engine {Path(self._command).name} takes a {name} from {bounds[1]} to {bounds[2]}, not {value}"
            )

    def reset(self, seed: int | None = None) -> None:
        super().reset(seed)
        if self._engine is not None and self._engine.is_running:
            with suppress(GameError):  # what is wrong with it will be told when a move is wanted
                self._engine.send("ucinewgame")
                self._engine.send("isready")
                self._engine.wait_for(["readyok"], START)

    def choose(self, position: Any) -> Any:
        with self.choosing():
            return self._choose(as_history(self.game, position))

    def _choose(self, history: History[Any, Any]) -> Any:
        if self._engine is None or not self._engine.is_running:
            self.prepare()
        assert self._engine is not None
        words = [self._write(s, a) for s, a in zip(history.states, history.moves, strict=False)]
        moves = f" moves {' '.join(words)}" if words else ""
        self._engine.send(f"position fen {self.game.format(history.states[0])}{moves}")
        self._engine.send(self._go)
        if self.is_stopped:  # before it was told to go
            self._engine.send("stop")
        line, told = self._engine.wait_for(["bestmove"], self._patience)
        self.info = next((text for text in reversed(told) if text.startswith("info")), "")
        said = [*line.split(), ""][1]
        legal = {self._write(history.state, a): a for a in history.actions()}
        if said not in legal:
            raise GameError(f"the engine {self._engine.name} answered '{said}', which is no move here")
        return legal[said]

    def pass_stop(self) -> None:
        engine = self._engine
        if engine is not None:
            with suppress(GameError):  # who waits for its answer will tell
                engine.send("stop")

    def close(self) -> None:
        if self._engine is not None:
            self._engine.end()
            self._engine = None
