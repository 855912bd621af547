"""Games that begin at the positions of a book."""

from __future__ import annotations

import pytest

import zermelo
from zermelo import GameError
from zermelo.arena.book import read_book
from zermelo.arena.match import Match, match
from zermelo.arena.records import read
from zermelo.arena.tournament import tournament


@pytest.fixture
def texts():
    """Three positions of tic-tac-toe, as it writes them."""
    game = zermelo.load("tic-tac-toe")
    return [game.format(game.succ(game.start(), a)) for a in game.actions(game.start())[:3]]


def test_every_pair_begins_at_the_next_position(tmp_path, texts):
    book, record = tmp_path / "book.txt", tmp_path / "games.jsonl"
    book.write_text("# three openings\n\n" + "\n".join(f"  {text} " for text in texts))
    match("tic-tac-toe", "random", "random", games=8, jobs=0, book=book, record=record)
    assert [one["start"] for one in read(record)] == [text for text in (*texts, texts[0]) for _ in "ab"]
    assert {one["opening"] for one in read(record)} == {0}  # a book is opening enough
    with pytest.raises(GameError, match="another match"):
        match("tic-tac-toe", "random", "random", games=8, jobs=0, position=texts[0], record=record)


def test_in_a_tournament_every_two_begin_there(tmp_path, texts):
    book, record = tmp_path / "book.txt", tmp_path / "games.jsonl"
    book.write_text("\n".join(texts))
    tournament("tic-tac-toe", "random", "minimax:depth=1", "minimax:depth=2", games=4, jobs=0, book=book, record=record)
    assert sorted(one["start"] for one in read(record)) == sorted([*texts[:2] * 6])


def test_what_a_match_with_one_position_is_called_is_as_before(texts):
    one = Match("tic-tac-toe", "random", "random", position=texts[0])
    assert one.runner.plan.identity == "b7204817c2cb09f4"


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "holds 0 positions"),
        (b"\xff\xfe", "not text"),
        (b"nonsense", "line 1: "),
        (b"# all\n\nOVER", "line 3: the game is over"),
    ],
)
def test_a_book_that_is_none(tmp_path, content, says):
    game, path = zermelo.load("tic-tac-toe"), tmp_path / "book.txt"
    s = game.start()
    while not game.is_end(s):
        s = game.succ(s, game.actions(s)[0])
    path.write_bytes(content.replace(b"OVER", game.format(s).encode()))
    with pytest.raises(GameError, match=says):
        read_book(game, path)


def test_a_position_or_a_book(tmp_path, texts):
    game = zermelo.load("tic-tac-toe")
    with pytest.raises(GameError, match="not both"):
        read_book(game, tmp_path / "book.txt", texts[0])
    with pytest.raises(GameError, match="cannot be read"):
        read_book(game, tmp_path / "book.txt")
