"""ABDADA: threads leave for later what another thread is searching. What they tell each other, in `control`.

    control   0 … 63          stop flag (limits.py), and which thread has finished the iteration
              64 … 64 + 4095  busy: the share that is being searched, in the slot its number says; 0: none

A share is one move of one position. The list is a hint: two shares may want the same slot, and nothing is locked.
References: Weill, The ABDADA distributed minimax-search algorithm (1996); Kerrigan (2017) for this simple form.
"""

from __future__ import annotations

import numpy as np

from zermelo.compile.random import scramble
from zermelo.compile.rules import helper
from zermelo.search.limits import CONTROL_WORDS

FINISHED_BY = 16  # control[FINISHED_BY]: 1 + the thread that finished the iteration, so that the others leave off
BUSY, BUSY_SLOTS = CONTROL_WORDS, 1 << 12
SPLIT_DEPTH = 3  # from this depth up, threads mind what the others are doing


@helper
def share_of(key, action):
    """What stands for "this move of this position" in the list of what threads are searching."""
    return np.int64(scramble(key ^ scramble(np.uint64(action) + np.uint64(1))) >> np.uint64(1)) | 1


@helper
def slot_of(share):
    return BUSY + (share >> 1 & (BUSY_SLOTS - 1))


@helper
def is_busy(control, share):
    """Is a thread searching it?"""
    return control[slot_of(share)] == share


@helper
def begin_share(control, share):
    control[slot_of(share)] = share


@helper
def end_share(control, share):
    control[slot_of(share)] = 0
