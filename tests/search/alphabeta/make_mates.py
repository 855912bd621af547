"""Mates that Stockfish knows, from games of our own, for test_shortest.py: writes tests/data/mates/chess.json.

    python -m tests.search.alphabeta.make_mates

Games of a search to depth 3 against itself, both with a random move now and then. Stockfish looks at every position,
12 plies deep; what it calls a mate it is asked again, 25 plies deep, and then, for ten seconds at a time, whether there
is a shorter one. Kept are so many of each length (before that last question) as WANTED says, no two of a kind from one
game. A number is in plies from the position to the mate; even ones are of the side that loses.
"""

import json
import random
import shutil
from collections import Counter
from pathlib import Path

import zermelo
from zermelo import History
from zermelo.players.engines.program import PLACES, Engine

FILE = Path(__file__).parents[2] / "data" / "mates" / "chess.json"
WANTED = {1: 6, 3: 10, 5: 10, 7: 9, 9: 7, 11: 6, 2: 3, 4: 4, 6: 3, 8: 2}
RANDOM_MOVES = 0.15


def stockfish():
    engine = Engine(shutil.which("stockfish") or shutil.which("stockfish", path=":".join(PLACES)))
    engine.send("uci")
    engine.wait_for(["uciok"], 20)
    engine.send("setoption name Hash value 128")
    return engine


def mate_in(engine, fen, how):
    """Plies to the mate that Stockfish sees, or None."""
    engine.send("ucinewgame")
    engine.send(f"position fen {fen}")
    engine.send(f"go {how}")
    _, lines = engine.wait_for(["bestmove"], 600)
    words = [line for line in lines if " score " in line][-1].split()
    at = words.index("score")
    if words[at + 1] != "mate":
        return None
    moves = int(words[at + 2])
    return 2 * moves - 1 if moves > 0 else -2 * moves


def shortest(engine, fen, plies):
    """The shortest mate Stockfish finds where it knows one in so many plies."""
    while plies > 2:
        moves = (plies - 1) // 2 if plies % 2 else -(plies // 2 - 1)
        found = mate_in(engine, fen, f"mate {moves} movetime 10000")
        if not found or found >= plies:
            break
        plies = found
    return plies


def main():
    game, engine, draw, kept, left = zermelo.load("chess"), stockfish(), random.Random(5), [], Counter(WANTED)
    player = zermelo.player("alphabeta:depth=3", game)
    while +left:
        history, from_here = History(game), set()
        while not history.is_over and len(history.moves) < 200 and +left:
            moves = history.actions()
            history.play(draw.choice(moves) if draw.random() < RANDOM_MOVES else player.choose(history))
            if history.is_over or len(history.moves) < 20:
                continue
            fen = game.format(history.state)
            plies = mate_in(engine, fen, "depth 12")
            if not plies or left[plies] <= 0 or plies in from_here:
                continue
            if mate_in(engine, fen, "depth 25") == plies:
                kept.append({"fen": fen, "plies": shortest(engine, fen, plies)})
                from_here.add(plies)
                left[plies] -= 1
                print(len(kept), plies, fen, flush=True)
    engine.end()
    kept.sort(key=lambda one: (one["plies"], one["fen"]))
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text("[\n" + ",\n".join(f"  {json.dumps(one)}" for one in kept) + "\n]\n")


if __name__ == "__main__":
    main()
