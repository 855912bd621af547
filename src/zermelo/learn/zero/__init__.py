"""AlphaGo Zero's way: a network with a policy and a value, a tree search guided by it, and self-play that teaches it.

    settings.py      what a training is told
    self_play.py     many games at once, a search for every move
    replay.py        what was recorded of them, on JAX's device
    updates.py       the loss, the optimiser, the average of weights
    trainer.py       rounds of both
    yardsticks.py    how strong the network is          speed.py    how fast this machine trains
    log.py           what is noted on the way           curves.py   … as a picture
    snapshots.py     all of it in pieces on disk        run.py      a training as a folder that can be trusted

Needs JAX (`pip install 'zermelo[zero]'`); see evaluate/tower for the network and docs/zero.md for the whole.
"""
