from math import inf, nan

import pytest

from zermelo.drawing.numbers import format_number, format_probability, format_value, format_window


@pytest.mark.parametrize(
    ("x", "written"),
    [
        (5.0, "5"),
        (-0.0, "0"),
        (-1e-320, "-1e-320"),
        (-27.5, "-27.5"),
        (1 / 3, "0.333"),
        (0.0012345, "0.00123"),
        (2 / 3 + 1, "1.667"),
        (1234567, "1234567"),
        (1e300, "1e+300"),
        (inf, "∞"),
        (-inf, "-∞"),
        (nan, "?"),
    ],
)
def test_numbers(x, written):
    assert format_number(x) == written


def test_values_say_which_side_of_the_truth_they_are_on():
    assert [format_value(3, bound) for bound in ("exact", "lower", "upper")] == ["3", "≥3", "≤3"]
    assert format_value((1, -2.5, 0)) == "(1, -2.5, 0)"
    assert format_window(-inf, 3.0) == "[-∞, 3]"


@pytest.mark.parametrize(
    ("p", "written"),
    [
        (0.5, "0.5"),
        (1 / 6, "1/6"),
        (1 / 36, "1/36"),
        (0.125, "1/8"),
        (1.0, "1"),
        (0.0, "0"),
        (0.12345, "0.123"),
        (1e-7, "1e-07"),
    ],
)
def test_probabilities(p, written):
    assert format_probability(p) == written
