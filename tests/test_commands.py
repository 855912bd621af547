"""Every command that a document shows, or a program prints, is run: made short, in a folder that has what they name."""

import os
import re
import shlex
import subprocess
import sys

import pytest

from tests.test_documents import DOCUMENTS, ROOT, commands_in

PATIENCE = 300  # seconds
SERVES = {"studio"}  # does not end by itself; tests/interfaces/studio begins and ends it
NEEDS = ("gnubg", "stockfish", "gnugo", "gtp-rhino", "cuda")  # programs and cards, which need not be there

# what stands for something in the documents
STANDS_FOR = {
    "weights GAME": "weights connect-four",
    "replay FILE --as pgn": "replay chess.jsonl --as pgn",
    "evaluator=FILE": "evaluator=handcrafted",
    "weights runs/zero-go-1": "weights go",
    "GAME": "tic-tac-toe",
    "FILE": "games.jsonl",
    "OPPONENT": "random",
    "alphabeta:LIMIT": "alphabeta:depth=1",
    "evaluator=learned": "evaluator=handcrafted",
    "path/to/file.py:TakeTwo": "take_two.py:TakeTwo",
    "check my-game": "check my_game.py:MyGame",
}
# what makes them short: options whose values are replaced, and those that are added where they are not given
SHORT = {
    "--seconds": "0.3",
    "--games": "2",
    "--trees": "2",
    "--rounds": "2",
    "--positions": "2",
    "--openings": "1",
    "--searches": "1",
    "--limit": "2",
}
ADDED = {
    "train": {"--games": "2", "--games-per-round": "2", "--pretrain": "0", "--threads": "1"},
    "match": {"--games": "2", "--jobs": "0"},
    "tournament": {"--games": "2", "--jobs": "0"},
    "check": {"--seconds": "1", "--games": "5"},
    "search": {"--seconds": "0.3"},
}

LITTLE = {"train": ["--rounds", "1", "--parallel-games", "8", "--blocks", "1", "--channels", "8"], "plan": ["--help"]}


def documented():
    lines = {" ".join(line.partition("#")[0].split()) for path in DOCUMENTS for line in commands_in(path.read_text())}
    return sorted(line for line in lines if line.split()[1] not in SERVES and "until Ctrl-C" not in line)


def shortened(line):
    """The arguments of a command line, with what it stands for filled in and less to do."""
    for word, meant in STANDS_FOR.items():
        line = re.sub(rf"(?<![\w/.]){re.escape(word)}(?![\w-])", meant, line)
    line = re.sub(r"\bseconds=[\w.]+", "seconds=0.01", line)
    line = re.sub(r"\bsimulations=\w+", "simulations=20", line)
    _, command, *words = shlex.split(line)
    if not words:
        return [command] if command in ("games", "doctor") else [command, "--help"]
    if command == "experiment" and len(words) == 1:  # the experiment itself is meant, not one of a game
        words.append("--help")
    for i, word in enumerate(words[:-1]):
        words[i + 1] = SHORT.get(word, words[i + 1])
    if command == "perft":
        words = [re.sub(r"^\d+$", "2", word) for word in words]
    if command == "replay":
        words = ["1" if words[i - 1] == "--game" else word for i, word in enumerate(words)]
    if words[0] == "zero" and command in LITTLE:
        return [command, *words, *(LITTLE[command] if len(words) > 1 else ["--help"])]
    for option, value in ADDED.get(command, {}).items():
        if option not in words and not (option == "--seconds" and {"--depth", "--nodes"} & set(words)):
            words += [option, value]
    return [command, *words]


def run(arguments, folder):
    own = {"COLUMNS": "200", "PYTHONPATH": str(ROOT / "src")}
    own |= {"XDG_STATE_HOME": str(folder / "state"), "ZERMELO_TABLES": str(folder / "tables")}
    return subprocess.run(
        [sys.executable, "-m", "zermelo", *arguments],
        cwd=folder,
        env={**os.environ, **own},
        input="quit\n",
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def must_be_fine(arguments, done):
    """Ended as it should: 0, or 1 where something was found; or a program of others is not there."""
    said = f"zermelo {shlex.join(arguments)}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    assert "Traceback" not in done.stderr, said
    missing = any(program in " ".join(arguments) for program in NEEDS) and done.returncode == 2
    assert done.returncode == 0 or missing, said


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """What the documents' commands find: a game of one's own, games that were played, a training."""
    place = tmp_path_factory.mktemp("documented")
    block = next(b for b in re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "learning.md").read_text(), re.DOTALL))
    (place / "take_two.py").write_text(block)
    for arguments in (
        ["new", "my-game"],
        ["match", "tic-tac-toe", "random", "random", "--games", "2", "--jobs", "0", "--record", "games.jsonl"],
        ["match", "chess", "random", "random", "--games", "2", "--jobs", "0", "--record", "chess.jsonl"],
        ["play", "tic-tac-toe", "--players", "random,human"],
        ["train", "tic-tac-toe", "--games", "2", "--games-per-round", "2"],
        ["tables", "build", "checkers", "--limit", "2"],
    ):
        must_be_fine(arguments, run(arguments, place))
    return place


@pytest.mark.slow
@pytest.mark.jit
@pytest.mark.parametrize("line", documented())
def test_a_command_of_the_documents_runs(line, folder, tmp_path):
    arguments = shortened(line)
    keeps = {"--record", "new", "--resume"} & set(arguments)  # these write where something may be already
    place = folder
    if keeps:
        place = tmp_path
        for name in ("games.jsonl", "runs", "state"):
            if (folder / name).exists() and "--record" not in arguments:
                (place / name).symlink_to(folder / name)
    must_be_fine(arguments, run(arguments, place))


# -- what programs print -----------------------------------------------------------------------------------------------

PRINTERS = (
    ["new", "ours", "--kind", "movement"],
    ["new", "dicey", "--kind", "dice"],
    ["train", "nim", "--games", "20", "--games-per-round", "20"],
    ["train", "othello", "-o", "size=6", "--games", "2", "--games-per-round", "2"],
    ["doctor"],
    ["games"],
    ["weights", "nim"],
    ["match", "tic-tac-toe", "random", "random", "--games", "2", "--jobs", "0", "--record", "played.jsonl"],
    ["search", "tic-tac-toe", "--depth", "2"],
    ["train"],
    ["play", "nim", "--players", "human,random"],
)


def printed_commands(text):
    """`zermelo …` at the beginning of a line, after a colon, or in quotes or backticks."""
    found = re.findall(r"^\s*(zermelo (?!:)[a-z]+ .*?)(?: {3,}.*)?$", text, re.MULTILINE)
    found += re.findall(r"[`'](zermelo [a-z]+ [^`'\n]+)[`']", text)
    found += re.findall(r": (zermelo [a-z]+ [^;\n]+?)(?:, | ?[;.]|$)", text, re.MULTILINE)
    return [line.strip().rstrip(".") for line in dict.fromkeys(found) if "…" not in line and "FOLDER" not in line]


@pytest.mark.slow
@pytest.mark.jit
@pytest.mark.parametrize("printer", PRINTERS, ids=" ".join)
def test_a_command_that_is_printed_runs(printer, tmp_path):
    done = run(printer, tmp_path)
    for line in printed_commands(done.stdout + "\n" + done.stderr):
        if line.split()[1] not in SERVES:
            arguments = shortened(line)
            must_be_fine(arguments, run(arguments, tmp_path))


def test_what_is_printed_is_found():
    text = (
        "wrote x.py\n\n    zermelo check x.py:X      are its rules right?\nplay it: zermelo play nim -o fruits=9; done"
    )
    assert printed_commands(text) == ["zermelo check x.py:X", "zermelo play nim -o fruits=9"]


def test_commands_are_made_short():
    assert shortened("zermelo search chess --seconds 5 --why") == ["search", "chess", "--seconds", "0.3", "--why"]
    assert shortened("zermelo train") == ["train", "--help"]
    assert shortened("zermelo perft chess 5 --divide") == ["perft", "chess", "2", "--divide"]
    assert shortened("zermelo replay FILE --as pgn") == ["replay", "chess.jsonl", "--as", "pgn"]
    assert len(documented()) > 50
