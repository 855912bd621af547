"""A fuzzer: whatever rules people write, every command answers, in one sentence where they are wrong.

    python -m tests.fuzz --count 10000 --seconds 480 --jobs 16 --seed 1 --folder build/fuzz

    mutants   small rules made at random, and then mutated at random: declarations too small, fields too narrow, wrong
              returns and types, exceptions, loops without end
    doors     the commands they go through
    runner    each in a process of its own; what came of it

Whatever dies by a signal, does not come to an end, or says more or less than a sentence, is written to the folder with
what it said, and ends the program with 1. A run that is begun again in its folder goes on where it was.
"""
