"""`python -m benchmarks [NAME …]`: run the benchmarks (those whose module's name holds a NAME), print one table."""

from __future__ import annotations

import importlib
import pkgutil
import sys
import traceback

import benchmarks
from benchmarks.report import human, show


def main() -> None:
    wanted = sys.argv[1:]
    rows, failed = [], []
    for module in pkgutil.iter_modules(benchmarks.__path__):
        if module.name in ("__main__", "report") or (wanted and not any(w in module.name for w in wanted)):
            continue
        print(f"{module.name} …", file=sys.stderr, flush=True)
        try:
            for row in importlib.import_module(f"benchmarks.{module.name}").run():
                rows.append(row)
                print(f"  {row.what}: {human(row.ours, row.unit)}", file=sys.stderr, flush=True)  # should it be ended
        except Exception:
            traceback.print_exc()
            failed.append(module.name)
    show(rows)
    if failed:
        raise SystemExit(f"not measured, or not to the end: {', '.join(failed)}")


main()
