"""The contract of a game, the game as it is played, where games are found, and the trace of a search."""
