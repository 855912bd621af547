"""GNU Backgammon as a player, and as a judge of plays: another program, in a process of its own.

    board:You:They:…:3:1:…  (a FIBS board, dice rolled)           →   8/5 6/5              the play it finds best
    evaluation fibsboard board:You:They:…:0:0:… plies 2 prune on  →   0.525 0.149 … 0.076  the last: cubeless equity

It is spoken to through its interface for external controllers, on a socket in a folder that is removed as soon as the
connection stands: when we end, however that happens, it cannot listen again, and ends too. (Its Python functions
`evaluate` and `findbestmove` look only every 10 ms whether they are done; through the socket a play at 0 plies takes a
small part of that.) Everything is cubeless money play, and gammons count: no cube, no Jacoby rule. `noise` blurs what
the player sees, not the judge: each of the five probabilities of a position, the same way whenever it is asked.

For any game whose file offers `fibs(s)`, a position as a FIBS board, and which reads plays such as `8/5 6/5`.

Reference: https://www.gnu.org/software/gnubg/, its commands `external` and `set evaluation`.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
import weakref
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path
from typing import Any

from zermelo.core.game import OVER, Game, GameError
from zermelo.players.engines.program import START, find_engine
from zermelo.players.player import Player, as_history

CLOSE, MOST = 0.16, 8  # looked at more closely: at most 8 plays, within 0.16 points of the best (its own habit)
SETTINGS = """\
set jacoby off
set evaluation chequerplay evaluation plies {plies}
set evaluation chequerplay evaluation cubeful off
set evaluation chequerplay evaluation noise {noise}
set evaluation chequerplay evaluation prune on
external {socket}
"""


class Process:
    """The program and the line to it. Whatever goes wrong ends it."""

    def __init__(self, command: str, plies: int, noise: float, patience: float):
        self.patience = patience
        folder = Path(tempfile.mkdtemp(prefix="gnubg-"))
        try:
            self.process = _start(command, plies, noise, folder)
            line = socket.socket(socket.AF_UNIX)
            self._finalizer = weakref.finalize(self, _end, self.process, line)  # also when Python ends
            self._connect(line, folder)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        line.settimeout(patience)
        self._line = line
        self._file = line.makefile("r", encoding="ascii", errors="replace", newline="\n")

    def _connect(self, line: socket.socket, folder: Path) -> None:
        """It takes some tenths of a second until it listens."""
        end = time.monotonic() + START
        while True:
            try:
                line.connect(str(folder / "socket"))
                return
            except OSError:
                if self.process.poll() is not None:
                    said = [words for words in (folder / "said").read_text(errors="replace").splitlines() if words]
                    raise self._gone(f": {said[-1]}" if said else "") from None
                if time.monotonic() > end:
                    self.end()
                    raise GameError(f"GNU Backgammon was not ready within {START:g} seconds") from None
                time.sleep(0.01)

    def ask(self, question: str) -> str:
        """The line it answers."""
        try:
            self._line.sendall(question.encode() + b"\n")
            answer = self._file.readline()
        except TimeoutError:
            self.end()
            raise GameError(f"GNU Backgammon gave no answer within {self.patience:g} seconds") from None
        except (OSError, ValueError):
            answer = ""
        if not answer:
            raise self._gone()
        return answer.strip()

    def _gone(self, words: str = "") -> GameError:
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(1)
        code = self.process.poll()
        self.end()
        return GameError("GNU Backgammon ended" + ("" if code is None else f" with exit code {code}") + words)

    @property
    def is_running(self) -> bool:
        return self._finalizer.alive and self.process.poll() is None

    def end(self) -> None:
        self._finalizer()


def _start(command: str, plies: int, noise: float, folder: Path) -> subprocess.Popen[bytes]:
    """It reads nobody's settings, keeps its own in `folder`, and answers in plain English numbers."""
    (folder / "commands").write_text(SETTINGS.format(plies=plies, noise=f"{noise:.6f}", socket=folder / "socket"))
    arguments = [command, "--tty", "--quiet", "--no-rc", f"--prefsdir={folder}", f"--commands={folder / 'commands'}"]
    try:
        with (folder / "said").open("wb") as said:
            return subprocess.Popen(
                arguments,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=subprocess.STDOUT,
                env={**os.environ, "LC_ALL": "C"},
            )
    except OSError as problem:
        raise GameError(f"{command} cannot be started: {problem.strerror or problem}") from None


def _end(process: subprocess.Popen[bytes], line: socket.socket) -> None:
    """Hang up: it ends by itself, and has half a second for that."""
    with suppress(OSError):
        line.shutdown(socket.SHUT_RDWR)
    line.close()
    with suppress(subprocess.TimeoutExpired):
        process.wait(0.5)
    if process.poll() is None:
        process.kill()
    process.wait()


class Gnubg(Player):
    """Asks GNU Backgammon. It remembers nothing from question to question, so the same question has one answer."""

    def __init__(
        self,
        game: Game[Any, Any],
        name: str,
        plies: int = 0,
        noise: float = 0.0,
        command: str = "gnubg",
        patience: float = 60.0,
    ):
        super().__init__(game, name)
        write = game.hook("fibs")
        if write is None:
            raise GameError(f"{game.name} has no positions that GNU Backgammon would understand")
        self._write: Callable[[Any], str] = write
        self._plies = plies
        self._noise = noise
        self._patience = patience
        self._command = find_engine(command, "install gnubg, or give its path, as in gnubg:command=/path/to/gnubg")
        self._process: Process | None = None

    def prepare(self) -> None:
        """Start the program."""
        self.close()
        self._process = Process(self._command, self._plies, self._noise, self._patience)

    def _ask(self, question: str) -> str:
        if self._process is None or not self._process.is_running:
            self.prepare()
        assert self._process is not None
        return self._process.ask(question)

    def choose(self, position: Any) -> Any:
        history = as_history(self.game, position)
        s, actions = history.state, history.actions()
        if len(actions) == 1:
            return actions[0]
        said = self._ask(self._write(s))
        try:
            return self.game.parse_action(s, said)
        except GameError:
            raise GameError(f"GNU Backgammon answered '{said}', which is no move here") from None

    def equity(self, s: Any, plies: int) -> float:
        """The points a game that whoever is to roll in `s` can expect, looking `plies` plies ahead."""
        said = self._ask(f"evaluation fibsboard {self._write(s)} plies {plies} prune on")
        try:
            *_, equity = map(float, said.split())
        except ValueError:
            raise GameError(f"GNU Backgammon answered '{said}', which is no evaluation") from None
        return equity

    def values(self, position: Any, also: Collection[Any] = ()) -> dict[Any, float]:
        """What plays are worth to whoever has rolled: those that at 0 plies look close to the best, and `also`."""
        history = as_history(self.game, position)
        s, player = history.state, history.player()
        after = {a: self.game.succ(s, a) for a in history.actions()}
        values = {a: self._worth(t, player, 0) for a, t in after.items()}
        if self._plies == 0:
            return values
        ranked = sorted(values, key=values.__getitem__, reverse=True)
        close = [a for a in ranked[:MOST] if values[a] >= values[ranked[0]] - CLOSE]
        return {a: self._worth(after[a], player, self._plies) for a in dict.fromkeys([*close, *also])}

    def _worth(self, after: Any, player: int, plies: int) -> float:
        if self.game.player(after) == OVER:
            return self.game.utility(after, player)
        return -self.equity(after, plies)  # the other one is to roll

    def kind(self, position: Any) -> str:
        """What sort of position it is: one in which the sides can still meet, or a race."""
        board = [int(n) for n in self._write(as_history(self.game, position).state).split(":")[6:32]]
        mine = max(i for i, n in enumerate(board) if n > 0)  # the bar is 25 …
        theirs = min(i for i, n in enumerate(board) if n < 0)  # … or, for the opponent, 0
        return "contact" if theirs < mine else "race"

    def close(self) -> None:
        if self._process is not None:
            self._process.end()
            self._process = None
