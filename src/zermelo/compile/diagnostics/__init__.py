"""The compiler's complaints about somebody's rules, as one sentence with the game, the function and the line."""
