"""Train & arena: training curves as they grow, cross-tables and ratings of tournaments, and their games.

    folder          the model: what lies in the folder that the server was started with
    training_run    a training: its curve, how far it is, how fast it goes
    games, tables   a file of games, read while it grows; its cross-tables and ratings
    replay          a recorded game, to be walked through
    library         what visitors have opened, read once for all of them

Nothing is searched here, so there is no task.py: everything is read, in threads.
"""
