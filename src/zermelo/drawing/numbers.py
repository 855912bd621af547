"""Numbers as a person writes them: 5 rather than 5.0, ∞ rather than inf, 1/6 rather than 0.16666666666666666."""

from __future__ import annotations

import math
from fractions import Fraction

from zermelo.core.trace import Bound, Value

SIGNS: dict[Bound, str] = {"exact": "", "lower": "≥", "upper": "≤"}


def format_number(x: float) -> str:
    """Whole numbers whole, others with up to three decimals, and three digits below 1."""
    if math.isnan(x):
        return "?"
    if math.isinf(x):
        return "∞" if x > 0 else "-∞"
    if x == round(x) and abs(x) < 1e12:
        return str(round(x))
    if abs(x) < 1 or abs(x) >= 1e9:
        return f"{x:.3g}"
    return f"{x:.3f}".rstrip("0").rstrip(".")


def format_value(value: Value, bound: Bound = "exact") -> str:
    """3, ≥3, ≤3; in max^n (3, 1, 2)."""
    if isinstance(value, tuple):
        return "(" + ", ".join(format_number(x) for x in value) + ")"
    return SIGNS[bound] + format_number(value)


def format_window(alpha: float, beta: float) -> str:
    return f"[{format_number(alpha)}, {format_number(beta)}]"


def format_probability(p: float) -> str:
    """0.25, 1/6, 1/36, 0.123."""
    if abs(p - round(p, 2)) < 1e-12:
        return format_number(round(p, 2))
    fraction = Fraction(p).limit_denominator(36)
    if abs(p - fraction) < 1e-9 and fraction.numerator:
        return str(fraction)
    return f"{p:.3g}"
