"""Endgame tables, worked out from the rules: wins, draws and losses of every position of a class of endings.

    build.py    group by group, kept as files; goes on where it was killed
    group.py    one group: the order of the passes
    bodies.py   what is done with one position: written once, for both devices
    cores.py    a loop over positions, a piece for every core
    card.py     a thread a position (numba-cuda)
    expected.py games with chance: values on average, turns that a player alone needs
    keep.py     a class as a file, one build at a time
    memory.py   what it takes, before it is begun
    verify.py   a finished file against the rules

Looking values up is zermelo/tables, which searches know too.
"""
