"""Endgame tables: what endings are worth, worked out once and looked up ever after.

    known.py     values in memory, as kernels look them up
    files.py     a class of endings as a file: compressed in blocks, checked
    flat.py      large ones unpacked, mapped into memory, shared by processes
    tables.py    `Tables`: the files of a game, opened when they are asked for
    numbering.py what a file must agree with the rules about

They are made by solve/tables.
"""
