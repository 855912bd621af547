"""Evaluations learned from play. V(s; w) is moved towards what came of it, game after game.

    settings.py      what a training is told: every setting is declared once, here
    self_play.py     the one loop: whole games inside one kernel, whoever learns from them
    trajectory.py    the positions of one game inside it
    successors.py    choosing by V: the best successor, or an exploratory move
    returns.py       targets: TD(0), TD(λ) and Monte Carlo from one game played
    gradient.py      the weights move: w ← w - η (V(s; w) - target) ∇V

Learners, which the loop calls:

    td.py            TD(λ), after each game: the forward view
    traces.py        TD(λ) as it is published, during the game with eligibility traces: the backward view
    td_leaf.py       a search for every move: TD-leaf, and Samuel's way
    qlearning.py     Q(s, a; w), which needs no rules: Q-learning and SARSA
    pretraining.py   a beginning: the model is fitted to the hand-written evaluation
    contest.py       no learner: two evaluations against each other, to see how strong they are

Trainings:

    trainer.py       rounds of games by many actors; the same weights however many threads carry them out
    systems.py       the systems that are known by name: samuel.py and td_gammon.py
    speed.py         how fast this machine learns
    commands.py      the command on the card
    runs/            a training as a folder that can be trusted
"""
