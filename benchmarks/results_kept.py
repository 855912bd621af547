"""Share of games, begun in random endings that are won or drawn for the player, that end at least as well as that.

The tables in a folder know what an ending is worth; the player is to move, and the opponent, which may use the same
tables, gives nothing away. Chinook's question: is a search with smaller tables as good as larger tables?

    python -m benchmarks results_kept                     checkers from four pieces, 20 games, half a minute
    python -m benchmarks.results_kept checkers 6 TABLES --player "alphabeta:seconds=1,tables=SMALLER" \\
        --opponent "alphabeta:nodes=20000,tables=TABLES" --games 1000 --jobs 2 --log games.jsonl

Games that stand in the log are not played again.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import zermelo
from benchmarks.report import Row
from zermelo.tables.sampling import sample
from zermelo.tables.tables import Tables, find_tables

WORTH = {1: "won", 0: "drawn"}
MOST_PLIES = 2000


def play(game_name: str, n: int, position: str, worth: int, player: str, opponent: str) -> dict[str, Any]:
    """One game, as it is kept in the log."""
    game = zermelo.load(game_name)
    history = zermelo.History(game, game.parse(position))
    seat = game.player(history.state)
    players = {seat: zermelo.player(player, game), 1 - seat: zermelo.player(opponent, game)}
    while not history.is_over and len(history.moves) < MOST_PLIES:
        chooser = players[history.player()]
        chooser.make_ready(history)
        history.play(chooser.choose(history))
    moves = [game.format_action(s, a) for s, a in zip(history.states, history.moves, strict=False)]
    result = history.utility(seat) if history.is_over else 0.0
    return {"n": n, "position": position, "worth": worth, "result": float(result), "moves": moves}


def play_all(
    game_name: str, limit: int, tables: Tables, player: str, opponent: str, games: int, jobs: int = 1, log: str = ""
) -> list[dict[str, Any]]:
    game = tables.game
    drawn = [(game.format(s), found.value) for _, s, found in islice(sample(tables, limit, (1, 0), seed=1), games)]
    done: dict[int, dict[str, Any]] = {}
    if log and Path(log).exists():
        done = {line["n"]: line for line in map(json.loads, Path(log).read_text().splitlines())}
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        left = [(n, *one) for n, one in enumerate(drawn) if n not in done]
        waiting = [pool.submit(play, game_name, *one, player, opponent) for one in left]
        for each in as_completed(waiting):
            record = each.result()
            done[record["n"]] = record
            if log:
                with Path(log).open("a") as file:
                    file.write(json.dumps(record) + "\n")
    return [done[n] for n in range(games)]


def rows(records: list[dict[str, Any]], what: str) -> Iterator[Row]:
    for worth, name in ((None, "won or drawn"), *WORTH.items()):
        some = [r for r in records if worth is None or r["worth"] == worth]
        if some:
            kept = sum(r["result"] >= r["worth"] for r in some)
            yield Row(f"{what}: {len(some)} that are {name}", "% kept", 100 * kept / len(some))


def run() -> Iterator[Row]:
    tables = find_tables(zermelo.load("checkers"))
    if tables is None:
        return
    players = "alphabeta:seconds=0.1,tables=on", "alphabeta:nodes=2000,tables=on"
    yield from rows(play_all("checkers", 4, tables, *players, games=20), "checkers from four pieces, 0.1 s a move")


def main() -> None:
    from benchmarks.report import show

    parser = argparse.ArgumentParser()
    parser.add_argument("game")
    parser.add_argument("limit", type=int)
    parser.add_argument("tables", help="a folder, as of `zermelo tables build --folder`")
    parser.add_argument("--player", default="alphabeta:seconds=1")
    parser.add_argument("--opponent", default="alphabeta:nodes=20000")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--log", default="")
    asked = parser.parse_args()
    tables = Tables(zermelo.load(asked.game), asked.tables)
    records = play_all(
        asked.game, asked.limit, tables, asked.player, asked.opponent, asked.games, asked.jobs, asked.log
    )
    for record in records:
        if record["result"] < record["worth"]:
            print(f"not kept: {record['position']} {' '.join(record['moves'])}", file=sys.stderr)
    show(list(rows(records, f"{asked.game} from {asked.limit}, {asked.player}")))


if __name__ == "__main__":
    main()
