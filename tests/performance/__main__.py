"""``make bench``: prints ratios, and never judges. ``--quick`` leaves the sizes above 20,000 chunks out.

``--only sizes,query`` runs these parts alone. ``--million`` adds an index of a million chunks to the sizes, which takes
half an hour and 12 GB of disk.
"""

import argparse
import subprocess
from functools import cached_property
from statistics import median

from tests.performance.anatomy import anatomy
from tests.performance.answers import answers
from tests.performance.corpus import documents, questions, sentences
from tests.performance.first_event import first_event
from tests.performance.large_pdf import large_pdf
from tests.performance.load import streams
from tests.performance.measure import cost, environment, loads_torch, memory_mb, percentile, taking_turns
from tests.performance.open_loop import run
from tests.performance.ours import Ours
from tests.performance.overhead import overhead
from tests.performance.serving import FOOTNOTE, serving
from tests.performance.sizes import STORES, sizes
from tests.performance.targets import cortx
from tests.performance.vanilla import Vanilla

CHUNK = " ".join(sentences()[:6])
PARTS = (
    *("ingest", "query", "anatomy", "overhead", "versions", "filtered", "server"),
    *("first_event", "answers", "pdf", "memory", "sizes", "stores", "cortx"),
)


class Sides:
    """Both sides, each opened when it is first asked for."""

    @cached_property
    def ours(self) -> Ours:
        """Footnote."""
        return Ours()

    @cached_property
    def vanilla(self) -> Vanilla:
        """LlamaIndex as its documentation shows it."""
        return Vanilla()

    def close(self) -> None:
        """Removes what ours wrote."""
        if "ours" in self.__dict__:
            self.ours.close()


def main() -> None:
    """Runs every part, or those that are named."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="smaller sizes, fewer rounds")
    parser.add_argument("--seconds", type=int, default=60, help="length of the load test")
    parser.add_argument("--million", action="store_true", help="also an index of a million chunks")
    parser.add_argument("--only", type=_parts, default=PARTS, metavar="PART,...", help=f"of {', '.join(PARTS)}")
    options, sides = parser.parse_args(), Sides()
    print(f"machine: {environment()}\nvanilla: LlamaIndex VectorStoreIndex, torch, qdrant-client's local mode\n")
    try:
        for part in options.only:
            _run(part, sides, options)
    finally:
        sides.close()


def _parts(given: str) -> list[str]:
    chosen = given.split(",")
    if unknown := sorted(set(chosen) - set(PARTS)):
        raise argparse.ArgumentTypeError(f"{', '.join(unknown)}: choose from {', '.join(PARTS)}")
    return chosen


def _run(part: str, sides: Sides, options: argparse.Namespace) -> None:
    quick, large = options.quick, 20_000 if options.quick else 100_000
    {
        "ingest": lambda: ingestion(sides.ours, sides.vanilla, count=60 if quick else 200, rounds=2 if quick else 3),
        "query": lambda: query(sides.ours, sides.vanilla, count=200 if quick else 530),
        "anatomy": lambda: anatomy(sides.ours, count=60 if quick else 300, rounds=2 if quick else 10),
        "overhead": lambda: overhead(2_000, rounds=4 if quick else 10),
        "versions": lambda: versions(sides.ours, count=60 if quick else 200, size=20_000, rounds=3 if quick else 5),
        "filtered": lambda: [filtered(sides.ours, sides.vanilla, size) for size in sorted({20_000, large})],
        "server": lambda: server(sides.ours, size=large, seconds=5 if quick else options.seconds),
        "first_event": lambda: first_event(60 if quick else 200, rounds=2 if quick else 10),
        "answers": lambda: answers(10 if quick else 60),
        "pdf": lambda: large_pdf(1_000_000 if quick else 4_900_000),
        "memory": lambda: memory(sides.ours),
        "sizes": lambda: [sizes(size, "as shipped") for size in _sizes(large, options.million)],
        "stores": lambda: [sizes(large, store) for store in STORES],
        "cortx": lambda: cortx(count=25 if quick else 100, seconds=3 if quick else 10),
    }[part]()


def _sizes(large: int, million: bool) -> list[int]:
    return sorted({2_000, 20_000, large} | ({1_000_000} if million else set()))


def ingestion(ours: Ours, vanilla: Vanilla, count: int, rounds: int) -> None:
    """Documents per second, round by round."""
    texts = documents(count)
    ours.ingest(texts[:5]), vanilla.ingest(texts[:5])
    chunks: list[tuple[int, int]] = []
    costs = [
        (cost(lambda: chunks.append((ours.ingest(texts), 0))), cost(lambda: chunks.append((0, vanilla.ingest(texts)))))
        for _ in range(rounds)
    ]
    wall = median(theirs.wall / mine.wall for mine, theirs in costs)
    cpu = median(theirs.cpu / mine.cpu for mine, theirs in costs)
    mine, theirs = median(cost.wall for cost, _ in costs), median(cost.wall for _, cost in costs)
    print(f"ingestion of {count} documents: {chunks[0][0]} chunks ours, {chunks[1][1]} vanilla")
    print(f"  ours {count / mine:.1f} documents/s, vanilla {count / theirs:.1f}")
    print(f"  ratio {wall:.2f} in wall time (bar: 2.5), {cpu:.2f} in processor time\n")


def query(ours: Ours, vanilla: Vanilla, count: int) -> None:
    """Milliseconds of a search of real text, embedding included."""
    texts = documents(count)
    size = ours.ingest(texts)
    vanilla.ingest(texts)
    _compare(f"query at {size} chunks", ours.query, vanilla.query, rounds=4, bar="5")


def versions(ours: Ours, count: int, size: int, rounds: int) -> None:
    """What versions cost: the same chunks written and searched as if there were none."""
    texts = documents(count)
    ours.ingest(texts[:5]), ours.ingest_without_versions(texts[:5])
    costs = [
        (cost(lambda: ours.ingest(texts)), cost(lambda: ours.ingest_without_versions(texts))) for _ in range(rounds)
    ]
    wall = median(mine.wall / bare.wall for mine, bare in costs)
    cpu = median(mine.cpu / bare.cpu for mine, bare in costs)
    ours.fill(size, CHUNK)
    asked = questions()
    taking_turns(ours.query, ours.query_without_versions, asked[:5], 1)
    mine, bare = taking_turns(ours.query, ours.query_without_versions, asked, 2 * rounds)
    print(
        f"versions: ingestion of {count} documents takes {wall:.2f} of the time without them (bar: 1.10), {cpu:.2f} in"
    )
    print(f"  processor time; a search of {size} chunks {median(mine):.2f} ms, without them {median(bare):.2f} ms,")
    print(f"  ratio {median(mine) / median(bare):.2f} (bar: 1.10)\n")


def filtered(ours: Ours, vanilla: Vanilla, size: int) -> None:
    """Milliseconds of a search within 5 % of many chunks, embedding included."""
    ours.fill(size, CHUNK), vanilla.fill(size, CHUNK)
    _compare(f"filtered query at {size} chunks", ours.filtered, vanilla.filtered, rounds=1, bar="50 at 100,000")


def _compare(what: str, ours, vanilla, rounds: int, bar: str) -> None:  # type: ignore[no-untyped-def]
    asked = questions()
    taking_turns(ours, vanilla, asked[:5], 1)
    mine, theirs = taking_turns(ours, vanilla, asked, rounds)
    print(f"{what}: ours p50 {median(mine):.2f} ms, p95 {percentile(mine, 95):.2f} ms")
    print(f"  vanilla p50 {median(theirs):.2f} ms, ratio {median(theirs) / median(mine):.1f} (bar: {bar})\n")


def server(ours: Ours, size: int, seconds: int) -> None:
    """Searches over HTTP at 100 requests a second, the load generator on the same machine."""
    ours.fill(size, CHUNK)
    ours.engine.close()
    with serving(ours.profile, ours.data) as running:
        searches, _ = streams(100, 0)
        outcomes = run(running.url, [searches], seconds)
    print(f"HTTP search at {size} chunks, 100 requests/s for {seconds} s (bar: p95 100 ms)\n  {outcomes['searches']}\n")


def memory(ours: Ours) -> None:
    """Memory of a server with 10,000 chunks after 300 searches, and how long starting takes."""
    ours.fill(10_000, CHUNK)
    ours.engine.close()
    asked = questions()
    with serving(ours.profile, ours.data) as running:
        for n in range(300):
            running.search(asked[n % len(asked)])
        resident, anonymous = memory_mb(running.pid)
        torch = "loaded" if loads_torch(running.pid) else "not loaded"
    print(f"server with 10,000 chunks after 300 searches: {resident:.0f} MB resident (bar: 500)")
    print(f"  {anonymous:.0f} MB anonymous, torch {torch}, ready after {running.ready_after:.1f} s (bar: 5)")
    command = [str(FOOTNOTE), "--help"]
    seconds = min(cost(lambda: subprocess.run(command, capture_output=True, check=True)).wall for _ in range(5))
    print(f"footnote --help: {seconds:.2f} s (bar: 0.5)")


if __name__ == "__main__":
    main()
