"""For all tests: generated examples are the same in every run, unless HYPOTHESIS_EXPLORE asks for new ones."""

import os
import tempfile

import pytest
from hypothesis import HealthCheck, settings

os.environ["ZERMELO_TABLES"] = os.path.join(tempfile.gettempdir(), "zermelo-tests-know-no-tables")  # whoever runs them

# a busy machine, or rules to be compiled first, is not a failing test
patience = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow], "print_blob": True}
settings.register_profile("steady", derandomize=True, **patience)
settings.register_profile("exploring", **patience)
settings.load_profile("exploring" if os.environ.get("HYPOTHESIS_EXPLORE") else "steady")


@pytest.fixture(autouse=True)
def compiles_in_silence(monkeypatch):
    """Whether something has to be compiled first is no part of what a test compares."""
    from zermelo.compile import kernel

    monkeypatch.setattr(kernel, "on_compile", lambda name, game: None)


def has_card() -> bool:
    try:
        from numba import cuda

        return bool(cuda.is_available())
    except Exception:  # no driver, or one that is broken
        return False


def pytest_collection_modifyitems(config, items):
    for item in items:  # the plugins are not everywhere where the tests for a card run
        if item.get_closest_marker("timed") and config.pluginmanager.hasplugin("rerunfailures"):
            item.add_marker(pytest.mark.flaky(reruns=2))
        if item.get_closest_marker("slow") and config.pluginmanager.hasplugin("timeout"):
            item.add_marker(pytest.mark.timeout(0))
    wanted = [item for item in items if item.get_closest_marker("gpu")]
    if wanted and not has_card():
        for item in wanted:
            item.add_marker(pytest.mark.skip(reason="needs a graphics card and numba-cuda"))
