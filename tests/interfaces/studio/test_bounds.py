"""What a visitor may ask for, and what not."""

from __future__ import annotations

import pytest

from zermelo.core.game import GameError
from zermelo.interfaces.studio.bounds import Bounds

BOUNDS = Bounds(seconds=10, table=128, threads=2, allowed=("uci:stockfish,elo=1800",))


@pytest.mark.parametrize(
    "text", ["human", "level=5", "random", "alphabeta:seconds=2,table=64", "mcts:seconds=1", "uci:stockfish,elo=1800"]
)
def test_is_allowed(text):
    assert BOUNDS.player(f" {text} ") == text


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("uci:stockfish", "--allow"),
        ("uci:/bin/sh", "--allow"),
        ("gnubg", "--allow"),
        ("gnubg:command=/bin/sh", "--allow"),
        ("alphabeta:evaluator=/etc/passwd", "evaluator"),
        ("alphabeta:tables=/etc", "not a folder"),
        ("zero:weights=/etc/passwd", "leave weights= away"),
        ("level=5,weights=/etc/passwd", "leave weights= away"),
        ("alphabeta:seconds=11", "at most 10"),
        ("alphabeta:table=4096", "at most 128"),
        ("mcts:memory=4096", "at most 128"),
        ("alphabeta:threads=64", "at most 2"),
        ("level=11", "from 1 to 10"),
        ("__import__('os')", "no player"),
        ("", "say who plays"),
        (None, "say who plays"),
        (["human"], "say who plays"),
        ("level=5" + " " * 10 + "x" * 500, "characters"),
    ],
)
def test_is_refused_in_a_sentence(text, word):
    with pytest.raises(GameError, match=word) as caught:
        BOUNDS.player(text)
    assert "\n" not in str(caught.value)


def test_a_search_by_depth_alone_gets_a_time_limit():
    assert BOUNDS.player("alphabeta:depth=40") == "alphabeta:depth=40,seconds=10"
    assert BOUNDS.player("mcts:simulations=100") == "mcts:simulations=100,seconds=10"
