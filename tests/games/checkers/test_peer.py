"""Checkers against OpenSpiel's, move by move over random games.

Where the two differ, and what is done about it:
- OpenSpiel plays one jump at a time, the same player moving again: every sequence of its jumps until the turn passes is
  compared with a whole move here.
- Its player 0 sits at the bottom and moves up: the board is turned by half a turn, square q here is 33 - q there.
- It calls a draw after 40 plies without a capture, men's moves included; here 80 plies without a capture or a man's
  move do, so the comparison of a game stops where OpenSpiel declares that draw. It knows no repetition; here that is
  History's affair, and no History is used.
"""

import random

import pytest

import zermelo
from zermelo.games.checkers.notation import route, squares_of

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")


def peer_cell(square):
    """OpenSpiel's name of the cell that is `square` here."""
    index = 32 - square
    row, column = index // 4, index % 4 * 2 + (1 if index // 4 % 2 == 0 else 0)
    return f"{'abcdefgh'[column]}{8 - row}"


def peer_moves(state):
    """Whole moves: (cells visited) → the state when the turn has passed or the game is over."""
    mover, found = state.current_player(), {}

    def follow(state, visited):
        for a in state.legal_actions():
            step = state.action_to_string(mover, a)
            child = state.child(a)
            cells = (*visited, step[2:4]) if visited else (step[:2], step[2:4])
            if child.is_terminal() or child.current_player() != mover:
                found[cells] = child
            else:
                follow(child, cells)

    follow(state, ())
    return found


def peer_board(state):
    rows = str(state).split("\n")[:8]
    return {
        f"{'abcdefgh'[c]}{8 - r}": sign for r, row in enumerate(rows) for c, sign in enumerate(row[1:9]) if sign != "."
    }


def our_board(s):
    board = {}
    for pieces, man, king in ((s.black, "o", "8"), (s.white, "+", "*")):
        board |= {peer_cell(q): man for q in squares_of(pieces & ~s.kings)}
        board |= {peer_cell(q): king for q in squares_of(pieces & s.kings)}
    return board


def compare_game(game, peer, chance):
    """Play one random game in both; how many plies were compared, and how it ended for player 0 (None: their draw)."""
    s, state, plies = game.start(), peer.new_initial_state(), 0
    while not state.is_terminal():
        ours = {tuple(map(peer_cell, route(a))): a for a in game.actions(s)}
        theirs = peer_moves(state)
        assert game.player(s) == state.current_player()
        assert set(ours) == set(theirs), game.format(s)
        cells = chance.choice(sorted(ours))
        s, state = game.succ(s, ours[cells]), theirs[cells]
        plies += 1
        assert our_board(s) == peer_board(state), game.format(s)
    if state.returns()[0] == 0:
        return plies, None
    assert game.is_end(s)
    assert game.utility(s, 0) == state.returns()[0]
    return plies, game.utility(s, 0)


def compare_games(games, seed):
    game, peer, chance = zermelo.load("checkers"), pyspiel.load_game("checkers"), random.Random(seed)
    results = [compare_game(game, peer, chance) for _ in range(games)]
    assert {result for _, result in results} >= {1.0, -1.0}
    assert sum(plies for plies, _ in results) > 40 * games


def test_200_random_games_agree_with_open_spiel():
    compare_games(200, seed=1)


@pytest.mark.slow
def test_3000_random_games_agree_with_open_spiel():
    compare_games(3000, seed=2)
