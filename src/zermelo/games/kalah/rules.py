"""Kalah: sow the seeds of a pit around the board; whoever has more than half of them in store at the end wins.

South (player 0) owns the lower row and the store at the right, north (player 1) the upper row and the store at the
left; sowing goes round anticlockwise and leaves out the other side's store. The record, for six pits a side:

           12  11  10   9   8   7            board   seeds in every pit and store
      13                            6        turn    whose turn it is
            0   1   2   3   4   5            over    1 when the game has ended

An action is a pit of one's own, counted from 0 away from one's store; people count from 1.

- A last seed in one's own store gives another turn.
- A last seed in an empty pit of one's own captures it and the seeds opposite; with `empty_capture` also where there are
  none opposite, without it the seed then stays where it is.
- When one row is empty after a move, the game ends, and what is left in the other row goes to its owner's store.

Positions are written as each side's pits and store, `4 4 4 4 4 4 0 / 4 4 4 4 4 4 0 S`, with whose turn it is.

What a network sees is the board as whoever moves sits at it: the other side's row above, from right to left, with its
store at the left end; one's own below, with its store at the right end. Where there are more than 127 seeds, a second
plane has what goes beyond seven bits.

Reference: Geoffrey Irving, Jeroen Donkers and Jos Uiterwijk, Solving Kalah, ICGA Journal 23 (3), 2000.
"""

from zermelo.compile.rules import helper, rules
from zermelo.core.game import OVER, GameError
from zermelo.games.kalah import drawing
from zermelo.games.kalah.endings import MOST_PITS, list_endings, make_numbering


@rules(name="kalah", players=2)
def kalah(pits=6, seeds=4, empty_capture=False, score=False):
    """Sow the seeds of a pit around the board; whoever has more of them in store at the end wins."""
    if not (1 <= pits <= 16 and 1 <= seeds <= 64):
        raise GameError(f"kalah: {pits} pits with {seeds} seeds each do not go: 1 to 16 pits, 1 to 64 seeds")
    TOTAL = 2 * pits * seeds
    PLACES = 2 * pits + 2
    STORES = (pits, 2 * pits + 1)
    ROUND = 2 * pits + 1  # seeds that come back to where they started
    NUMBERS = [str(i + 1) for i in range(pits)]
    NAMES = [side + number for side in "sn" for number in NUMBERS]

    HIGH_PLANE = TOTAL > 127

    @helper
    def write_seeds(seeds, row, column, out):
        out[0, row, column] = seeds & 127
        if HIGH_PLANE:
            out[1, row, column] = seeds >> 7

    class_of, rank_of, set_up_ranked = make_numbering(pits, TOTAL)

    class Kalah:
        __doc__ = f"Sow seeds around {pits} pits a side, {seeds} in each; whoever has more in store at the end wins."
        max_actions = pits
        # A move that stores nothing carries seeds on within a row, which with k seeds in play can happen pits - 1 times
        # for each of them before one must be stored; so many times k may be TOTAL, TOTAL - 1, …
        max_plies = TOTAL + (pits - 1) * TOTAL * (TOTAL + 1) // 2
        utility_range = (-TOTAL, TOTAL) if score else (-1, 1)
        policy_size, plane_shape = pits, (1 + HIGH_PLANE, 2, pits + 2)
        state = {"board": ("i1" if TOTAL < 128 else "i2", (PLACES,)), "turn": "i1", "over": "i1"}

        def start(s):
            for i in range(pits):
                s.board[i] = seeds
                s.board[pits + 1 + i] = seeds

        def player(s):
            return OVER if s.over == 1 else s.turn

        def actions(s, out):
            n = 0
            first = s.turn * (pits + 1)
            for i in range(pits):
                out[n] = i  # without a branch, which could not be predicted; a pit without seeds is written over
                n += s.board[first + i] != 0
            return n

        def apply(s, pit):
            # 1. Sow.
            me = s.turn
            first, store, other_store = me * (pits + 1), STORES[me], STORES[1 - me]
            at = first + pit
            hand = s.board[at]
            s.board[at] = 0
            for _ in range(hand):
                at = at + 2 if at + 1 == other_store else at + 1
                at = at - PLACES if at >= PLACES else at
                s.board[at] += 1
            # 2. Where did the last seed fall?
            if at != store:
                s.turn = 1 - me
                opposite = 2 * pits - at
                if first <= at < store and s.board[at] == 1 and (empty_capture or s.board[opposite] != 0):
                    s.board[store] += 1 + s.board[opposite]
                    s.board[at] = 0
                    s.board[opposite] = 0
            # 3. Is a row empty?
            south, north = 0, 0
            for i in range(pits):
                south += s.board[i]
                north += s.board[pits + 1 + i]
            if south == 0 or north == 0:
                s.over = 1
                for i in range(pits):
                    s.board[i] = 0
                    s.board[pits + 1 + i] = 0
                s.board[pits] += south
                s.board[2 * pits + 1] += north

        def utility(s, out):
            lead = s.board[pits] - s.board[2 * pits + 1]
            if not score:
                lead = 1 if lead > 0 else -1 if lead < 0 else 0
            out[0] = lead
            out[1] = -lead

        def evaluate(s):
            """South's store less north's; without `score`, as a fraction of all seeds."""
            lead = s.board[pits] - s.board[2 * pits + 1]
            return float(lead) if score else lead / (TOTAL + 1.0)

        def move_score(s, pit):
            """Another turn first, from the pit nearest to the store; then captures, the largest first."""
            first = s.turn * (pits + 1)
            hand = s.board[first + pit]
            last = (pit + hand) % ROUND  # counted from one's first pit; the store is `pits`
            if last == pits:
                return 1000.0 + pit
            if hand > ROUND or last > pits or (s.board[first + last] != 0 and hand < ROUND):
                return 0.0
            opposite = s.board[2 * pits - first - last] + (hand > pits)  # one more if the sowing has come past it
            return 1.0 + opposite if opposite > 0 or empty_capture else 0.0

        def planes(s, out):
            mine, theirs = s.turn * (pits + 1), (1 - s.turn) * (pits + 1)
            for i in range(pits):
                write_seeds(s.board[mine + i], 1, 1 + i, out)
                write_seeds(s.board[theirs + i], 0, pits - i, out)
            write_seeds(s.board[mine + pits], 1, pits + 1, out)
            write_seeds(s.board[theirs + pits], 0, 0, out)

        # What counts is who wins, so `score` has no tables; endings.py.
        if pits <= MOST_PITS and not score:

            def ending(s):
                return class_of(s)

            def rank(s):
                return rank_of(s)

            def unrank(s, ending, rank):
                return set_up_ranked(s, ending, rank)

            small_endings = 8

            def endings(limit):
                return list_endings(limit, pits, TOTAL)

        def format_action(s, a):
            return NUMBERS[a]

        def parse_action(s, text):
            wanted = " ".join(text.lower().split())
            number = wanted.removeprefix("sn"[s.turn])
            if number not in NUMBERS:
                raise GameError(f"'{wanted}' is not a pit of one's own, from 1 to {pits}")
            return NUMBERS.index(number)

        def clicks(s, a):
            return (NAMES[s.turn * pits + a],)

        def format(s):
            south, north = (" ".join(str(n) for n in s.board[i : i + pits + 1]) for i in (0, pits + 1))
            return f"{south} / {north} {'SN'[s.turn]}"

        def parse(s, text):
            words = text.replace("/", " ").split()
            turn = words.pop().upper() if words and words[-1].isalpha() else "S"
            if len(words) != PLACES or not all(word.isdecimal() and len(word) < 16 for word in words):
                example, said = f"{'4 ' * pits}0 / {'4 ' * pits}0 S", " ".join(text.split())
                raise GameError(f"a kalah position is {pits} pits and a store of each side, '{example}', not '{said}'")
            if turn not in ("S", "N"):
                raise GameError(f"after the seeds comes whose turn it is, S or N, not '{turn}'")
            if sum(map(int, words)) > TOTAL:
                raise GameError(f"there are at most {TOTAL} seeds in the game, not {sum(map(int, words))}")
            for i, word in enumerate(words):
                s.board[i] = int(word)
            s.turn = "SN".index(turn)
            s.over = int(not any(s.board[i] for i in range(PLACES) if i not in STORES))

        def validate(s):
            south, north = (int(sum(s.board[i : i + pits])) for i in (0, pits + 1))
            if (south == 0) != (north == 0):
                return "one row is empty, so the game is over and the seeds of the other belong in its owner's store"
            if s.over != (south == 0) or s.turn not in (0, 1) or min(s.board) < 0:
                return f"over {s.over}, turn {s.turn} and {south} and {north} seeds in play do not go together"
            return None

        def text(s):
            return drawing.text(s, pits)

        def svg(s, marks):
            return drawing.picture(s, marks, NAMES, pits)

    return Kalah
