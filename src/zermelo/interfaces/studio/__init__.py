"""The studio: a local page to play in and to look into the search. `zermelo studio` serves it.

    pages       play, inside, lecture, agents, arena: what a visitor sees; one module each, helpers beside it
    shell       what all pages share: the frame, the visitor
    pool        searches, in processes of their own: bounded, queued, cancelled when their visitor leaves
    worker      such a process; tasks: what it can be asked
    bounds      what a visitor may ask for
    catalogue   which games there are

The server itself never searches and never compiles: it runs the rules interpreted, which takes milliseconds a move, so
that it answers while all cores are busy. Nothing a visitor sends is evaluated, imported or read as a path.
"""
