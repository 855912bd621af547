"""What a script needs, from `zermelo` itself, in about forty lines that pass mypy --strict."""

from __future__ import annotations

import zermelo
from zermelo import Batch, Explanation, Game, History, Limits, MatchResult, Player, Report, Searcher, Solution, Trained

game: Game[object, int] = zermelo.load("connect-four", width=5, height=4)
print(f"{game.name}, one of {len(zermelo.games())} games; checked: {zermelo.check(game, games=20, positions=200).ok}")

# A position: notation, whose turn, legal moves, the successor.
state = game.parse("331")
moves = [game.format_action(state, action) for action in game.actions(state)]
print(f"player {game.player(state)} to move: {' '.join(moves)}")
print(game.text(game.succ(state, game.actions(state)[0])))

# A search, within limits; every iteration is a report, and the last one is the answer.
report: Report = zermelo.search(game, state, seconds=1)
print(f"best {game.format_action(state, report.best)}, worth {report.value:+g} to player 0, {report.proof}")
searcher: Searcher = zermelo.make_searcher(game, "alphabeta", threads=2)  # its stop() ends it, from any thread
for deeper in searcher.reports(state, Limits(depth=3)):
    print(f"  depth {deeper.depth}: {deeper.value:+.2f}")

# The exact value with all best moves; and why the others are worse.
solution: Solution = zermelo.solve(game)
print(f"the game is worth {solution.value:g}")
told: Explanation = zermelo.explain(game, state, depth=6)
print(told.text().splitlines()[0])

# Two players and a game in progress.
players: list[Player] = [zermelo.player("alphabeta:depth=4", game), zermelo.player("random", game)]
history: History[object, int] = History(game)
while not history.is_over:
    history.play(players[history.player()].choose(history))
print(f"{players[0].name} against {players[1].name}: {history.utility(0):+g} after {len(history.moves)} moves")

# A thousand random games at once, on the cores of this machine; device="cuda" plays them on a graphics card.
batch: Batch = zermelo.batch(game, 1000, seed=1)
batch.random_steps(42)
print(f"a thousand random games: player 0 wins {(batch.utilities[:, 0] > 0).mean():.0%}")

# Many games, and what can be said of the players; then an evaluation learned from self-play, against chance.
result: MatchResult = zermelo.match("nim", "minimax:depth=2", "random", games=20, jobs=0)
print(f"minimax scores {result.score:.0%} of {result.games} games at nim, {result.elo:+.0f} Elo")
table = zermelo.tournament("nim", "minimax:depth=9", "minimax:depth=1", "random", games=20, jobs=0)
print(f"in a tournament, {table.standings[-1].player} comes last")
trained: Trained = zermelo.train("nim", games=200, games_per_round=20)
print(f"learned from {trained.games} games of nim, against {trained.against}")
