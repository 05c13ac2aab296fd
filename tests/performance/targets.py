"""CORTX's own targets: what it promises of latencies and throughput, held against a server of its profile."""

import json
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from statistics import median

from pipelines.engine import open_engine
from tests.fakes.ollama import Reply, ollama_server
from tests.performance.corpus import documents
from tests.performance.measure import percentile
from tests.performance.serving import serving

SHIPPED = Path(__file__).resolve().parents[2] / "configs" / "cortx"
MODEL = "slow-250ms+drip-16ms"
"""A language model whose first word comes after 250 ms, and 60 tokens a second after it."""
WRITTEN = "Every difference above one hundred dollars is approved by a supervisor before reconciliation ends [1]. " * 3
CALLERS = 8
PLATFORM = {"level": "platform", "source": "bench"}


@dataclass(frozen=True, slots=True)
class Server:
    """A server of CORTX's contract."""

    url: str

    def post(self, path: str, body: object) -> float:
        """Posts a body and gives the seconds until its answer was read."""
        headers = {"content-type": "application/json"}
        request = urllib.request.Request(f"{self.url}/v1/{path}", json.dumps(body).encode(), headers)
        return _seconds(lambda: _read(request))

    def cpu(self) -> float:
        """The processor seconds that it has taken, by its own count, in which other work on the machine is not."""
        metrics = _read(f"{self.url}/metrics").decode()
        return float(next(line for line in metrics.splitlines() if line.startswith("process_cpu_s")).split()[1])


def _read(request: urllib.request.Request | str) -> bytes:
    with urllib.request.urlopen(request, timeout=120) as response:
        return response.read()


def cortx(count: int, seconds: int) -> None:
    """Latencies of ``count`` requests of each kind, and throughput over so many seconds."""
    print(
        "cortx: its targets (section 9 of its design), over HTTP, against its shipped knowledge and what is brought in"
    )
    with ollama_server(lambda asked: Reply(WRITTEN, MODEL)) as ollama:
        llm = f'llm: {{provider: ollama, model: {MODEL}, base_url: "{ollama.url}"}}\nanswer: {{abstain_below: 0}}\n'
        with _server(llm) as server:
            tokens = len(WRITTEN.split())
            print(
                f"  (the stand-in for the language model: 250 ms to its first word, 60 tokens/s, about {tokens} tokens)"
            )
            _latency("query with generation", _asking(server, "query", count), 2.0, server)
    with _server("llm: null\n") as server:
        _latency("query without a language model", _asking(server, "query", count), 2.0, server)
        _latency("search", _asking(server, "search", count), 0.5, server)
        for sentences, name in ((32, "a document of 32 sentences"), (800, "a document of 800 sentences")):
            some = documents(max(count // 5, 3), sentences, seed=sentences)
            _latency(f"ingestion, {name}", (server.post("ingest", _offer(text.text)) for text in some), 5.0, server)
        searches = [{"query": question, "top_k": 10} for question in _questions()]
        queries = [{"question": question} for question in _questions()]
        _throughput("queries without a language model", server, "query", cycle(queries), seconds, target=100)
        _throughput("searches", server, "search", cycle(searches), seconds, target=100)
        fresh = (_offer(text.text) for text in documents(100 * seconds, 32, seed=11))
        _throughput("ingestion of documents of 32 sentences", server, "ingest", fresh, seconds, target=10)
    _embedding(count)


def _questions() -> list[str]:
    lines = (SHIPPED / "golden.jsonl").read_text(encoding="utf-8").splitlines()
    return [asked["question"] for asked in map(json.loads, lines) if not asked.get("unanswerable")]


def _offer(text: str) -> object:
    return {"content": text, "metadata": PLATFORM | {"source": f"bench-{hash(text)}"}}


@contextmanager
def _server(more: str) -> Iterator[Server]:
    """A server of the shipped profile, with ``more`` in it."""
    with tempfile.TemporaryDirectory(prefix="footnote-bench-") as folder:
        profile = Path(folder) / "cortx.yaml"
        said = f"extends: {SHIPPED / 'profile.yaml'}\nknowledge: {{path: {SHIPPED / 'knowledge'}}}\n{more}"
        profile.write_text(said, encoding="utf-8")
        with serving(profile, Path(folder) / "data") as running:
            server = Server(running.url)
            for question in _questions()[:3]:
                server.post("search", {"query": question})
            yield server


def _asking(server: Server, path: str, count: int) -> Iterator[float]:
    name = {"query": "question", "search": "query"}[path]
    return (server.post(path, {name: question, "top_k": 10}) for question in islice(cycle(_questions()), count))


def _latency(what: str, measured: Iterable[float], target: float, server: Server | None = None) -> None:
    before = server.cpu() if server else 0.0
    took = list(measured)
    each = f"; processor {_ms((server.cpu() - before) / len(took))} each" if server else ""
    print(f"  {what}: p50 {_ms(median(took))}, p95 {_ms(percentile(took, 95))}, longest {_ms(max(took))}", end="")
    print(f"{each} (target: below {_ms(target)})")


def _throughput(what: str, server: Server, path: str, bodies: Iterator[object], seconds: int, *, target: int) -> None:
    """As many requests as a few callers get answered, each asking again at once."""
    lock, took = threading.Lock(), []
    end = time.perf_counter() + seconds

    def call() -> None:
        while time.perf_counter() < end:
            with lock:
                body = next(bodies)
            took.append(server.post(path, body))

    callers = [threading.Thread(target=call) for _ in range(CALLERS)]
    began, before = time.perf_counter(), server.cpu()
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    rate, each = len(took) / (time.perf_counter() - began), (server.cpu() - before) / len(took)
    print(f"  {what}: {rate:.1f}/s by {CALLERS} callers, p95 {_ms(percentile(took, 95))}", end="")
    print(f"; processor {_ms(each)} each (target: {target}/s)")


def _embedding(count: int) -> None:
    """The embedding model on chunks as the profile cuts them, one by one and many together."""
    with tempfile.TemporaryDirectory(prefix="footnote-bench-") as folder, open_engine(SHIPPED, folder) as engine:
        engine.sync()
        chunks = [hit.content for hit in engine.search("policy", top_k=20)]
        engine.embed(chunks[:2])
        alone = [_seconds(lambda text=text: engine.embed([text])) for text in islice(cycle(chunks), count)]
        many: Sequence[str] = list(islice(cycle(chunks), 64))
        together = _seconds(lambda: engine.embed(many)) / len(many)
    _latency("embedding, a chunk alone", alone, 0.3)
    print(f"  embedding, of {len(many)} chunks together: {_ms(together)} a chunk\n")


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms" if seconds < 10 else f"{seconds:.1f} s"
