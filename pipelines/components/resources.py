"""What the process takes of the machine."""

from __future__ import annotations

import os
import resource
import shutil
import sys
from pathlib import Path

from pipelines.types import Resources


def resources(folder: Path, disk: int) -> Resources:
    """Memory of this process, and the room on the disk of ``folder``, whose files take ``disk`` bytes of it."""
    room = shutil.disk_usage(folder)
    return Resources(memory=resident_bytes(), disk=disk, free=room.free, total=room.total)


def resident_bytes() -> int:
    """Memory that this process holds now; where the system does not tell, the most that it ever held."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak * 1024
    return pages * os.sysconf("SC_PAGE_SIZE")
