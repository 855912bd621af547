"""Pac-man's positions and moves as text.

A position is the maze row by row from the top, then who is where (the walls are the layout's, and are checked):

    %%%%%%%/%___._%/%_%%%_%/%.__o_%/%%%%%%% pacman b4:west ghosts f2:stop:0 turn 0 left 300 score 0
    % wall, . food, o capsule, _ nothing    cell:where it looks  …:turns it stays scared; - for no ghosts

and `caught` at the end if pac-man has been. A move is a direction (north, n, up) or the neighbouring cell.
"""

import re

from zermelo.core.game import GameError

NORTH, SOUTH, EAST, WEST, STOP = range(5)
DIRECTIONS = ("north", "south", "east", "west", "stop")
WORDS = {
    word: d for names in (DIRECTIONS, ("up", "down", "right", "left", "stay"), "nsew") for d, word in enumerate(names)
}
PLAYING, WON, CAUGHT, TIRED = range(4)
SCARED = 40  # turns

POSITION = re.compile(
    r"(?P<maze>\S+) pacman (?P<pacman>\w+):(?P<heading>\w+) ghosts (?P<ghosts>\S+) turn (?P<turn>\d) "
    r"left (?P<left>\d{1,5}) score (?P<score>-?\d{1,8})(?P<caught> caught)?"
)
EXAMPLE = "'%%%%/%_.%/%%%% pacman b2:west ghosts c2:stop:0 turn 0 left 300 score 0'"


def target(maze, s, direction):
    """The cell that the one to move gets to."""
    cell = s.pacman if s.turn == 0 else s.ghosts[s.turn - 1]
    return cell if direction == STOP else int(maze.next[cell, direction])


def parse_action(maze, s, text):
    word = text.strip().lower()
    legal = s.game.actions(s)
    for direction in legal:
        if WORDS.get(word) == direction or maze.name(target(maze, s, direction)) == word:
            return direction
    if not legal:
        raise GameError("the game is over")
    choice = ", ".join(DIRECTIONS[direction] for direction in legal)
    if word in WORDS:
        raise GameError(f"{DIRECTIONS[WORDS[word]]} is not possible here; possible is {choice}")
    raise GameError(f"'{word[:40]}' is neither a direction nor a neighbouring cell; possible is {choice}")


def format_position(maze, s):
    signs = dict.fromkeys(maze.cells, "_")
    signs |= {maze.cells[maze.food[i]]: "." for i in maze.where(s.food)}
    signs |= {maze.cells[maze.capsules[i]]: "o" for i in maze.where([s.capsules])}
    rows = "/".join("".join(signs.get((x, y), "%") for x in range(maze.width)) for y in range(maze.height))
    ghosts = ",".join(
        f"{maze.name(s.ghosts[g])}:{DIRECTIONS[s.headings[g]]}:{s.scared[g]}" for g in range(len(maze.ghosts))
    )
    end = " caught" if s.status == CAUGHT else ""
    pacman = f"{maze.name(s.pacman)}:{DIRECTIONS[s.heading]}"
    return f"{rows} pacman {pacman} ghosts {ghosts or '-'} turn {s.turn} left {s.left} score {s.score}{end}"


def parse_position(maze, s, text):
    found = POSITION.fullmatch(" ".join(text.split()))
    if not found:
        raise GameError(f"a pac-man position looks like {EXAMPLE}, not like '{text.strip()[:80]}'".replace("\n", " "))
    _read_maze(maze, s, found["maze"])
    s.pacman, s.heading = _read_cell(maze, found["pacman"]), _read_direction(found["heading"])
    ghosts = [] if found["ghosts"] == "-" else found["ghosts"].split(",")
    if len(ghosts) != len(maze.ghosts):
        raise GameError(f"there are {len(maze.ghosts)} ghosts in this layout, not {len(ghosts)}")
    for g, ghost in enumerate(ghosts):
        cell, _, rest = ghost.partition(":")
        heading, _, scared = rest.partition(":")
        if not re.fullmatch(r"\d{1,2}", scared):
            raise GameError(f"ghost {g + 1} is '{ghost}', not a cell, a direction and a scared time such as c2:north:0")
        s.ghosts[g], s.headings[g], s.scared[g] = _read_cell(maze, cell), _read_direction(heading), int(scared)
    s.turn, s.left, s.score = int(found["turn"]), int(found["left"]), int(found["score"])
    if found["caught"]:
        s.status = CAUGHT
    elif not maze.where(s.food):
        s.status = WON
    elif s.left == 0 and s.turn == 0:
        s.status = TIRED


def _read_maze(maze, s, text):
    rows = text.split("/")
    if len(rows) != maze.height or any(len(row) != maze.width for row in rows):
        raise GameError(f"this layout has {maze.height} rows of {maze.width} signs, with / between")
    places = maze.places
    food, capsules = [0] * len(s.food), 0
    for y, row in enumerate(rows):
        for x, sign in enumerate(row):
            cell = places.get((x, y))
            where = f"row {y + 1}, column {x + 1}"
            if sign not in "%._o" or (sign == "%") != (cell is None):
                raise GameError(f"{where} is {'a wall' if cell is None else 'no wall'} in this layout, not '{sign}'")
            if sign in ".o" and cell not in (maze.food if sign == "." else maze.capsules):
                raise GameError(f"there is no {'food' if sign == '.' else 'capsule'} at {where} in this layout")
            if sign == ".":
                food[maze.food.index(cell) // 64] |= 1 << (maze.food.index(cell) % 64)
            elif sign == "o":
                capsules |= 1 << maze.capsules.index(cell)
    for word, bits in enumerate(food):
        s.food[word] = bits
    s.capsules = capsules


def _read_cell(maze, name):
    if name.lower() in maze.named:
        return maze.named[name.lower()]
    raise GameError(f"'{name}' is not a cell that somebody can stand on in this layout")


def _read_direction(word):
    if word.lower() not in DIRECTIONS:
        raise GameError(f"'{word}' is not one of {', '.join(DIRECTIONS)}")
    return DIRECTIONS.index(word.lower())


def validate(maze, s, moves):
    """What is wrong with a state made from outside, in a sentence; None if nothing."""
    ghosts = range(len(maze.ghosts))
    if not all(0 <= cell < maze.size for cell in (s.pacman, *(s.ghosts[g] for g in ghosts))):
        return f"somebody stands outside the cells 0 to {maze.size - 1}"
    if not all(0 <= heading <= STOP for heading in (s.heading, *(s.headings[g] for g in ghosts))):
        return "somebody looks in no direction from 0 to 4"
    if not all(0 <= s.scared[g] <= SCARED for g in ghosts):
        return f"a ghost is scared for 0 to {SCARED} turns"
    if not 0 <= s.turn <= len(maze.ghosts):
        return f"there is no player {s.turn}"
    if not 0 <= s.left <= moves:
        return f"0 to {moves} moves can be left, not {s.left}"
    if max(maze.where(s.food), default=0) >= len(maze.food) or s.capsules >= 1 << len(maze.capsules):
        return "there is food or a capsule where the layout has none"
    return _find_wrong_end(maze, s)


def _find_wrong_end(maze, s):
    if (s.status == WON) != (not maze.where(s.food)):
        return "pac-man has won when all the food is eaten, and not before"
    if s.status == CAUGHT and s.pacman not in s.ghosts[: len(maze.ghosts)]:
        return "pac-man is caught, but no ghost is where he is"
    if (s.status == TIRED) != (s.left == 0 and s.turn == 0 and s.status in (PLAYING, TIRED)):
        return "the game ends when no move is left, and not before"
    return None if PLAYING <= s.status <= TIRED else f"there is no status {s.status}"
