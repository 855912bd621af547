"""A look into the search of a position."""
