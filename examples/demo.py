"""What `make tour` shows: a game solved by looking at all of it, and a search explained node by node."""

import time

import zermelo
from zermelo.drawing import draw
from zermelo.search.exhaustive import exhaustive, positions
from zermelo.textbook import Trace, alphabeta_search


def solve(name: str) -> None:
    game = zermelo.load(name)
    print(f"{game.name}, solved by looking at every line of play (the rules are being compiled) …", flush=True)
    exhaustive(game, depth=0)  # compiles, or finds the machine code of the last time
    began = time.perf_counter()
    tree = exhaustive(game)
    seconds = time.perf_counter() - began
    outcome = {1.0: "the first player wins", 0.0: "a draw", -1.0: "the second player wins"}[tree.value]
    print(f"  with best play: {outcome}")
    print(f"  {tree.ends:,} games ({tree.first:,} won, {tree.second:,} lost, {tree.even:,} drawn by the first player)")
    print(f"  {tree.nodes:,} nodes in {seconds * 1000:.0f} ms, {positions(game):,} different positions")


def explain(name: str) -> None:
    game, trace = zermelo.load(name), Trace()
    found = alphabeta_search(game, game.start(), trace=trace)
    print(f"\n{game.name}: MAX picks a bin, MIN a number from it; alpha-beta looks at {trace.leaves} of 6 leaves\n")
    print(draw(trace, game=game).text)
    print(f"\nMAX picks {game.format_action(game.start(), found.action)} and gets {found.value:g}.")


solve("tic-tac-toe")
explain("three-bins")
print("\nNext, in .venv/bin: zermelo play connect-four, zermelo search othello --why, zermelo --help;")
print("or write a game of your own: zermelo new my-game --kind placement")
