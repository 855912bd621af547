"""`zermelo studio` with what cannot be served: one sentence, and nothing is started."""

from __future__ import annotations

import socket

import pytest

from zermelo.interfaces.cli.app import run

pytest.importorskip("nicegui", reason="the page needs NiceGUI, which is not installed")


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["nowhere.py:Game"], "there is no file"),
        (["--game", "no-such-game"], "there is no game"),
        (["--allow", "nobody"], "no player is called"),
        (["--port", "0"], "port"),
        (["--searches", "0"], "searches"),
        (["--host", "300.1.2.3"], "cannot be had"),
    ],
)
def test_is_refused_in_a_sentence(arguments, word, capsys):
    assert run(["studio", "--no-show", *arguments]) == 2
    said = capsys.readouterr().err
    assert word in said
    assert "Traceback" not in said
    assert len(said.strip().splitlines()) == 1


def test_a_port_in_use_is_told(capsys):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert run(["studio", "--no-show", "--port", str(taken.getsockname()[1])]) == 2
    assert "cannot be had" in capsys.readouterr().err
