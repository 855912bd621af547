"""Programs of other people as players: UCI engines, GNU Backgammon."""
