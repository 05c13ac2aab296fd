"""Ways of measuring: rounds that take turns, so that a machine that slows down slows both."""

import os
import resource
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Cost:
    """What one run took, seconds."""

    wall: float
    cpu: float


def cost(work: Callable[[], object]) -> Cost:
    """Wall and processor seconds of ``work``, all threads counted."""
    before, wall = resource.getrusage(resource.RUSAGE_SELF), time.perf_counter()
    work()
    after = resource.getrusage(resource.RUSAGE_SELF)
    cpu = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return Cost(time.perf_counter() - wall, cpu)


def taking_turns(
    first: Callable[[str], object], second: Callable[[str], object], questions: Sequence[str], rounds: int
) -> tuple[list[float], list[float]]:
    """Milliseconds of every call; in each round all questions go to one and then to the other.

    Not question by question: PyTorch's threads spin on after a call, on the processors that the other needs.
    """
    first_ms: list[float] = []
    second_ms: list[float] = []
    for _ in range(rounds):
        first_ms += [cost(partial(first, question)).wall * 1000 for question in questions]
        second_ms += [cost(partial(second, question)).wall * 1000 for question in questions]
    return first_ms, second_ms


def percentile(values: Sequence[float], share: int) -> float:
    """The ``share``-th percentile."""
    return statistics.quantiles(values, n=100, method="inclusive")[share - 1]


def memory_mb(pid: int | str) -> tuple[float, float]:
    """Resident and anonymous memory of a process, megabytes."""
    fields = dict(
        line.split(":", 1) for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:] if ":" in line
    )
    return tuple(int(fields[name].split()[0]) / 1024 for name in ("Rss", "Anonymous"))  # type: ignore[return-value]


def processor_seconds(pid: int) -> float:
    """Processor time that a process has taken since it began, all threads counted."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def loads_torch(pid: int) -> bool:
    """Whether a process has PyTorch mapped."""
    return "libtorch" in Path(f"/proc/{pid}/maps").read_text()


def environment() -> str:
    """The machine, in a line."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    model = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "unknown")
    return f"{os.cpu_count()} cores, {model}"
