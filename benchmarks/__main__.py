"""`python -m benchmarks [NAME …]`: run the benchmarks (those whose module's name holds a NAME), print one table."""

from __future__ import annotations

import importlib
import pkgutil
import sys

import benchmarks
from benchmarks.report import show


def main() -> None:
    wanted = sys.argv[1:]
    rows = []
    for module in pkgutil.iter_modules(benchmarks.__path__):
        if module.name in ("__main__", "report") or (wanted and not any(w in module.name for w in wanted)):
            continue
        print(f"{module.name} …", file=sys.stderr, flush=True)
        rows += list(importlib.import_module(f"benchmarks.{module.name}").run())
    show(rows)


main()
