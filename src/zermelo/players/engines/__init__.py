"""Programs of other people as players: UCI engines, GTP engines, GNU Backgammon."""
