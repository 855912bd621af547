"""Pac-man: eat every dot of a maze before the ghosts catch you. One agent against a team of ghosts, or against chance.

Open cells are numbered row by row from the top, walls are not (see `maze.py`, where the layouts are drawn):

    %%%%%%%     food      bit i: the layout's i-th dot has not been eaten      64 bits a word
    %0 1 2%     capsules  bit i: nor has its i-th capsule
    %3%%%4%     pacman    his cell               heading   where he looks; matters to nobody but the drawing
    %5678 %     ghosts    their cells            headings  where each came in; STOP where it has not moved yet
    %%%%%%%     scared    turns each ghost stays scared
                turn      whose turn: 0 pac-man, 1 … the ghosts, one after the other
                left      pac-man's moves left   score     his points so far      status   PLAYING, WON, CAUGHT, TIRED

An action is a direction: 0 north, 1 south, 2 east, 3 west, 4 stop. Points: −1 a move, +10 a dot, +200 a scared ghost,
+500 the last dot, −500 caught. A capsule scares every ghost for 40 of its turns; a scared ghost stands still on every
other turn, and goes back to its start when it meets pac-man. Ghosts never stop by themselves and turn round only in a
dead end. Whoever has just moved is checked for a meeting, so two who would swap places meet.

`ghosts="minimizers"`: they are players 1, 2, …, one team, who share minus the score. `"uniform"` and `"directional"`:
they are nature's, pac-man is alone; directional ghosts head for him (away, when scared) with probability 0.8.

What a network sees of the maze, walls included: 0 the walls, 1 dots, 2 capsules, 3 pac-man; three planes that are the
same on all open cells: 4 how many ghosts move before pac-man does, 5 and 6 his moves left (modulo 128, and how often
128); then two for each ghost, in the order in which they move next: 1 where it is and −1 where it came from, for it may
not turn round; and how long it stays scared, where it is. The score so far is not to be seen.

The arcade game is Namco's of 1980; points, scared times and ghosts are those of the Pac-Man projects with which
universities teach this subject (DeNero and Klein 2010), except that theirs lets scared ghosts take half steps.
"""

import numpy as np

from zermelo.compile.bits import lowest, popcount
from zermelo.compile.random import scramble
from zermelo.compile.rules import helper, rules
from zermelo.core.game import CHANCE, OVER, GameError
from zermelo.games.pac_man import drawing as picture
from zermelo.games.pac_man import notation
from zermelo.games.pac_man.lessons import lessons
from zermelo.games.pac_man.maze import find_maze, read_layout
from zermelo.games.pac_man.notation import CAUGHT, DIRECTIONS, PLAYING, SCARED, STOP, TIRED, WEST, WON

__all__ = ["lessons", "pac_man", "read_layout"]

TIME, FOOD, GHOST, WIN, LOSS = -1, 10, 200, 500, -500
HEADING_FOR = 0.8  # how often a directional ghost goes where it wants to
KINDS = ("minimizers", "uniform", "directional")
MOST_MOVES = 10_000
PROGRESS, FEAR = 250, 100  # of the evaluation, in points

u64 = np.uint64
ONE, NONE = u64(1), u64(0)


@rules(name="pac-man")
def pac_man(layout="small", ghosts="minimizers", moves=500, stop=False, evaluation="better"):
    """Eat every dot of a maze before the ghosts catch you."""
    if ghosts not in KINDS:
        raise GameError(f"pac-man: ghosts are {', '.join(KINDS)}, not '{ghosts}'")
    if evaluation not in ("better", "score"):
        raise GameError(f"pac-man: the evaluation is better or score, not '{evaluation}'")
    if not 1 <= moves <= MOST_MOVES:
        raise GameError(f"pac-man: a game has 1 to {MOST_MOVES} moves, not {moves}")
    MAZE = find_maze(layout)
    GHOSTS, MOVES, PACMAN = len(MAZE.ghosts), moves, MAZE.pacman
    NEXT = MAZE.next
    EXITS = np.array([sum(1 << d for d in range(4) if row[d] >= 0) for row in NEXT], np.uint8)  # bit d: the way is open
    XS, YS = np.array(MAZE.cells, np.int16).T.copy()
    FOOD_WORDS, DOTS = -(-len(MAZE.food) // 64), len(MAZE.food)
    ALL_FOOD = np.array([sum(1 << i for i in range(min(64, DOTS - 64 * w))) for w in range(FOOD_WORDS)], np.uint64)
    ALL_CAPSULES = u64((1 << len(MAZE.capsules)) - 1)
    FOOD_AT, CAPSULE_AT = MAZE.numbers(MAZE.food), MAZE.numbers(MAZE.capsules)
    FOOD_CELLS = np.array(MAZE.food, np.int16)
    CAPSULE_CELLS = np.array([*MAZE.capsules, 0], np.int16)
    OPEN = set(MAZE.cells)
    WALLS = [(x, y) for y in range(MAZE.height) for x in range(MAZE.width) if (x, y) not in OPEN]
    WALL_XS, WALL_YS = np.array(WALLS, np.int16).reshape(-1, 2).T.copy()
    STARTS = np.array([*MAZE.ghosts, 0], np.int16)
    STEPS = MAZE.steps()
    CHASE, CHANCY, HEADS = HEADING_FOR, ghosts != "minimizers", ghosts == "directional"
    MAY_STOP, SHARE = stop, max(1, GHOSTS)

    @helper
    def list_directions(exits, out):
        """The directions whose bits are set in `exits`, written into `out`; how many. Without a branch: mazes wind."""
        n = 0
        for direction in range(4):
            out[n] = direction
            n += exits >> direction & 1
        return n

    @helper
    def ghost_moves(s, g, out):
        """What ghost `g` may do: no way back where there is another, and nothing when it rests or is walled in."""
        exits = int(EXITS[s.ghosts[g]])
        onward = exits & ~(1 << (s.headings[g] ^ 1))  # STOP ^ 1 is no direction's bit
        resting = s.scared[g] > 0 and s.scared[g] % 2 == 0  # 40 rests, 39 moves, 38 rests, …
        if resting or exits == 0:
            out[0] = STOP
            return 1
        return list_directions(onward if onward != 0 else exits, out)

    @helper
    def gap(s, g, direction):
        """Columns plus rows between pac-man and ghost `g` after a step."""
        cell = s.ghosts[g] if direction == STOP else NEXT[s.ghosts[g], direction]
        return abs(int(XS[cell]) - int(XS[s.pacman])) + abs(int(YS[cell]) - int(YS[s.pacman]))

    @helper
    def weigh(s, g, out, probability, n):
        """The probabilities of a directional ghost's `n` moves: most on those nearest to (or farthest from) pac-man."""
        sign = -1.0 if s.scared[g] > 0 else 1.0
        best, count = np.inf, 0
        for i in range(n):
            probability[i] = sign * gap(s, g, out[i])  # how little it wants this, for a moment
            if probability[i] < best:
                best, count = probability[i], 0
            if probability[i] == best:
                count += 1
        for i in range(n):
            wanted = probability[i] == best
            probability[i] = (1.0 - CHASE) / n + (CHASE / count if wanted else 0.0)

    @helper
    def eat(s):
        """Pac-man eats what lies where he stands."""
        dot, capsule = int(FOOD_AT[s.pacman]), int(CAPSULE_AT[s.pacman])
        if dot >= 0:
            bit = ONE << u64(dot & 63)
            if s.food[dot >> 6] & bit != NONE:
                s.food[dot >> 6] = s.food[dot >> 6] & ~bit
                s.score += FOOD
                left = NONE
                for word in range(FOOD_WORDS):
                    left |= s.food[word]
                if left == NONE:
                    s.score += WIN
                    s.status = WON
        elif capsule >= 0 and s.capsules & (ONE << u64(capsule)) != NONE:
            s.capsules = s.capsules & ~(ONE << u64(capsule))
            for g in range(GHOSTS):
                s.scared[g] = SCARED

    @helper
    def meet(s, g):
        """If ghost `g` and pac-man stand on one cell, one of them is eaten."""
        if s.ghosts[g] != s.pacman or s.status != PLAYING:
            return
        if s.scared[g] > 0:
            s.score += GHOST
            s.ghosts[g] = STARTS[g]
            s.headings[g] = STOP
            s.scared[g] = 0
        else:
            s.score += LOSS
            s.status = CAUGHT

    @helper
    def move_pacman(s, direction):
        if direction != STOP:
            s.pacman = NEXT[s.pacman, direction]
            s.heading = direction
        s.left -= 1
        s.score += TIME
        eat(s)
        for g in range(GHOSTS):
            meet(s, g)

    @helper
    def move_ghost(s, g, direction):
        if direction != STOP:
            s.ghosts[g] = NEXT[s.ghosts[g], direction]
            s.headings[g] = direction
        if s.scared[g] > 0:
            s.scared[g] -= 1
        meet(s, g)

    @helper
    def nearest_food(s):
        nearest = 255
        for word in range(FOOD_WORDS):
            left = s.food[word]
            while left != NONE:
                nearest = min(nearest, int(STEPS[s.pacman, FOOD_CELLS[64 * word + lowest(left)]]))
                left = left & (left - ONE)
        return nearest

    @helper
    def write_ghost(s, g, plane, out):
        here = s.ghosts[g]
        behind = -1 if s.headings[g] == STOP else int(NEXT[here, s.headings[g] ^ 1])
        if behind >= 0:
            out[plane, YS[behind], XS[behind]] = -1
        out[plane, YS[here], XS[here]] = 1
        out[plane + 1, YS[here], XS[here]] = s.scared[g]

    @helper
    def write_maze(s, out):
        """What is there to be eaten, and walls."""
        for i in range(len(WALL_XS)):
            out[0, WALL_YS[i], WALL_XS[i]] = 1
        for word in range(FOOD_WORDS):
            left = s.food[word]
            while left != NONE:
                cell = FOOD_CELLS[64 * word + lowest(left)]
                left = left & (left - ONE)
                out[1, YS[cell], XS[cell]] = 1
        left = s.capsules
        while left != NONE:
            cell = CAPSULE_CELLS[lowest(left)]
            left = left & (left - ONE)
            out[2, YS[cell], XS[cell]] = 1

    @helper
    def dots_left(s):
        n = 0
        for word in range(FOOD_WORDS):
            n += popcount(s.food[word])
        return n

    def evaluate_score(s):
        """The score so far."""
        return float(s.score)

    def evaluate_better(s):
        """Points: the score, a part of the prize for what has been eaten, and who is near.

        However far the next dot is, eating one always pays: the pull of the nearest is worth less than a dot.
        """
        near = nearest_food(s)
        value = s.score + PROGRESS * (DOTS - dots_left(s)) / DOTS - FOOD * near / (near + 4.0)
        for g in range(GHOSTS):
            d = int(STEPS[s.pacman, s.ghosts[g]])
            if s.scared[g] > d:
                value += 0.5 * GHOST / (d + 1.0)
            else:
                value -= FEAR / (d * d + 0.5)
        return value

    class PacMan:
        __doc__ = f"Eat {DOTS} dots before {GHOSTS} ghosts catch you."
        players = 1 if CHANCY else 1 + GHOSTS
        teams = None if CHANCY else (0, *[1] * GHOSTS)
        zero_sum = players > 1
        max_actions = 5 if stop else 4
        max_chance_outcomes = 4 if CHANCY else 0
        max_plies = moves * (1 + GHOSTS)
        policy_size, plane_shape = 5, (7 + 2 * GHOSTS, MAZE.height, MAZE.width)
        state = {
            "food": ("u8", (FOOD_WORDS,)),
            "capsules": "u8",
            "score": "i4",
            "pacman": "i2",
            "ghosts": ("i2", (SHARE,)),
            "left": "i2",
            "heading": "i1",
            "headings": ("i1", (SHARE,)),
            "scared": ("i1", (SHARE,)),
            "turn": "i1",
            "status": "i1",
        }

        def start(s):
            for word in range(FOOD_WORDS):
                s.food[word] = ALL_FOOD[word]
            s.capsules = ALL_CAPSULES
            s.pacman, s.heading, s.left = PACMAN, WEST, MOVES
            for g in range(GHOSTS):
                s.ghosts[g] = STARTS[g]
                s.headings[g] = STOP

        def player(s):
            if s.status != PLAYING:
                return OVER
            return CHANCE if CHANCY and s.turn > 0 else s.turn

        def actions(s, out):
            if s.turn > 0:
                return ghost_moves(s, s.turn - 1, out)
            n = list_directions(int(EXITS[s.pacman]), out)
            if MAY_STOP or n == 0:
                out[n] = STOP
                n += 1
            return n

        def apply(s, direction):
            if s.turn == 0:
                move_pacman(s, direction)
            else:
                move_ghost(s, s.turn - 1, direction)
            s.turn = s.turn + 1 if s.turn < GHOSTS else 0
            if s.turn == 0 and s.left == 0 and s.status == PLAYING:
                s.status = TIRED

        def utility(s, out):
            out[0] = s.score
            if not CHANCY:
                for g in range(GHOSTS):
                    out[1 + g] = -s.score / GHOSTS

        if CHANCY:

            def chances(s, out, probability):
                g = s.turn - 1
                n = ghost_moves(s, g, out)
                if HEADS:
                    weigh(s, g, out, probability, n)
                else:
                    for i in range(n):
                        probability[i] = 1.0 / n
                return n

        evaluate = evaluate_better if evaluation == "better" else evaluate_score

        def key(s):
            """Everything but where pac-man looks."""
            k = u64((s.score + 0x40000000) | s.left << 32 | s.turn << 48 | s.status << 52) | u64(s.pacman) << u64(54)
            k = scramble(scramble(k) ^ s.capsules)
            for word in range(FOOD_WORDS):
                k = scramble(k ^ s.food[word])
            for g in range(GHOSTS):
                k = scramble(k ^ u64(s.ghosts[g] | s.headings[g] << 16 | s.scared[g] << 24 | (g + 1) << 32))
            return k

        # -- for learning ----------------------------------------------------------------------------------------

        def planes(s, out):
            first = max(s.turn - 1, 0)
            write_maze(s, out)
            out[3, YS[s.pacman], XS[s.pacman]] = 1
            for i in range(len(XS)):
                out[4, YS[i], XS[i]] = 0 if s.turn == 0 else GHOSTS - first
                out[5, YS[i], XS[i]] = s.left & 127
                out[6, YS[i], XS[i]] = s.left >> 7
            for i in range(GHOSTS):
                write_ghost(s, (first + i) % GHOSTS, 7 + 2 * i, out)

        # -- notation and drawing --------------------------------------------------------------------------------

        def format_action(s, a):
            return DIRECTIONS[a]

        def parse_action(s, text):
            return notation.parse_action(MAZE, s, text)

        def clicks(s, a):
            return (MAZE.name(notation.target(MAZE, s, a)),)

        def format(s):
            return notation.format_position(MAZE, s)

        def parse(s, text):
            notation.parse_position(MAZE, s, text)

        def validate(s):
            return notation.validate(MAZE, s, MOVES)

        def text(s):
            return picture.draw_text(MAZE, s)

        def svg(s, marks):
            return picture.draw_svg(MAZE, s, marks)

        def lessons():
            return lessons()

    return PacMan
