"""The clock of this machine that nobody sets: it counts from its boot, and goes on while it sleeps."""

import time
from functools import cache
from pathlib import Path
from uuid import uuid4

__all__ = ["machine", "uptime"]

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


@cache
def machine() -> str:
    """The machine since its boot. Where it has no name, this process stands for itself."""
    try:
        return _BOOT_ID.read_text(encoding="ascii").strip()
    except OSError:
        return f"process-{uuid4()}"


def uptime() -> float:
    """Seconds since the machine booted, those included in which it slept."""
    kind = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
    return time.clock_gettime(kind)
