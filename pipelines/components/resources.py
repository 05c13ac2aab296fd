"""What the process takes of the machine."""

from __future__ import annotations

import os
import resource
import shutil
import sys
from pathlib import Path

from pipelines.components.store.edge.room import disk_usage, log_usage
from pipelines.types import Resources


def resources(folder: Path) -> Resources:
    """Return memory of this process, what the files of ``folder`` take of their disk, and the room there."""
    room, disk = shutil.disk_usage(folder), disk_usage(folder)
    documents = max(disk - log_usage(folder), 0)
    return Resources(resident_bytes(), disk, documents, free=room.free, total=room.total)


def resident_bytes() -> int:
    """Return memory that this process holds now; where the system does not tell, the most that it ever held."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak * 1024
    return pages * os.sysconf("SC_PAGE_SIZE")
