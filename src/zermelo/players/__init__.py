"""Players: whatever chooses a move, made from a short spec such as `alphabeta:seconds=1,threads=2`.

player          the protocol: choose, stop, reset, prepare, close
registry        what players there are: `zermelo.player(spec, game)`; how specs are written stands in core/spec.py
uniform         at random
human           a person at a terminal
fixed_depth     plain minimax and expectiminimax, to a fixed depth
search_player   any search of search/registry.py
level           ten levels for people: a good search, a softened choice
move_values     what each move is worth, for the levels
engines/        other programs: a UCI engine, GNU Backgammon
"""
