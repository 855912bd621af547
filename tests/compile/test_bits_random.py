"""Bits and random numbers: the same in compiled and in interpreted code."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit

from zermelo.compile import bits
from zermelo.compile.random import below, draw, generator, pick, scramble, uniform

WORDS = [
    0,
    1,
    2,
    3,
    0x80,
    1 << 31,
    1 << 32,
    1 << 63,
    (1 << 63) - 1,
    (1 << 64) - 1,
    0x0123456789ABCDEF,
    0xAAAAAAAAAAAAAAAA,
]


# -- bits --------------------------------------------------------------------------------------------------------------


@given(st.integers(0, (1 << 64) - 1))
def test_bits_by_definition(x):
    digits = f"{x:064b}"
    set_bits = [i for i in range(64) if x >> i & 1]
    assert bits.popcount(x) == len(set_bits)
    assert bits.lowest(x) == (min(set_bits) if set_bits else 64)
    assert bits.highest(x) == (max(set_bits) if set_bits else -1)
    assert bits.reverse(x) == int(digits[::-1], 2)
    assert bits.swap_bytes(x) == int.from_bytes(x.to_bytes(8, "little"), "big")
    assert bits.reverse(bits.reverse(x)) == bits.swap_bytes(bits.swap_bytes(x)) == x


@given(st.integers(0, (1 << 64) - 1), st.integers(0, (1 << 64) - 1))
def test_gather_and_scatter_by_definition(x, mask):
    places = [i for i in range(64) if mask >> i & 1]
    assert bits.gather(x, mask) == sum((x >> i & 1) << k for k, i in enumerate(places))
    assert bits.scatter(x, mask) == sum((x >> k & 1) << i for k, i in enumerate(places))
    assert bits.scatter(bits.gather(x, mask), mask) == x & mask


@pytest.mark.jit
@pytest.mark.parametrize("by_instruction", [True, False])
def test_gather_and_scatter_compiled(by_instruction):
    """With the processor's instructions, where it has them, and as compiled code does it elsewhere."""
    gather, scatter = (
        (bits.gather, bits.scatter) if by_instruction else (njit(bits.push_together), njit(bits.spread_out))
    )

    @njit
    def both(x, mask):
        return gather(x, mask), scatter(x, mask)

    random = np.random.default_rng(1)
    masks = WORDS + random.integers(0, 1 << 64, 300, np.uint64).tolist()
    for mask in masks:
        x = random.integers(0, 1 << 64, dtype=np.uint64)
        assert both(x, np.uint64(mask)) == (bits.gather(x, mask), bits.scatter(x, mask))


@pytest.mark.jit
def test_bits_compiled():
    @njit
    def all_of_them(x):
        return bits.popcount(x), bits.lowest(x), bits.highest(x), bits.reverse(x), bits.swap_bytes(x)

    words = WORDS + np.random.default_rng(0).integers(0, 1 << 64, 500, np.uint64).tolist()
    for word in words:
        x = np.uint64(word)
        plain = bits.popcount(x), bits.lowest(x), bits.highest(x), bits.reverse(x), bits.swap_bytes(x)
        assert [int(n) for n in all_of_them(x)] == [int(n) for n in plain]


def test_words_stay_unsigned():
    assert isinstance(bits.reverse(1), np.uint64)
    assert isinstance(bits.swap_bytes(np.uint64(1)), np.uint64)


# -- random numbers ----------------------------------------------------------------------------------------------------


def stream(random, n):
    with np.errstate(over="ignore"):
        return [int(draw(random)) for _ in range(n)]


def test_the_generator_is_splitmix64():
    # the first outputs for the state 1234567, published with the reference implementation
    expected = [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]
    assert stream(np.array([1234567], np.uint64), 5) == expected


def test_the_same_seed_gives_the_same_numbers():
    assert stream(generator(7), 20) == stream(generator(7), 20)
    assert stream(generator(7), 20) != stream(generator(8), 20)
    assert len(set(stream(generator(0), 1000))) == 1000


@pytest.mark.parametrize("seed", [0, -1, 1 << 70, 2**63])
def test_any_whole_number_is_a_seed(seed):
    assert stream(generator(seed), 3)


def test_streams_of_neighbouring_seeds_do_not_overlap():
    seen = [number for seed in range(50) for number in stream(generator(seed), 50)]
    assert len(set(seen)) == len(seen)


def everything(random, out, probability):
    for i in range(len(out)):
        out[i] = below(random, 10) + 1000 * pick(random, probability, 3) + 10000 * np.int64(uniform(random) * 1000)


@pytest.mark.jit
def test_compiled_and_interpreted_numbers_are_the_same():
    probability = np.array([0.2, 0.5, 0.3])
    plain, compiled = np.zeros(500, np.int64), np.zeros(500, np.int64)
    with np.errstate(over="ignore"):
        everything(generator(3), plain, probability)
    njit(everything)(generator(3), compiled, probability)
    assert plain.tolist() == compiled.tolist()


def test_numbers_below():
    random, counts = generator(1), np.zeros(7, int)
    with np.errstate(over="ignore"):
        for _ in range(7000):
            counts[below(random, 7)] += 1
    assert chi_square(counts, np.full(7, 1 / 7)) < 22.5  # 6 degrees of freedom: once in a thousand seeds
    with np.errstate(over="ignore"):
        assert below(random, 1) == 0


def test_numbers_picked():
    probability = np.array([0.5, 0.0, 0.25, 0.25])
    random, counts = generator(2), np.zeros(4, int)
    with np.errstate(over="ignore"):
        for _ in range(8000):
            counts[pick(random, probability, 4)] += 1
    assert counts[1] == 0
    assert chi_square(counts[[0, 2, 3]], probability[[0, 2, 3]]) < 13.8


def test_numbers_between_0_and_1():
    random = generator(4)
    with np.errstate(over="ignore"):
        numbers = np.array([uniform(random) for _ in range(5000)])
    assert 0 <= numbers.min() < numbers.max() < 1
    assert abs(numbers.mean() - 0.5) < 4 * 12**-0.5 / 5000**0.5
    assert chi_square(np.histogram(numbers, 10, (0, 1))[0], np.full(10, 0.1)) < 27.9


def test_every_bit_of_the_scramble_depends_on_every_bit():
    with np.errstate(over="ignore"):
        flips = np.zeros((64, 64))
        for x in range(200):
            word = scramble(np.uint64(x * 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF))
            for i in range(64):
                other = scramble(np.uint64((x * 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF) ^ (1 << i)))
                changed = int(word ^ other)
                flips[i] += [changed >> j & 1 for j in range(64)]
    assert 0.3 < (flips / 200).min() < (flips / 200).max() < 0.7


def chi_square(counts, probability):
    expected = counts.sum() * probability
    return float(((counts - expected) ** 2 / expected).sum())
