"""The studio: a local page to play in and to look into the search. `zermelo studio` serves it.

    server      which games, which bounds, on which address; mounts the pages
    pages       what a visitor sees: play, analysis, lecture, agents, arena; one pattern for all of them
    shell       what all pages share: the frame with its menu, the look
    visit       one open page in a browser, as its controller sees it
    site        what all visitors of a server share
    catalogue   which games there are; bounds: what a visitor may ask for
    pool        searches, in processes of their own: bounded, queued, cancelled when their visitor leaves; ticket: one
    worker      such a process; tasks: what it can be asked

The server itself never searches and never compiles: it runs the rules interpreted, which takes milliseconds a move, so
that it answers while all cores are busy. Nothing a visitor sends is evaluated, imported or read as a path.
"""
