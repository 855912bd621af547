"""For all tests: generated examples are the same in every run, unless HYPOTHESIS_EXPLORE asks for new ones."""

import os

from hypothesis import HealthCheck, settings

# a busy machine, or rules to be compiled first, is not a failing test
patience = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow], "print_blob": True}
settings.register_profile("steady", derandomize=True, **patience)
settings.register_profile("exploring", **patience)
settings.load_profile("exploring" if os.environ.get("HYPOTHESIS_EXPLORE") else "steady")
