"""Evaluations learned from play. V(s; w) is moved towards what came of it, game after game.

    settings.py    what a training is told: the model, the rates, how games are played
    fitting.py     one step of the weights: w ← w - η (V(s; w) - target) ∇V
    trajectory.py       the positions of one game inside a kernel
    returns.py     targets: TD(0), TD(λ) and Monte Carlo from one game played
    pretraining.py   a beginning: the model is fitted to the hand-written evaluation
    selfplay.py    whole games inside one kernel, each move the best successor's, and learning from them
    lookahead.py   the same with a search for every move: TD-leaf
    traces.py      TD(λ) as it is published, step by step with eligibility traces
    qlearning.py   Q(s, a; w), which needs no rules
    contest.py     two evaluations against each other, greedily, inside one kernel
    trainer.py     rounds of games in many actors; the same weights however many threads carry them out

A training as a folder that can be trusted:

    run.py         create, go on, stop       snapshots.py   what is on disk, and whether it fits together
    progress.py    strength, at fixed times  curves.py      as CSV, SVG and PNG
    commands.py    the command on the card   speed.py       how fast this machine learns

And the systems that are known by name, in systems.py: samuel.py and td_gammon.py.
"""
