"""GNU Backgammon's interface for external controllers in a few lines, and its vices: `fake_gnubg.py VICE OPTIONS`.

Its plays are those for a 3-1 at the start; it values a position by the lead in pips of whoever is to roll.
"""

import re
import socket
import sys
import time
from pathlib import Path


def main():
    vice, options = sys.argv[1], dict(word.partition("=")[::2] for word in sys.argv[2:])
    if vice == "dead":
        print("out of luck")
        sys.exit(3)
    if vice == "mute":
        time.sleep(1000)
    place = re.search(r"external (.+)", Path(options["--commands"]).read_text())[1]
    door = socket.socket(socket.AF_UNIX)
    door.bind(place)
    door.listen(1)
    line, _ = door.accept()
    for question in line.makefile("r"):
        if vice == "crash":
            sys.exit(7)
        if vice == "hang":
            time.sleep(1000)
        line.sendall(answer(question, vice).encode() + b"\n")
    if vice == "stubborn":
        time.sleep(1000)


def answer(question, vice):
    if vice == "garbage":
        return "Error: \xff nonsense".encode("ascii", "replace").decode()
    if not question.startswith("evaluation fibsboard "):
        return {"illegal": "24/1", "empty": ""}.get(vice, "8/5 6/5 ")
    board = [int(n) for n in question.split(":")[6:32]]
    pips = sum((25 - i) * -n for i, n in enumerate(board) if n < 0) - sum(i * n for i, n in enumerate(board) if n > 0)
    return f"0.5 0.1 0.0 0.1 0.0 {pips / 100:.6f}"


if __name__ == "__main__":
    main()
