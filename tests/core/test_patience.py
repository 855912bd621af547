"""Loops without end become exceptions, in any thread, and nothing else does."""

import threading
import time
from contextlib import suppress

import pytest

from zermelo.core.patience import TooLong, patience, unhurried

pytestmark = pytest.mark.timed


def loop():
    while True:
        pass


def in_a_thread(work):
    said = []

    def run():
        try:
            work()
            said.append("done")
        except TooLong:
            said.append("too long")

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(20)
    return said


def test_in_the_main_thread_and_in_another():
    def work():
        with patience(0.1):
            loop()

    with pytest.raises(TooLong):
        work()
    assert in_a_thread(work) == ["too long"]


def test_one_that_is_swallowed_comes_again():
    def work():
        with patience(0.1):
            for _ in range(3):
                with suppress(TooLong):
                    loop()
            loop()

    assert in_a_thread(work) == ["too long"]


def test_inside_of_another_the_outer_one_counts():
    with patience(20), patience(0.05):
        time.sleep(0.3)
    with pytest.raises(TooLong), patience(0.1), patience(20):
        loop()


def test_what_ends_in_time_is_left_alone_also_when_the_exception_is_on_its_way():
    for _ in range(100):
        with suppress(TooLong), patience(0.01):
            end = time.monotonic() + 0.0101  # about when it is sent
            while time.monotonic() < end:
                pass
        for _ in range(1000):  # here it must not arrive
            pass
    with patience(0.1):  # and the thread is watched as before
        pass


def test_many_at_a_time():
    def fine():
        with patience(20):
            time.sleep(0.3)

    def stuck():
        with patience(0.1):
            loop()

    said = [in_a_thread(work) for work in (stuck, fine, stuck)]
    assert said == [["too long"], ["done"], ["too long"]]


def test_what_is_waited_for_unhurried_does_not_count():
    with patience(1.5):
        with unhurried(), unhurried():
            time.sleep(2.0)
        time.sleep(0.1)


def test_what_comes_after_unhurried_counts():
    def hurried_again():
        with unhurried():
            time.sleep(0.1)
        loop()

    with pytest.raises(TooLong), patience(0.3):
        hurried_again()
