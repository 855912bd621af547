"""How much of the machine's memory can be had."""

from __future__ import annotations

UNKNOWN = 4 << 30  # bytes, where nobody says
SHARE = 0.9


def available_memory() -> int:
    """Bytes that can be had without pushing others out, but a tenth."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            for line in file:
                if line.startswith("MemAvailable:"):
                    return int(SHARE * 1024 * int(line.split()[1]))
    except (OSError, ValueError, IndexError):
        pass
    return UNKNOWN
