"""What pac-man teaches about agents, described for whoever shows it: found by the name `lessons` in the game's file.

What an agent believes about the ghosts and what they are, are two choices. The search runs in the variant in which the
ghosts are players (`everybody`); a belief says how it treats them there. A `world` says what they do in truth.
"""

from zermelo.games.pac_man.maze import LAYOUTS
from zermelo.games.pac_man.notation import CAUGHT, TIRED, WON

MAZES = {
    "tiny": "tiny: 2 dots, 1 ghost",
    "small": "small: 2 ghosts",
    "medium": "medium: 3 ghosts",
    "open": "open: a hall, 1 ghost",
    "trapped": "trapped: between 2 ghosts",
    "starving": "starving: 2 dots, no ghost",
}
assert MAZES.keys() == LAYOUTS.keys()

ABOUT = (
    "Pac-man (yellow) earns 10 points a dot and 500 more for the last one, loses 500 when a ghost catches him, and "
    "pays 1 for every move. He searches so many rounds ahead (a round: his move and every ghost's), takes the move "
    "that looks best, and thinks again."
)
STARVING = (
    "There is no ghost, one dot lies next to pac-man, another at the far end. With three moves of foresight and the "
    "score as the evaluation, eating the near dot now and eating it two moves later are worth exactly the same: the "
    "other dot lies beyond the horizon either way. Among equals the first move is taken, and after it the agent thinks "
    "again, with the same result. It puts eating off for as long as there is time. An evaluation that sees how far "
    "the food is ends this."
)
TRAPPED = (
    "Pac-man stands in a corridor between two ghosts. If both play their worst he is lost whatever he does, and every "
    "move costs a point: minimax runs into the nearer ghost at once, which is the best of what it believes in. These "
    "ghosts move at random. Expectimax, which believes just that, goes west: with probability 2/3 the way is free."
)


def lessons():
    """The choices of a page about agents in this game, and two lessons that are ready to run."""
    starving = {"layout": "starving", "world": "uniform", "agent": "minimax", "depth": 3, "seed": 0}
    trapped = {"layout": "trapped", "world": "uniform", "evaluation": "better", "depth": 3, "seed": 0}
    return {
        "title": "Pac-Man",
        "about": ABOUT,
        "agent": "pac-man",
        "others": "the ghosts",
        "everybody": {"ghosts": "minimizers"},  # the variant in which the others are players
        "choices": {  # options of the game: what they are called, and what can be chosen
            "layout": ("Maze", MAZES),
            "evaluation": (
                "Evaluation at the horizon",
                {"better": "better: also how near food and ghosts are", "score": "simple: the score, nothing else"},
            ),
        },
        "worlds": {  # what the others are, and the variant in which nature moves them so; None: they search, too
            "minimizers": ("at their worst: they search, too", None),
            "uniform": ("random", {"ghosts": "uniform"}),
            "directional": ("heading for pac-man, mostly", {"ghosts": "directional"}),
        },
        "usual": {
            "layout": "small",
            "evaluation": "better",
            "world": "directional",
            "agent": "expectimax",
            "depth": 3,
            "seed": 0,
        },
        "score": score,
        "ending": ending,
        "lessons": [
            {
                "title": "Why pac-man starves",
                "text": STARVING,
                "is_random": False,
                "moral": "Watch him go to and fro for 300 moves; then run the other one: he wins in ten.",
                "runs": [
                    ("with the simple evaluation", {**starving, "evaluation": "score"}),
                    ("with the better one", {**starving, "evaluation": "better"}),
                ],
            },
            {
                "title": "The suicidal minimax agent",
                "text": TRAPPED,
                "is_random": True,
                "moral": "Neither agent is stupid: one has the wrong model of the others. Play 20 games of each.",
                "runs": [
                    ("minimax: expects the worst", {**trapped, "agent": "minimax"}),
                    ("expectimax: expects chance", {**trapped, "agent": "expectimax"}),
                ],
            },
        ],
    }


def score(s):
    return int(s.score)


def ending(s):
    """How a game that is over has ended, and whether that is a win: (words, bool)."""
    words = {WON: "pac-man has eaten everything", CAUGHT: "pac-man is caught", TIRED: "time is up"}
    return words.get(int(s.status), "unfinished"), int(s.status) == WON
