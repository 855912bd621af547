"""`zermelo play`: a game in the terminal, people and programs in any seats."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from zermelo.core.game import Game, GameError
from zermelo.core.words import count
from zermelo.interfaces.cli.common.console import say, working
from zermelo.interfaces.cli.common.loading import GameName, Options, Position, load_game, read_options, start_of


def play(
    game: GameName,
    players: Annotated[
        list[str] | None,
        typer.Option("--players", "-P", help="Who sits where, as in human,level=5 or random,mcts:simulations=500."),
    ] = None,
    position: Position = None,
    seed: Annotated[
        int | None, typer.Option("--seed", min=0, help="For dice and players; by default a new one.")
    ] = None,
    load: Annotated[Path | None, typer.Option("--load", help="Continue the game in this file.")] = None,
    save: Annotated[Path | None, typer.Option("--save", help="Save the game here after every move.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue the last game that was played.")] = False,
    option: Options = None,
) -> None:
    """Play in the terminal. Type moves as people write them, or help."""
    from zermelo.interfaces.cli.common.terminal_game import (
        TerminalGame,
        is_replaceable,
        last_game,
        need_replaceable,
        read_game,
    )

    if load is not None and resume:
        raise GameError("--load and --resume both say which game to go on with; take one")
    source = load or (last_game() if resume else None)
    if source is not None and position is not None:
        raise GameError("a game that is loaded has its own position")
    loaded = load_game(game, option)
    begun = None if source is None else read_game(source, loaded)
    if save is not None:
        need_replaceable(save, loaded)
    elif load is not None and not is_replaceable(load, loaded):
        say(f"'{load}' holds other games too and stays as it is; the one played now is kept where --resume finds it")
        load = None
    if begun is not None and players is None and len(begun[1]["players"]) == loaded.players:
        players = [str(text) for text in begun[1]["players"]]
    start_of(loaded, position)  # what is wrong with it is told before anything is compiled
    with working(f"getting {loaded.name} ready"):
        seated = seat(loaded, players, seed)
    session = TerminalGame(
        loaded, seated, seed=seed, position=position, origin=game, options=read_options(option),
        save_to=save or load, must_save=save is not None,
    )  # fmt: skip
    if begun is not None:
        session.take_over(*begun)
    try:
        session.run()
    finally:
        for player in seated:
            player.close()


def seat(game: Game[Any, Any], specs: list[str] | None, seed: int | None) -> list[Any]:
    """A player for every seat; the last one given sits in all seats that are left."""
    import random

    from zermelo.players.registry import player, split_specs

    named = [name for spec in specs or ["human,level=5"] for name in split_specs(spec)]
    if len(named) > game.players and specs:
        raise GameError(f"{game.name} has {count(game.players, 'player')}, but {len(named)} are given")
    named = (named + named[-1:] * game.players)[: game.players]
    start = random.SystemRandom().getrandbits(32) if seed is None else seed
    seated = []
    for number, spec in enumerate(named):
        one = player(spec, game)
        one.reset(start + number)
        if not one.is_human:
            one.prepare()
        seated.append(one)
    say(f"{game.name}: " + ", ".join(f"player {n} is {p.name}" for n, p in enumerate(seated)))
    return seated
