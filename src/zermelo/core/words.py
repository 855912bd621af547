"""Numbers of things, as people write them."""

from __future__ import annotations


def count(n: int, one: str, many: str = "") -> str:
    """1 leaf, 2 leaves; 1 game, 1,000 games."""
    return f"{n:,} {one if n == 1 else many or one + 's'}"


def plies(n: int) -> str:
    return count(n, "ply", "plies")


def at_most_plies(n: int, is_exact: bool) -> str:
    """3 plies; at most 3 plies, where it may be fewer."""
    return plies(n) if is_exact else f"at most {plies(n)}"
