"""Runs mutants through doors, each in a process of its own, and says what came of it.

The program imports everything once and then forks: a child changes into an empty folder, runs one command line there as
`zermelo` itself would, and ends. So a crash, a hang and what was said belong to one mutant and one door.

    ok         done, or `check` found nothing
    faults     `check` found something
    sentence   refused, in one line
    warned     done, with something said on the way that is no sentence about the game     (looked at, not counted)
    internal   an exception of the program's own, told in one line        ┐
    babble     more than one line, a traceback, or nothing at all         │ what must not happen
    crash      ended by a signal                                         │
    hang       not ended in time                                          ┘
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import resource
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.fuzz.doors import DOORS, Door, run_batch
from tests.fuzz.mutants import mutant

BAD = ("internal", "babble", "crash", "hang")
MEMORY = 12 << 30  # bytes of address space more for a child: rules that ask for more get no answer but a sentence
GAME = "game.py"
POLL = 0.01
# Seconds, looks and looks at a kernel until rules never come back, not 4, 10 and 25: one mutant in fifty has such.
LOOPING = (1.5, 4, 10)
FEW = 4  # words are no sentence
EXCEPTION = re.compile(r"^zermelo: (\w+(?:Error|Exception|Warning|Iteration)\b|Python's)")


@dataclass
class Job:
    number: int
    door: Door
    folder: Path
    pid: int = 0
    began: float = 0.0


@dataclass
class Run:
    """One run of the fuzzer, and what it has found so far."""

    folder: Path
    seed: int
    count: int
    seconds: float
    jobs: int
    doors: list[str] = field(default_factory=lambda: list(DOORS))
    first: int = 0
    outcomes: Counter[tuple[str, str]] = field(default_factory=Counter)
    spent: Counter[str] = field(default_factory=Counter)
    done: set[tuple[int, str]] = field(default_factory=set)

    @property
    def log(self) -> Path:
        return self.folder / f"results-{self.seed}.jsonl"

    def read_log(self) -> None:
        """What earlier runs in this folder found."""
        for line in self.log.read_text().splitlines() if self.log.exists() else []:
            row = json.loads(line)
            self._count(row["number"], row["door"], row["outcome"], row["seconds"])

    def _count(self, number: int, door: str, outcome: str, seconds: float) -> None:
        self.outcomes[door, outcome] += 1
        self.spent[door] += seconds
        self.done.add((number, door))

    # -- what is next ----------------------------------------------------------------------------------------------

    def pending(self) -> Iterator[tuple[int, str]]:
        """Mutants and doors: always for the door that has had the least of its share of the time."""
        left = {door: self._left(door) for door in self.doors}
        while left:
            door = min(left, key=lambda name: self.spent[name] / DOORS[name].share)
            number = next(left[door], None)
            if number is None:
                del left[door]
            else:
                self.spent[door] += 0.01  # else the doors that are begun together are all the same one
                yield number, door

    def _left(self, door: str) -> Iterator[int]:
        return (n for n in range(self.first, self.count) if (n, door) not in self.done)

    def go(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        self.read_log()
        import_all()
        until = time.monotonic() + self.seconds
        work = self.pending()
        running: list[Job] = []
        with self.log.open("a") as log:
            more = True
            while more or running:
                more = more and time.monotonic() < until
                while more and len(running) < self.jobs:
                    number, door = next(work, (-1, ""))
                    more = number >= 0
                    if more:
                        running.append(self._begin(number, DOORS[door]))
                for job in list(running):
                    ended = self._ended(job)
                    if ended is not None:
                        running.remove(job)
                        self._finish(job, ended, log)
                time.sleep(POLL)

    # -- one of them -----------------------------------------------------------------------------------------------

    def _begin(self, number: int, door: Door) -> Job:
        job = Job(number, door, Path(tempfile.mkdtemp(prefix="fuzz-")))
        (job.folder / GAME).write_text(mutant(self.seed, number).file())
        sys.stdout.flush()
        sys.stderr.flush()
        job.began = time.monotonic()
        job.pid = os.fork()
        if job.pid == 0:
            run_child(job)
        return job

    def _ended(self, job: Job) -> int | None:
        """The exit code, negative for a signal; None while it goes on. What takes too long is ended, as -1000."""
        pid, status = os.waitpid(job.pid, os.WNOHANG)
        if pid:
            return os.waitstatus_to_exitcode(status)
        busy = min(3.0, max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1)))
        if time.monotonic() - job.began < job.door.patience * busy:
            return None
        os.killpg(job.pid, signal.SIGKILL)
        os.waitpid(job.pid, 0)
        return -1000

    def _finish(self, job: Job, code: int, log: object) -> None:
        seconds = time.monotonic() - job.began
        said = (job.folder / "said").read_text(errors="replace") if (job.folder / "said").exists() else ""
        outcome = judge(code, said, job.door)
        row = {"number": job.number, "door": job.door.name, "outcome": outcome, "seconds": round(seconds, 3)}
        row["said"] = said.rstrip().rpartition("\n")[2][:160] if outcome == "sentence" else ""
        print(json.dumps(row), file=log, flush=True)  # type: ignore[call-overload]
        self._count(job.number, job.door.name, outcome, seconds)
        if outcome in BAD:
            name = f"{outcome}-{job.door.name}-{job.number}"
            told = "\n".join(f"# {line}" for line in [f"exit {code}", *said.splitlines()[-40:]])
            command = " ".join(job.door.arguments).replace("GAME", f"{name}.py")
            text = f"# zermelo {command}\n{told}\n{mutant(self.seed, job.number).file()}"
            (self.folder / f"{name}.py").write_text(text)
        shutil.rmtree(job.folder, ignore_errors=True)

    def summary(self) -> str:
        kinds = sorted({outcome for _, outcome in self.outcomes})
        lines = ["".join(f"{word:>10}" for word in ("door", *kinds, "all", "s each"))]
        for door in self.doors:
            counts = [self.outcomes[door, kind] for kind in kinds]
            each = self.spent[door] / max(1, sum(counts))
            lines.append("".join(f"{word:>10}" for word in (door, *counts, sum(counts), f"{each:.2f}")))
        bad = sum(n for (_, outcome), n in self.outcomes.items() if outcome in BAD)
        mutants = len({number for number, _ in self.done})
        return "\n".join([*lines, f"{mutants:,} mutants, {len(self.done):,} runs, {bad} that must not happen"])

    @property
    def is_clean(self) -> bool:
        return not any(outcome in BAD for _, outcome in self.outcomes)


def import_all() -> None:
    """Once for all children: the compiler, and what the doors need. No thread may be left when they are forked."""
    import zermelo.batch.batch
    import zermelo.check.records
    import zermelo.interfaces.cli.app
    import zermelo.interfaces.cli.check
    import zermelo.interfaces.cli.perft
    import zermelo.interfaces.cli.search
    import zermelo.interfaces.cli.train
    import zermelo.learn.train
    import zermelo.search.alphabeta
    import zermelo.search.mcts
    import zermelo.search.registry  # noqa: F401
    from zermelo.interfaces.cli import main

    with contextlib.redirect_stderr(io.StringIO()):  # what is imported by the way, such as typer's own needs
        main(["check", "--games", "none"])
    for thread in threading.enumerate():  # those that listen for Ctrl-C have been told to end
        if thread is not threading.main_thread():
            thread.join()


def address_space() -> int:
    """Bytes that this process has mapped already: on some machines libraries alone take more than MEMORY."""
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


def run_child(job: Job) -> None:
    """Never returns."""
    code = 70
    try:
        os.setsid()
        os.chdir(job.folder)
        os.environ["ZERMELO_CACHE"] = str(job.folder / "cache")
        os.environ["MALLOC_PERTURB_"] = "165"
        said = os.open("said", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(said, 1)
        os.dup2(said, 2)
        limit = MEMORY + address_space()
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        from zermelo.check import states
        from zermelo.compile import watchdog
        from zermelo.interfaces.cli import main

        states.PATIENCE, watchdog.LOOKS, watchdog.STILL = LOOPING
        words = [GAME if word == "GAME" else word for word in job.door.arguments]
        sys.argv = ["zermelo", *words]
        code = run_batch(GAME) if words[0] == "batch" else main()
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else 70
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def judge(code: int, said: str, door: Door) -> str:
    """What came of it, from the exit code and everything that was said."""
    if code == -1000:
        return "hang"
    if code < 0:
        return "crash"
    if "Traceback (most recent call last)" in said:
        return "babble"
    complaints = [line for line in said.splitlines() if line.startswith("zermelo: ")]
    if code == 0:
        return "warned" if complaints else "ok"
    if code == 1 and "check" in door.arguments[0]:
        return "faults"
    if code != 2 or len(complaints) != 1 or said.rstrip().splitlines()[-1] != complaints[0]:
        return "babble"
    if EXCEPTION.match(complaints[0]) and GAME not in complaints[0]:
        return "internal"
    return "sentence" if len(complaints[0].split()) > FEW else "babble"
