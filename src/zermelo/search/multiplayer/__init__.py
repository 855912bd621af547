"""Searches for any number of players: max^n, paranoid, best reply."""
