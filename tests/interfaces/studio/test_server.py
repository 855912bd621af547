"""What the server does about rules that never come back: it runs them itself, interpreted."""

import threading

import pytest

pytest.importorskip("nicegui")

from zermelo.compile.watchdog import StuckCall
from zermelo.core.game import GameError
from zermelo.interfaces.studio.server import interrupt_rules


def test_a_function_that_never_comes_back_ends_with_a_sentence():
    said, began = [], threading.Event()

    def rules():
        began.set()
        while True:
            pass

    def serve():
        try:
            rules()
        except GameError as problem:
            said.append(str(problem))

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    assert began.wait(20)
    interrupt_rules(StuckCall("actions has not returned", None, None, thread.ident, False))
    thread.join(20)
    assert said == ["actions has not returned"]
