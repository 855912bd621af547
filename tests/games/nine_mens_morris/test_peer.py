"""Nine men's morris against OpenSpiel's, move by move over random games.

Where the two differ, and what is done about it:
- OpenSpiel takes a man off in a move of its own, the same player moving again: it is joined to the move before.
- It calls every game of 200 turns a draw and knows no other limit; here 100 quiet plies or a repetition are a draw
  (repetition is History's affair, and no History is used): the comparison stops where either declares a draw.
"""

import random

import pytest

import zermelo
from zermelo.games.nine_mens_morris.notation import ROWS, points

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")
if "nine_mens_morris" not in pyspiel.registered_names():
    pytest.skip("this open_spiel has no nine men's morris", allow_module_level=True)

IN_ORDER = [name for row in ROWS for name in row]  # OpenSpiel numbers the points as they are read


def words(state, action):
    """The points an action names: (to,) or (from, to), or, taking off, (victim,)."""
    text = state.action_to_string(state.current_player(), action)
    return tuple(IN_ORDER[int(word)] for word in text.replace("->", " ").split() if word.isdigit())


def peer_moves(state):
    """(from or None, to, taken or None) → the state once the turn has passed or the game is over."""
    mover, found = state.current_player(), {}
    for action in state.legal_actions():
        where = words(state, action)
        origin, to = where if len(where) == 2 else (None, *where)
        child = state.child(action)
        if child.is_terminal() or child.current_player() != mover:
            found[origin, to, None] = child
        else:
            for taking in child.legal_actions():
                found[(origin, to, *words(child, taking))] = child.child(taking)
    return found


def compare_game(game, peer, chance):
    """Play one random game in both; the plies compared, and the result for player 0 (None: one declared a draw)."""
    s, state, plies = game.start(), peer.new_initial_state(), 0
    while not state.is_terminal() and s.quiet < 100:
        ours = {points(a): a for a in game.actions(s)}
        theirs = peer_moves(state)
        assert game.player(s) == state.current_player()
        assert set(ours) == set(theirs), game.format(s)
        move = chance.choice(sorted(ours, key=str))
        s, state = game.succ(s, ours[move]), theirs[move]
        plies += 1
    if not state.is_terminal() or state.returns()[0] == 0:
        return plies, None
    assert game.is_end(s)
    assert game.utility(s, 0) == state.returns()[0]
    return plies, game.utility(s, 0)


def compare_games(games, seed):
    game, peer = zermelo.load("nine-mens-morris"), pyspiel.load_game("nine_mens_morris")
    chance = random.Random(seed)
    results = [compare_game(game, peer, chance) for _ in range(games)]
    assert {result for _, result in results} >= {1.0, -1.0}
    assert sum(plies for plies, _ in results) > 40 * games


def test_100_random_games_agree_with_open_spiel():
    compare_games(100, seed=1)


@pytest.mark.slow
def test_1000_random_games_agree_with_open_spiel():
    compare_games(1000, seed=2)
