"""For all tests: generated examples are the same in every run, unless HYPOTHESIS_EXPLORE asks for new ones."""

import os

from hypothesis import settings

settings.register_profile("steady", derandomize=True, deadline=None, print_blob=True)
settings.register_profile("exploring", deadline=None, print_blob=True)
settings.load_profile("exploring" if os.environ.get("HYPOTHESIS_EXPLORE") else "steady")
