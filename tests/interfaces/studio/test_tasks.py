"""What a task is given: a job that can be stopped, or cancelled."""

import pytest

from zermelo.interfaces.studio.tasks import Job, Loaded, Stopped


def test_nothing_is_made_of_an_answer_that_nobody_wants():
    job = Job({}, lambda message: None, Loaded())

    class Searching:
        def stop(self):
            self.is_stopped = True

    searching = Searching()
    with pytest.raises(Stopped), job.stopping(searching):
        job.cancel()
    assert searching.is_stopped
    with pytest.raises(Stopped), job.stopping(searching):
        raise AssertionError("it does not begin")
