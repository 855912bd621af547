"""Players: whatever chooses a move, made from a short text such as `alphabeta:seconds=1,threads=2`.

player      the protocol: choose, reset, prepare, close
texts       how the short texts are read
registry    what players there are: `zermelo.player(text, game)`
simple      at random, and a person at a terminal
plain       plain minimax and expectiminimax, to a fixed depth
searching   any compiled search
level       ten levels for people: a good search, a softened choice
judging     what each move is worth, for the levels
uci         a UCI engine in a process of its own
gnubg       GNU Backgammon in a process of its own, as a player and as a judge
"""
