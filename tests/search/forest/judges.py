"""Judges for tests: what they say follows from a hash of the record, in numbers that add up without rounding."""

import hashlib

import numpy as np

from zermelo.compile.dispatch import actions, player, policy_index


def hashed(record):
    return np.frombuffer(hashlib.sha256(record.tobytes()).digest(), np.uint8).astype(np.int64)


def payoffs(game, record):
    """Of every player, in eighths."""
    eighths = (hashed(record)[: game.players] % 17 - 8) / 8
    return np.array([eighths[0], -eighths[0]]) if game.players == 2 else eighths


def logits_of(game, record):
    """Of every number that an action can have."""
    numbers, h = np.arange(numbers_of(game)), hashed(record)
    return ((h[numbers % 32] + 7 * numbers) % 64 / 16).astype(np.float32)


def numbers_of(game):
    return game.variant.policy_size or game.variant.max_actions


def number_of(game, record, place, action):
    return int(policy_index(record, action)) if game.variant.policy_size else place


def judge_of(game):
    """For a forest that shows states."""

    @np.errstate(over="ignore")  # hashes of rules wrap around on purpose
    def judge(states):
        values = np.zeros((len(states), game.players), np.float32)
        for k, record in enumerate(states):
            values[k] = np.roll(payoffs(game, record), -max(player(record), 0))
        logits = np.array([logits_of(game, record) for record in states])
        return logits, values[:, 0] if game.players <= 2 else values

    return judge


def say_nothing(game):
    """All actions alike, and nobody ahead."""
    return lambda seen: (np.zeros((len(seen), numbers_of(game)), np.float32), np.zeros((len(seen), game.players)))


class SingleEvaluator:
    """The same for the single search, which asks about one position at a time."""

    def __init__(self, game):
        self.game, self._out = game, np.zeros(game.variant.width, np.int64)

    def evaluate(self, states):
        values = np.array([payoffs(self.game, record) for record in states])
        priors = np.zeros((len(states), self.game.variant.width))
        for k, record in enumerate(states):
            logits = logits_of(self.game, record).astype(float)
            for place in range(actions(record, self._out)):
                priors[k, place] = np.exp(logits[number_of(self.game, record, place, self._out[place])])
        return values, priors
