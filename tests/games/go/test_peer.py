"""Go against OpenSpiel's, move by move over random games.

The rules are the same but for this: a move that repeats a board is legal there and ends the game at once, here it is
forbidden; so the legal moves of the state are compared, and those that superko takes out must end the other game.
OpenSpiel numbers points from the bottom left: moves are compared by name. It ends games after a number of moves of its
own, which is set out of reach; games that reach our limit are compared up to there.
"""

import random

import pytest

import zermelo
from zermelo import History
from zermelo.search.perft import perft

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")


def peer_board(state):
    """Its board from the top, in the signs used here."""
    rows = [line.split()[1] for line in str(state).split("\n") if line.strip()[:1].isdigit()]
    return "/".join(rows).replace("+", ".")


def compare_game(game, peer, chance):
    """Play one random game in both; how many plies it had, how many moves superko forbade, and its result."""
    history, state, forbidden = History(game), peer.new_initial_state(), 0
    while not history.is_over:
        assert game.player(history.state) == state.current_player()
        ours = {game.format_action(history.state, a).lower(): a for a in game.actions(history.state)}
        theirs = {state.action_to_string(a).split()[1].lower(): a for a in state.legal_actions()}
        assert set(ours) == set(theirs), game.format(history.state)
        for move in [move for move, a in ours.items() if a not in history.actions()]:
            assert state.child(theirs[move]).is_terminal()
            forbidden += 1
        move = chance.choice(sorted(move for move, a in ours.items() if a in history.actions()))
        history.play(ours[move])
        state.apply_action(theirs[move])
        assert game.format(history.state).split()[0] == peer_board(state)
        assert state.is_terminal() == (history.state.passes == 2)
    if history.state.passes == 2:
        assert [history.utility(0), history.utility(1)] == state.returns()
    return len(history.moves), forbidden, history.utility(0)


def compare_games(size, games, seed):
    game = zermelo.load("go", size=size, komi=7.5)
    peer = pyspiel.load_game(f"go(board_size={size},komi=7.5,max_game_length=100000)")
    chance = random.Random(seed)
    return zip(*(compare_game(game, peer, chance) for _ in range(games)), strict=True)


@pytest.mark.jit
@pytest.mark.parametrize(("size", "games"), [(9, 30), (5, 150)])
def test_random_games_agree_with_open_spiel(size, games):
    plies, forbidden, results = compare_games(size, games, seed=1)
    assert sum(plies) > games * size * size
    assert sum(forbidden) > 0
    assert set(results) == {1.0, -1.0}


@pytest.mark.slow
@pytest.mark.jit
@pytest.mark.parametrize(("size", "games"), [(9, 300), (5, 1500), (19, 4)])
def test_many_random_games_agree_with_open_spiel(size, games):
    plies, forbidden, _ = compare_games(size, games, seed=2)
    assert sum(plies) > games * size * size
    assert sum(forbidden) > 0 or size == 19


def peer_perft(state, depth):
    if depth == 0:
        return 1
    return 0 if state.is_terminal() else sum(peer_perft(state.child(a), depth - 1) for a in state.legal_actions())


@pytest.mark.jit
def test_perft_agrees_with_open_spiel():
    """To a depth at which superko, which perft does not see, forbids nothing yet."""
    peer = pyspiel.load_game("go(board_size=5,komi=7.5)")
    assert perft(zermelo.load("go", size=5, komi=7.5), 3) == peer_perft(peer.new_initial_state(), 3)
