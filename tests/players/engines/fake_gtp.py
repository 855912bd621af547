"""A GTP engine that plays on the first point nobody was told of, with a vice if one is named. Writes what it hears to a
file beside it, if that is named too."""

import sys
import time

vice = sys.argv[1] if len(sys.argv) > 1 else ""
heard = open(sys.argv[2], "a") if len(sys.argv) > 2 else None  # noqa: SIM115
taken: set[str] = set()
moves = 0
if vice == "dead":
    sys.exit(3)
for line in sys.stdin:
    words = line.split()
    if heard:
        print(line.strip(), file=heard, flush=True)
    answer = "= "
    if words[0] == "clear_board":
        taken.clear()
    elif words[0] == "play":
        if vice == "refuses" or (vice == "no-pass" and words[2] == "pass"):
            answer = "? syntax error"
        taken.add(words[2].upper())
    elif words[0] == "genmove":
        if vice == "crash":
            sys.exit(7)
        if vice == "hang":
            time.sleep(60)
        free = [f"{x}{y}" for x in "ABCDE" for y in "12345" if f"{x}{y}" not in taken]
        word = {"garbage": "nonsense", "resigns": "resign", "illegal": "T19"}.get(vice, free[0])
        taken.add(word)
        answer = f"= {word.lower()}"
    elif words[0] == "quit":
        print("= \n", flush=True)
        break
    print(f"{answer}\n", flush=True)
