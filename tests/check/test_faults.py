"""Of the faults that people make, `check` finds nearly all, and shows them with few moves."""

import os
import statistics

import pytest

from tests.check.faults import catalogue
from tests.check.faults.measure import examine, examine_all, summary

FAULTS = catalogue()
SAMPLE = [fault for fault in FAULTS if fault.source.suffix == ".txt"][::9]  # of the files that `zermelo new` writes


def test_every_fault_is_a_text_that_is_there():
    assert len(FAULTS) >= 200
    assert len({fault.name for fault in FAULTS}) == len(FAULTS)
    for fault in FAULTS:
        compile(fault.text(), fault.name, "exec")


@pytest.mark.parametrize("fault", SAMPLE, ids=lambda fault: fault.name)
def test_a_fault_is_found(fault):
    assert examine(fault, 4.0).kinds


@pytest.mark.slow
def test_of_all_faults_nearly_all_are_found_and_shown_with_few_moves():
    verdicts = list(examine_all(FAULTS, seconds=10.0, jobs=os.cpu_count() or 1))
    print(summary(verdicts))
    found = [v for v in verdicts if v.kinds]
    assert len(found) >= 0.95 * len(FAULTS), summary(verdicts)
    assert statistics.median(v.moves for v in found) <= 3, summary(verdicts)
