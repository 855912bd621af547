"""Command lines in processes of their own, marked so that whatever they leave behind is found."""

import os
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path

# a test run started in the background ignores Ctrl-C, and its children would inherit that
CALL = (
    "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from zermelo.interfaces.cli import main; sys.exit(main())"
)
MARK = "ZERMELO_TEST_MARK"


class Marked:
    """A `zermelo …` that is running, and all that it starts."""

    def __init__(self, *arguments):
        self.mark = uuid.uuid4().hex
        self.process = subprocess.Popen(
            [sys.executable, "-c", CALL, *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, MARK: self.mark},
        )

    def processes(self):
        """Every process that carries our mark."""
        found = []
        for folder in Path("/proc").iterdir():
            if folder.name.isdigit():
                try:
                    content = (folder / "environ").read_bytes()
                    state = (folder / "stat").read_text().rpartition(")")[2].split()[0]
                except OSError:
                    continue
                if f"{MARK}={self.mark}".encode() in content and state != "Z":
                    found.append(int(folder.name))
        return found

    def workers(self):
        return [pid for pid in self.processes() if pid != self.process.pid]

    def kill(self, number=signal.SIGKILL):
        if self.process.poll() is None:
            self.process.send_signal(number)

    def end(self, timeout=60):
        """Wait for its end; (exit code, stdout, stderr)."""
        out, err = self.process.communicate(timeout=timeout)
        return self.process.returncode, out, err

    def left_behind(self, patience=15):
        """Processes that are still there when all should have ended."""
        end = time.monotonic() + patience
        while (left := self.processes()) and time.monotonic() < end:
            time.sleep(0.05)
        return left
