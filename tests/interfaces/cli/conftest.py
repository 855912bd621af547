from contextlib import closing
from itertools import islice

import pytest

from zermelo.arena.match_runner import MatchRunner
from zermelo.interfaces.cli import main


class Outcome:
    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err


@pytest.fixture
def zermelo_cli(capsys):
    """Run a command line as somebody would: the exit code and what was printed."""

    def run(*arguments):
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        return Outcome(code, *capsys.readouterr())

    return run


@pytest.fixture
def interrupted_after(monkeypatch):
    """Ctrl-C when so many games of a runner have been played."""
    played = MatchRunner.records

    def after(count):
        def some(runner, game=None):
            with closing(played(runner, game)) as records:
                yield from islice(records, count)
            raise KeyboardInterrupt

        monkeypatch.setattr(MatchRunner, "records", some)

    return after


@pytest.fixture
def refused(zermelo_cli):
    """Run a command line that is wrong: exit code 2, nothing on stdout, one sentence on stderr, which is given."""

    def run(*arguments):
        outcome = zermelo_cli(*arguments)
        assert outcome.code == 2
        assert outcome.out == ""
        assert outcome.err.startswith("zermelo: ")
        assert outcome.err.count("\n") == 1
        assert "Traceback" not in outcome.err
        return outcome.err

    return run
