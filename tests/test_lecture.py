"""docs/lecture.md leads somewhere: its functions import, its commands run, its pages of the studio exist."""

import importlib
import re
import shlex
from pathlib import Path

import pytest

from zermelo.interfaces.cli import main
from zermelo.interfaces.studio.pages import PAGES

PAGE = (Path(__file__).parents[1] / "docs" / "lecture.md").read_text()
SLOW = {"match", "new", "plan", "play", "tournament", "train", "td-or-q"}  # read by test_documents, and not run here


def named(kind):
    """What stands in backticks behind `- Function:`, `- Command:`, …, once each."""
    found = re.findall(rf"^- {kind}: (.*)$", PAGE, re.MULTILINE)
    return list(dict.fromkeys(name for line in found for name in re.findall(r"`([^`]+)`", line)))


def test_every_topic_leads_to_code():
    for topic in PAGE.split("\n### ")[1:]:
        assert "\n- Function: " in topic, topic.splitlines()[0]
        assert "\n- Command: " in topic, topic.splitlines()[0]


@pytest.mark.parametrize("name", [*named("Function"), *named("Compiled")])
def test_a_function_is_there(name):
    module, _, attribute = name.rpartition(".")
    assert callable(getattr(importlib.import_module(module), attribute))


@pytest.mark.jit
@pytest.mark.parametrize("command", [c for c in named("Command") if not set(c.split()) & SLOW])
def test_a_command_runs(command, capsys):
    program, *arguments = shlex.split(command)
    assert program == "zermelo"
    assert main(arguments) == 0
    assert capsys.readouterr().out.strip()


def test_the_pages_of_the_studio_are_there():
    assert {page.path for page in PAGES} == set(named("Studio"))
