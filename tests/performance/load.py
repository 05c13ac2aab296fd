"""``make load``: searches and answers at fixed rates against a server of its own; prints, and never judges.

First searches, then answers, then both, then both at three times the rate. ``--soak`` runs both for so many minutes
instead, and prints how times and memory change.
"""

import argparse
import random
import tempfile
import threading
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from statistics import linear_regression

from pipelines.engine import open_engine
from tests.performance.corpus import GROUPS, questions, sentences
from tests.performance.measure import environment, memory_mb, processor_seconds
from tests.performance.open_loop import Outcome, Stream, run, times_of
from tests.performance.ours import write_chunks, write_profile
from tests.performance.serving import Server, serving
from tests.performance.sizes import realistic_vectors

_CROWD = 3
_PARTS = 10  # of a soak, each printed on a line
_SETTLING = 0.2  # of a soak: caches fill, so the slope of memory leaves it out


def main() -> None:
    """Fill a server, and run what is asked for."""
    parser = argparse.ArgumentParser(prog="make load", description=__doc__)
    parser.add_argument("--chunks", type=int, default=10_000, help="size of the corpus")
    parser.add_argument("--searches", type=float, default=150, help="searches a second")
    parser.add_argument("--answers", type=float, default=50, help="answers a second, from extracts")
    parser.add_argument("--seconds", type=float, default=20, help="length of each part")
    parser.add_argument("--soak", type=float, default=0, metavar="MINUTES", help="run both for so long instead")
    options = parser.parse_args()
    searches, answers = streams(options.searches, options.answers)
    with tempfile.TemporaryDirectory(prefix="footnote-load-") as folder:
        profile, data = write_profile(Path(folder)), Path(folder) / "data"
        fill(profile, data, options.chunks)
        with serving(profile, data) as server:
            print(f"machine: {environment()}\n{options.chunks:,} chunks, ready after {server.ready_after:.1f} s\n")
            if options.soak:
                soak(server, [searches, answers], options.soak * 60)
            else:
                parts(server, searches, answers, options.seconds)


def streams(searches: float, answers: float) -> tuple[Stream, Stream]:
    """Searches and answers, none of which asks what another asked."""
    _corpus()  # not while the first request waits for it
    return (
        Stream("searches", "/tenants/bench/search", searches, lambda n: {"query": question(n), "top_k": 10}),
        Stream("answers", "/tenants/bench/query", answers, lambda n: {"question": question(-n - 1)}),
    )


def question(number: int) -> str:
    """Return a golden question with words of another sentence: caches of questions hold none of them."""
    chosen = random.Random(str(number))  # as a number, -1 would be the seed that 1 is
    asked, said = _corpus()
    return f"{chosen.choice(asked)} {' '.join(chosen.choice(said).split()[:4])}"


@cache
def _corpus() -> tuple[list[str], list[str]]:
    return questions(), sentences()


def fill(profile: Path, data: Path, chunks: int) -> None:
    """Write a corpus whose vectors lie as those of real text do."""
    groups = [{"group": f"g{n % GROUPS}"} for n in range(chunks)]
    with open_engine(profile, data) as engine:
        write_chunks(engine, realistic_vectors(chunks), groups, sentences())
        engine.optimize()


def parts(server: Server, searches: Stream, answers: Stream, seconds: float) -> None:
    """Run each stream alone, then both, then more than the server can answer."""
    both = streams(searches.per_second, answers.per_second)
    crowd = streams(_CROWD * searches.per_second, _CROWD * answers.per_second)
    for chosen in ([searches], [answers], both, crowd):
        before, own = processor_seconds(server.pid), time.process_time()
        outcomes = run(server.url, chosen, seconds)
        answered = sum(len(outcome.answered) for outcome in outcomes.values()) or 1
        each = (processor_seconds(server.pid) - before) / answered * 1000
        print(f"processor time an answer: server {each:.1f} ms, ", end="")
        print(f"sender {(time.process_time() - own) / answered * 1000:.1f} ms")
        for stream in chosen:
            outcome = outcomes[stream.name]
            first = times_of(outcome.milliseconds(before=seconds / 5))
            print(f"{stream.name} at {stream.per_second:g} a second for {seconds:g} s: {outcome}")
            print(f"  the first fifth: {first}")
        print()


def soak(server: Server, both: Sequence[Stream], seconds: float) -> None:
    """Run both streams for long; print times and memory of each tenth, and the slope of memory."""
    memory: list[tuple[float, float]] = []
    stopped, start = threading.Event(), time.perf_counter()

    def look() -> None:
        while not stopped.wait(seconds / 100):
            memory.append((time.perf_counter() - start, memory_mb(server.pid)[1]))

    thread = threading.Thread(target=look)
    thread.start()
    try:
        outcomes = run(server.url, both, seconds)
    finally:
        stopped.set()
        thread.join()
    for part in range(_PARTS):
        print(_tenth(part, seconds / _PARTS, outcomes, memory))
    for name, outcome in outcomes.items():
        print(f"{name}: {outcome}")
    slope, _ = slope_of([(at, held) for at, held in memory if _SETTLING * seconds < at < seconds])
    print(f"anonymous memory after the first {_SETTLING:.0%}: {slope * 3600:+.1f} MB an hour")


def slope_of(samples: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return the slope and the beginning of the line through ``samples``."""
    line = linear_regression(*zip(*samples, strict=True))
    return line.slope, line.intercept


def _tenth(part: int, length: float, outcomes: dict[str, Outcome], memory: Sequence[tuple[float, float]]) -> str:
    after, before = part * length, (part + 1) * length
    held = [megabytes for at, megabytes in memory if after <= at < before]
    times = "; ".join(f"{name} {times_of(one.milliseconds(after, before))}" for name, one in outcomes.items())
    return f"{after / 60:5.1f} min: {times}; {held[-1] if held else 0:.0f} MB"


if __name__ == "__main__":
    main()
