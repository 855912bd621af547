"""Play: a game against a program, between people or between programs.

played_game   the model: a session, who sits where, what is looked at, what is known of it
clicks        from clicks to a move
curve         the value over the game, drawn
dialogs       parts of the view: a position, a record, a variant
"""
