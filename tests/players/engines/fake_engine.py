"""A UCI engine of a few lines, and its vices: run as a program, `fake_engine.py VICE`."""

import sys
import time

import chess


def main():
    vice = sys.argv[1] if len(sys.argv) > 1 else ""
    if vice == "dead":
        sys.exit(3)
    board = chess.Board()
    for line in sys.stdin:
        words = line.split()
        if not words:
            continue
        if words[0] == "uci":
            if vice == "mute":
                time.sleep(1000)
            print("id name fake\noption name Hash type spin default 16 min 1 max 64")
            print("option name UCI_LimitStrength type check default false")
            print("option name UCI_Elo type spin default 1500 min 1000 max 2000\nuciok", flush=True)
        elif words[0] == "isready":
            print("readyok", flush=True)
        elif words[0] == "position":
            fen, _, moves = line.strip().removeprefix("position fen ").partition(" moves ")
            board = chess.Board(fen)
            for move in moves.split():
                board.push_uci(move)
        elif words[0] == "go":
            if vice == "hang":
                time.sleep(1000)
            if vice == "crash" or (vice == "crash-later" and board.fullmove_number > 2):
                sys.exit(7)
            if vice == "garbage":
                print("bestmove \x00\xff nonsense", flush=True)
                continue
            if vice == "silent-word":
                print("bestmove", flush=True)
                continue
            if vice == "thinks":  # until it is told to stop
                continue
            best = "e2e5" if vice == "illegal" else min(move.uci() for move in board.legal_moves)
            print(f"info depth 1 score cp 0 pv {best}\nbestmove {best}", flush=True)
        elif words[0] == "stop":
            print(f"bestmove {max(move.uci() for move in board.legal_moves)}", flush=True)
        elif words[0] == "quit":
            if vice == "stubborn":
                time.sleep(1000)
            return


if __name__ == "__main__":
    main()
