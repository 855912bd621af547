"""Pac-man: a second implementation in plain sets, the rules case by case, the ghosts' odds, the two classic lessons."""

import os
import subprocess
import sys
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from tests.games.small_games import check_interpreted, check_presentation, drawn_cells, payoffs, refusal
from zermelo.core.game import CHANCE, OVER, Marks
from zermelo.games.pac_man import read_layout
from zermelo.games.pac_man.maze import LAYOUTS, make_maze
from zermelo.search.playout import playouts
from zermelo.textbook import (
    best_action,
    expectimax,
    expectiminimax,
    greedy,
    limited_expectimax,
    limited_minimax,
    uniform,
)

DIRECTIONS = ("north", "south", "east", "west", "stop")
KINDS = ("minimizers", "uniform", "directional")


def load(layout, **options):
    return zermelo.load("pac-man", layout=layout, **options)


def plain(layout, **options):
    """The same run by plain Python: many small mazes, of which none is worth compiling."""
    return load(layout, compiled=False, **options)


def play(game, moves, s=None):
    """The state after `moves`, written as words or as their first letters (the stop of a resting ghost: '.')."""
    s = game.start() if s is None else s
    for word in moves.split() if " " in moves else moves:
        s = game.succ(s, game.parse_action(s, "stop" if word == "." else word))
    return s


# -- a second implementation: sets of places, nothing numbered ---------------------------------------------------------


class Reference:
    """The rules as a person would tell them, over (x, y)."""

    steps = {"north": (0, -1), "south": (0, 1), "east": (1, 0), "west": (-1, 0), "stop": (0, 0)}
    opposite = {"north": "south", "south": "north", "east": "west", "west": "east"}

    def __init__(self, layout, moves=500):
        signs = {(x, y): c for y, row in enumerate(layout.strip("\n").split("\n")) for x, c in enumerate(row)}
        self.open = {at for at, c in signs.items() if c != "%"}
        self.food = {at for at, c in signs.items() if c == "."}
        self.capsules = {at for at, c in signs.items() if c == "o"}
        self.pacman = next(at for at, c in signs.items() if c == "P")
        self.homes = [at for at, c in signs.items() if c == "G"]
        self.ghosts, self.came, self.timers = list(self.homes), [None] * len(self.homes), [0] * len(self.homes)
        self.turn, self.left, self.score, self.end = 0, moves, 0, None

    def ways(self, at):
        return [d for d in DIRECTIONS[:4] if self.step(at, d) in self.open]

    def step(self, at, direction):
        return at[0] + self.steps[direction][0], at[1] + self.steps[direction][1]

    def legal(self):
        if self.turn == 0:
            return self.ways(self.pacman)
        g = self.turn - 1
        if self.timers[g] in range(2, 41, 2):
            return ["stop"]
        ways = self.ways(self.ghosts[g])
        return [d for d in ways if d != self.opposite.get(self.came[g])] or ways or ["stop"]

    def odds(self, kind):
        """direction → probability, for the ghost to move."""
        legal, g = self.legal(), self.turn - 1
        if kind == "uniform":
            return {d: 1 / len(legal) for d in legal}
        far = {
            d: sum(abs(a - b) for a, b in zip(self.step(self.ghosts[g], d), self.pacman, strict=True)) for d in legal
        }
        best = (max if self.timers[g] else min)(far.values())
        liked = [d for d in legal if far[d] == best]
        return {d: 0.2 / len(legal) + (0.8 / len(liked) if d in liked else 0) for d in legal}

    def play(self, direction):
        if self.turn == 0:
            self.pacman = self.step(self.pacman, direction)
            self.left, self.score = self.left - 1, self.score - 1
            if self.pacman in self.capsules:
                self.capsules -= {self.pacman}
                self.timers = [40] * len(self.ghosts)
            if self.pacman in self.food:
                self.food -= {self.pacman}
                self.score += 10
                if not self.food:
                    self.score, self.end = self.score + 500, "won"
            for g in range(len(self.ghosts)):
                self.meet(g)
        else:
            g = self.turn - 1
            self.ghosts[g] = self.step(self.ghosts[g], direction)
            self.came[g] = self.came[g] if direction == "stop" else direction
            self.timers[g] = max(0, self.timers[g] - 1)
            self.meet(g)
        self.turn = (self.turn + 1) % (len(self.ghosts) + 1)
        if self.turn == 0 and self.left == 0 and not self.end:
            self.end = "tired"

    def meet(self, g):
        if self.ghosts[g] == self.pacman and not self.end:
            if self.timers[g]:
                self.ghosts[g], self.came[g], self.timers[g] = self.homes[g], None, 0
                self.score += 200
            else:
                self.score, self.end = self.score - 500, "caught"


def seen(maze, s):
    """A state of the game as the reference has it."""
    at = maze.cells
    ghosts = range(len(maze.ghosts))
    return (
        at[s.pacman],
        [at[s.ghosts[g]] for g in ghosts],
        [s.scared[g] for g in ghosts],
        {at[maze.food[i]] for i in maze.where(s.food)},
        {at[maze.capsules[i]] for i in maze.where([s.capsules])},
        (s.turn, s.left, s.score, (None, "won", "caught", "tired")[s.status]),
    )


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("kind", KINDS)
def test_random_games_go_as_in_the_second_implementation(layout, kind):
    game, maze = plain(layout, ghosts=kind), make_maze(LAYOUTS[layout])
    for seed in range(4):
        rng, s, other = Random(seed), game.start(), Reference(LAYOUTS[layout])
        while True:
            assert seen(maze, s) == (
                other.pacman,
                other.ghosts,
                other.timers,
                other.food,
                other.capsules,
                (other.turn, other.left, other.score, other.end),
            )
            if other.end:
                break
            assert [DIRECTIONS[a] for a in game.actions(s)] == other.legal()
            if game.player(s) == CHANCE:
                odds = {DIRECTIONS[a]: p for a, p in game.chances(s)}
                assert odds == pytest.approx(other.odds(kind))
                assert sum(odds.values()) == pytest.approx(1, abs=1e-12)
            a = rng.choice(game.actions(s))
            s = game.succ(s, a)
            other.play(DIRECTIONS[a])
        assert game.player(s) == OVER
        assert game.utility(s) == other.score


# -- case by case ------------------------------------------------------------------------------------------------------


def test_points():
    game = plain("%P..%\n")
    s = play(game, "e")
    assert (s.score, s.status) == (-1 + 10, 0)
    s = play(game, "e", s)
    assert s.score == -2 + 20 + 500
    assert payoffs(game, s) == [518]
    assert game.player(s) == OVER


def test_ghosts_share_minus_the_score():
    game = plain("%PG .G%\n")
    s = play(game, "e")  # right onto a ghost
    assert payoffs(game, s) == [-501, 250.5, 250.5]
    assert [game.side(p) for p in range(3)] == [0, 1, 1]


def test_caught_by_a_ghost_that_moves_onto_pacman():
    game = plain("%P G.%\n")
    s = play(game, "ew")
    assert (s.score, s.status) == (-501, 2)
    assert game.parse(game.format(s)) == s


def test_two_who_would_swap_places_meet():
    game = plain("%.PG.%\n")
    assert game.player(play(game, "e")) == OVER  # pac-man has moved onto the ghost before it could leave


def test_the_last_dot_wins_even_on_a_ghosts_cell():
    game = plain("%P.G %\n")
    s = play(game, "e")
    assert (s.score, s.status) == (509, 1)
    game = plain("%P G. %\n")
    s = game.parse(game.format(game.start()).replace("d1:stop", "e1:east").replace("b1:west", "d1:east"))
    assert play(game, "e", s).status == 1


def test_capsules_scare_and_scared_ghosts_are_eaten():
    game = plain("%Po  G %.%\n")
    s = play(game, "e")
    assert (s.score, list(s.scared)) == (-1, [40])
    assert list(game.actions(s)) == [4]  # half speed: it rests …
    s = play(game, ".", s)
    assert list(s.scared) == [39]
    s = play(game, "e", s)
    assert [DIRECTIONS[a] for a in game.actions(s)] == ["east", "west"]  # … and moves
    s = play(game, "w", s)
    assert s.score == -2
    s = play(game, "e", s)  # onto it
    assert s.score == -3 + 200
    assert (s.ghosts[0], s.scared[0], s.headings[0]) == (make_maze("%Po  G %.%\n").ghosts[0], 0, 4)


def test_a_scared_ghost_that_runs_into_pacman_is_eaten():
    game = plain("%PoG  %.%\n")
    s = play(game, "e.")
    s = play(game, "w", s)
    s = play(game, "w", s)  # to where the capsule was
    s = play(game, "e", s)
    assert s.score == -3 + 200


def test_scared_for_forty_turns():
    game = plain("%Po %   G   %.%\n")
    s = play(game, "e")
    rested = 0
    for turn in range(40):
        assert s.scared[0] == 40 - turn
        rested += list(game.actions(s)) == [4]
        s = game.succ(s, game.actions(s)[0])
        assert s.turn == 0
        s = game.succ(s, game.actions(s)[0])
    assert s.scared[0] == 0
    assert rested == 20
    assert 4 not in game.actions(s)


def test_the_scare_ends_before_the_meeting():
    game = plain("%P G o .%\n")
    s = game.parse("%____o_.% pacman b1:east ghosts d1:west:1 turn 1 left 9 score 0")
    assert play(game, "w", s).status == 0  # one cell apart
    s = game.parse("%____o_.% pacman c1:east ghosts d1:west:1 turn 1 left 9 score 0")
    assert play(game, "w", s).status == 2  # it is not scared any more when it arrives


def test_ghosts_turn_round_only_in_dead_ends():
    game = plain("%P .....%\n%%%%%%%%\n%G   %%%\n")
    s = game.start()
    for ghost in ("east", "east", "east", "west", "west"):
        s = game.succ(s, game.actions(s)[0])
        assert [DIRECTIONS[a] for a in game.actions(s)] == [ghost]
        s = game.succ(s, game.actions(s)[0])


def test_dead_ends_and_walled_in_ghosts():
    game = plain("%P...%G %G%\n")
    s = play(game, "ee")
    assert list(game.actions(s)) == [4]  # the second ghost has no way at all
    s = play(game, ".e", s)
    assert [DIRECTIONS[a] for a in game.actions(s)] == ["west"]  # the first turns round


def test_stop_and_the_limit_of_moves():
    game = plain("tiny", stop=True, moves=3, ghosts="uniform")
    assert game.variant.max_plies == 6
    s = game.start()
    for _ in range(3):
        assert game.player(s) == 0
        s = play(game, ".", s)
        assert game.player(s) == CHANCE
        s = game.succ(s, game.actions(s)[0])
    assert s.status in (2, 3)
    assert 4 not in plain("tiny").actions(plain("tiny").start())


def test_odds_of_directional_ghosts():
    game = plain("%%%%%%%\n%P .  %\n%% %% %\n%  G  %\n%%%%%%%\n", ghosts="directional")
    s = play(game, "e")
    odds = {DIRECTIONS[a]: p for a, p in game.chances(s)}
    assert odds == pytest.approx({"east": 0.1, "west": 0.9})
    s = game.parse(game.format(s).replace("stop:0", "stop:39"))
    assert {DIRECTIONS[a]: p for a, p in game.chances(s)} == pytest.approx({"east": 0.9, "west": 0.1})


# -- the lessons -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("evaluation", ["better", "score"])
@pytest.mark.parametrize("depth", [2, 3])
def test_where_death_is_certain_minimax_hurries_and_expectimax_hopes(evaluation, depth):
    game = plain("trapped", evaluation=evaluation)
    s = game.start()
    assert limited_minimax(game, s, depth, count="rounds") == -501
    hurries = best_action(game, s, lambda t: limited_minimax(game, t, depth, count="rounds"))
    assert DIRECTIONS[hurries] == "east"
    random_ghosts = {1: uniform(game), 2: uniform(game)}

    def hope(t):
        return limited_expectimax(game, t, depth, random_ghosts, count="rounds")

    assert DIRECTIONS[best_action(game, s, hope)] == "west"
    assert -250 < hope(s) < -100


def test_random_ghosts_are_worth_the_same_as_nature():
    with_players, with_nature = plain("trapped", moves=4), plain("trapped", moves=4, ghosts="uniform")
    random_ghosts = {1: uniform(with_players), 2: uniform(with_players)}
    first = expectimax(with_players, with_players.start(), random_ghosts, memo={})
    assert first == pytest.approx(expectiminimax(with_nature, with_nature.start(), memo={}))
    assert -200 < first < -100


def test_waiting_seems_as_good_as_eating_so_pacman_starves():
    eaten = {}
    for evaluation in ("score", "better"):
        game = plain("starving", evaluation=evaluation)
        agent = greedy(game, lambda t, game=game: limited_minimax(game, t, 2, count="rounds"))
        s, path = game.start(), ""
        while not game.is_end(s) and len(path) < 30:
            path += DIRECTIONS[agent(s)][0]
            s = game.succ(s, agent(s))
        eaten[evaluation] = (path, s.score)
    assert eaten["score"] == ("sn" * 15, -30)
    assert eaten["better"] == ("w" * 10, 510)


# -- layouts -----------------------------------------------------------------------------------------------------------


def test_layouts_are_read_and_refused(tmp_path):
    file = tmp_path / "mine.lay"
    file.write_text("%%%%%\n%P.G%\n%%%%%\n")
    assert read_layout(file) == "%%%%%\n%P.G%\n%%%%%\n"
    assert "cannot be read" in refusal(read_layout, tmp_path / "none.lay")
    file.write_bytes(b"\xff\xfe%")
    assert "cannot be read" in refusal(read_layout, file)
    assert "'x' in row 2, column 3" in refusal(plain, "%%%%%\n%Px.%\n")
    assert "one P" in refusal(plain, "%..%\n")
    assert "one P" in refusal(plain, "%P.P%\n")
    assert "at least one dot" in refusal(plain, "%P G%\n")
    assert "up to 4 ghosts, not 5" in refusal(plain, "%P.GGGGG%\n")
    assert "up to 64 capsules" in refusal(plain, "P." + "o" * 30 + "\n" + "o" * 32 + "\n" + "o" * 3 + "\n")
    assert "not 33 × 1" in refusal(plain, "P" + "." * 32 + "\n")
    assert "no layout is called 'huge'" in refusal(plain, "huge")
    assert "minimizers, uniform, directional" in refusal(lambda: plain("tiny", ghosts="kind"))
    assert "better or score" in refusal(lambda: plain("tiny", evaluation="best"))
    assert "moves" in refusal(lambda: plain("tiny", moves=0))


@pytest.mark.jit
def test_a_layout_as_large_as_they_come():
    rows = ["%" * 32, *["%" + "." * 30 + "%"] * 30, "%" * 32]
    rows[1], rows[30] = "%P" + "." * 29 + "%", "%" + "." * 26 + "1234%"
    game = load("\n".join(rows), moves=10_000)
    assert game.variant.players == 5
    assert len(game.start().food) == 14
    check_presentation_of_start(game)
    assert playouts(game, 3).unfinished == 0


def check_presentation_of_start(game):
    s = game.start()
    assert game.parse(game.format(s)) == s
    assert game.interpreted.start() == s
    assert game.interpreted.evaluate(game.interpreted.start()) == pytest.approx(game.evaluate(s))


# -- numbers, texts, drawings ------------------------------------------------------------------------------------------


@pytest.mark.jit
@settings(max_examples=12)
@given(
    st.sampled_from([("small", "minimizers"), ("small", "directional"), ("trapped", "uniform")]), st.integers(0, 10**6)
)
def test_presentation_and_plain_python(variant, seed):
    game = load(variant[0], ghosts=variant[1], moves=25)
    check_presentation(game, seed)
    check_interpreted(game, seed)


def test_the_key_is_blind_to_where_pacman_looks():
    game = plain("open")
    assert game.key(play(game, "e")) != game.key(game.start())
    looks = [game.parse(game.format(game.start()).replace("b8:west", f"b8:{d}")) for d in DIRECTIONS]
    assert len(set(looks)) == 5
    assert len({game.key(s) for s in looks}) == 1


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("pacman", "pac", "looks like"),
        ("b4:west", "a5:west", "'a5' is not a cell"),
        ("b4:west", "b4:up", "'up' is not one of north"),
        ("f2:stop:0", "-", "1 ghosts in this layout, not 0"),
        ("f2:stop:0", "f2:stop", "ghost 1 is 'f2:stop'"),
        ("f2:stop:0", "f2:stop:41", "scared for 0 to 40"),
        ("turn 0", "turn 2", "no player 2"),
        ("left 500", "left 501", "0 to 500 moves"),
        ("%___._%", "%____._%", "5 rows of 7 signs"),
        ("%___._%", "%__.__%", "no food at row 2, column 4"),
        ("%___._%", "%__o__%", "no capsule at row 2, column 4"),
        ("%___._%", "%%__._%", "no wall in this layout"),
        ("%___._%", "___._%%", "a wall in this layout"),
        ("score 0", "score 0 caught", "no ghost is where he is"),
    ],
)
def test_bad_positions(old, new, says):
    game = plain("tiny")
    text = game.format(game.start())
    assert old in text
    assert says in refusal(game.parse, text.replace(old, new))


def test_moves_are_read_in_several_ways():
    game = plain("tiny")
    s = game.start()
    assert {game.parse_action(s, word) for word in ("south", "S", "down", " b3 ")} == {1}
    assert game.clicks(s, 1) == ("b3",)
    assert "north is not possible here; possible is south, east" in refusal(game.parse_action, s, "n")
    assert "neither a direction nor a neighbouring cell" in refusal(game.parse_action, s, "f2")
    short = plain("%P.%\n")
    assert refusal(short.parse_action, play(short, "e"), "w") == "the game is over"


GOLDEN = """\
██████████████
██◑     ·   ██
██  ██████  ██
██·   ●   ∩ ██
██████████████
score 0, 2 dots, 500 moves left; pac-man to move"""


def test_the_text_drawing():
    game = plain("tiny")
    assert game.text(game.start()) == GOLDEN
    scared = game.parse(
        "%%%%%%%/%___._%/%_%%%_%/%.____%/%%%%%%% pacman d2:east ghosts f2:stop:39 turn 0 left 9 score 0"
    )
    assert "██·   ◐   n ██" in game.text(scared)
    assert "ghost 1 is scared for 39 turns" in game.text(scared)


def test_the_svg_drawing():
    game = plain("small")
    s = game.start()
    assert drawn_cells(game, s) == set(make_maze(LAYOUTS["small"]).names)
    assert "pm-afraid" not in game.svg(s).split("</style>")[1]
    afraid = game.parse(game.format(s).replace("l8:stop:0", "l8:stop:30"))
    assert "pm-afraid" in game.svg(afraid).split("</style>")[1]
    marked = game.svg(s, Marks(last=("h4",), targets=("g4", "i4"), flip=True))
    assert marked.count('class="target"') == 2
    assert marked != game.svg(s)


# -- a past bug --------------------------------------------------------------------------------------------------------

TWO_VARIANTS = """
import sys, zermelo
for layout in sys.argv[1:]:
    game = zermelo.load("pac-man", layout=layout)
    s = game.start()
    plain = game.interpreted
    for _ in range(20):
        if game.is_end(s):
            break
        s = game.succ(s, game.actions(s)[-1])
        assert plain.parse(game.format(s)) == s
        assert plain.actions(plain.parse(game.format(s))) == game.actions(s), layout
"""


@pytest.mark.jit
@pytest.mark.slow
def test_machine_code_kept_by_two_processes_is_not_mixed_up(tmp_path):
    for layouts in (["small"], ["trapped"], ["small", "trapped"], ["trapped", "small"]):
        environment = {**os.environ, "ZERMELO_CACHE": str(tmp_path)}
        command = [sys.executable, "-c", TWO_VARIANTS, *layouts]
        done = subprocess.run(command, check=False, env=environment, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr


@pytest.mark.jit
def test_random_games_end():
    result = playouts(load("medium"), 500)
    assert result.unfinished == 0
    assert np.isfinite(result.mean).all()
