"""Games as the environments that other people's code expects, over batches.

    functional.py   init and step over states that are values, as Pgx has them
    vector.py       gymnasium.vector.VectorEnv: one agent, the others beside it (extra `rl`)
    turns.py        pettingzoo.AECEnv: the players in turn (extra `rl`)

A move is told by its policy_index; what is seen are the planes, as the player to move sees them.
"""
