"""What size costs: filling, optimising, searching with and without filters, memory and disk, and what is found."""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from itertools import product
from pathlib import Path
from statistics import mean, median
from typing import Any

import numpy as np

from pipelines.components.store.edge.room import disk_usage
from pipelines.engine import Engine, open_engine
from tests.performance.corpus import questions, sentences
from tests.performance.measure import Cost, cost, memory_mb, percentile
from tests.performance.ours import EMBEDDED, forget_questions, write_chunks

PROFILE = """
extends: {base}
tenant: bench
metadata:
  fields:
    half: {{type: keyword}}
    twentieth: {{type: keyword}}
    thousandth: {{type: keyword}}
    level: {{type: keyword, values: [platform, suite, module, entity]}}
    suite: {{type: keyword}}
    module: {{type: keyword}}
    entity: {{type: keyword}}
  hierarchy: {{level: level, path: [suite, module, entity]}}
store: {store}
retrieval: {{top_k: 10}}
"""
STORES = {
    "as shipped": "{engine: edge}",
    "int8 vectors": "{engine: edge, quantization: int8}",
    "vectors on disk": "{engine: edge, on_disk: true}",
    "int8, vectors on disk": "{engine: edge, quantization: int8, on_disk: true}",
}
FILTERS: Mapping[str, Mapping[str, Any]] = {
    "none": {},
    "50 %": {"filters": {"half": "h1"}},
    "5 %": {"filters": {"twentieth": "t3"}},
    "0.1 %": {"filters": {"thousandth": "r7"}},
    "union, 10 %": {"filters": {"or": [{"twentieth": "t3"}, {"twentieth": "t11"}]}},
    "values, 20 %": {"filters": {"thousandth": {"in": [f"r{n}" for n in range(200)]}}},
    "scope": {"scope": {"suite": "s1", "module": "m3", "entity": "e2"}},
}


@dataclass(frozen=True, slots=True)
class Figures:
    """Searches of one kind: milliseconds, embedding included, and the share of the true nearest ten that is found."""

    costs: list[Cost]
    recall: float

    def __str__(self) -> str:
        wall = [one.wall * 1000 for one in self.costs]
        times = f"least {min(wall):.2f} ms, p50 {median(wall):.2f} ms, p95 {percentile(wall, 95):.2f} ms"
        return f"{times}, processor {median(one.cpu * 1000 for one in self.costs):.2f} ms, recall@10 {self.recall:.3f}"


def sizes(count: int, store: str) -> None:
    """Measures an index of ``count`` chunks in a store of `STORES`, and prints what it found."""
    vectors = realistic_vectors(count)
    fields = [_fields(n) for n in range(count)]
    with tempfile.TemporaryDirectory(prefix="footnote-bench-") as folder:
        with _open(folder, store) as engine:
            written = cost(lambda: write_chunks(engine, vectors, fields, sentences()))
            optimised = cost(engine.optimize)
            stored = f"{count / written.wall:,.0f} chunks/s stored, {optimised.wall:.1f} s optimised"
            print(f"{count:,} chunks, {store}: {stored}")
            for name, found in _figures(engine, vectors, fields).items():
                print(f"  {name:>12}: {found}")
        disk = disk_usage(Path(folder)) / 1e6
        seconds, resident, anonymous = _restarted(folder)
    print(f"  disk {disk:.0f} MB ({disk * 1000 / count:.2f} KB a chunk)")
    print(f"  another process opens it and answers a search in {seconds:.1f} s; after all searches it holds")
    print(f"  {resident:.0f} MB, {anonymous:.0f} MB of them anonymous\n")


@cache
def realistic_vectors(count: int, seed: int = 7) -> np.ndarray:
    """Unit vectors, one a row, spread as those of real text are: mixtures of two sentences' vectors with some noise."""
    generator = np.random.default_rng(seed)
    with opened("as shipped") as engine:
        real = np.asarray(engine._parts.indexes.embedder.vectors(sentences()), dtype=np.float32)
    first, second = generator.integers(len(real), size=(2, count))
    share = generator.uniform(0.3, 1.0, (count, 1)).astype(np.float32)
    noise = generator.standard_normal((count, real.shape[1]), dtype=np.float32) * np.float32(0.3 / real.shape[1] ** 0.5)
    mixed = share * real[first] + (1 - share) * real[second] + noise
    return mixed / np.linalg.norm(mixed, axis=1, keepdims=True)


@contextmanager
def opened(store: str) -> Iterator[Engine]:
    """An engine on an empty, temporary folder, with a store of `STORES`."""
    with tempfile.TemporaryDirectory(prefix="footnote-bench-") as folder, _open(folder, store) as engine:
        yield engine


def _open(folder: str, store: str) -> Engine:
    profile = Path(folder) / "bench.yaml"
    profile.write_text(PROFILE.format(base=EMBEDDED, store=STORES[store]), encoding="utf-8")
    return open_engine(profile, Path(folder) / "data")


def _restarted(folder: str) -> tuple[float, float, float]:
    """What it takes another process to open the folder and search: seconds to the first hits, and the resident and
    anonymous megabytes that it holds after all searches; this process holds more.
    """
    command = [sys.executable, "-m", "tests.performance.sizes", folder]
    seconds, resident, anonymous = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    return seconds, resident, anonymous


def _fields(n: int) -> dict[str, Any]:
    """Metadata of chunk ``n``: fields of three selectivities, and a place in a hierarchy of 4 x 10 x 10 entities."""
    placed = {"suite": f"s{n % 4}", "module": f"m{n % 40 // 4}", "entity": f"e{n % 400 // 40}"}
    level = ("entity", "entity", "entity", "module", "module", "suite", "platform")[n % 7]
    depth = {"platform": 0, "suite": 1, "module": 2, "entity": 3}[level]
    return {
        "half": f"h{n % 2}",
        "twentieth": f"t{n % 20}",
        "thousandth": f"r{n % 1000}",
        "level": level,
        **dict(list(placed.items())[:depth]),
    }


def _figures(engine: Engine, vectors: np.ndarray, fields: list[dict[str, Any]]) -> dict[str, Figures]:
    """Each question goes through all filters before the next one, so that a busy second is everybody's."""
    texts = questions()
    for text, asked in product(texts[:3], FILTERS.values()):
        engine.search(text, **asked)
    costs: dict[str, list[Cost]] = {name: [] for name in FILTERS}
    for text, (name, asked) in product(texts, FILTERS.items()):
        forget_questions(engine)
        costs[name].append(cost(partial(engine.search, text, **asked)))
    return {
        name: Figures(costs[name], _recalls(engine, vectors, fields, texts[:40], FILTERS[name])) for name in FILTERS
    }


def _recalls(
    engine: Engine,
    vectors: np.ndarray,
    fields: list[dict[str, Any]],
    texts: list[str],
    asked: Mapping[str, Any],
) -> float:
    matching = np.flatnonzero([_matches(field, asked) for field in fields])
    return mean(_recall(engine, vectors, matching, text, asked) for text in texts)


def _recall(engine: Engine, vectors: np.ndarray, matching: np.ndarray, text: str, asked: Mapping[str, Any]) -> float:
    """The share of the ten nearest chunks, by brute force, that a search by vectors alone gives."""
    cosines = vectors[matching] @ np.asarray(engine._parts.indexes.embedder.vectors([text])[0])
    nearest = {int(matching[n]) for n in np.argsort(-cosines)[:10]}
    found = {int(hit.chunk_id.replace("-", ""), 16) for hit in engine.search(text, mode="dense", **asked)}
    return len(nearest & found) / len(nearest)


def _matches(fields: Mapping[str, Any], asked: Mapping[str, Any]) -> bool:
    if "scope" in asked:
        return _in_scope(fields, asked["scope"])
    wanted = asked.get("filters", {})
    alternatives = wanted.get("or", [wanted])
    return any(all(_fits(fields.get(name), value) for name, value in each.items()) for each in alternatives)


def _fits(given: Any, wanted: Any) -> bool:
    return given in wanted["in"] if isinstance(wanted, Mapping) else given == wanted


def _in_scope(fields: Mapping[str, Any], scope: Mapping[str, str]) -> bool:
    """A document of a level is seen from below where every field down to its level agrees."""
    depth = {"platform": 0, "suite": 1, "module": 2, "entity": 3}[fields["level"]]
    return all(fields.get(name) == scope[name] for name in ("suite", "module", "entity")[:depth])


if __name__ == "__main__":
    began = time.perf_counter()
    with open_engine(Path(sys.argv[1]) / "bench.yaml", Path(sys.argv[1]) / "data") as reader:
        reader.search(questions()[0])
        first = time.perf_counter() - began
        for question in questions():
            reader.search(question)
        print(json.dumps([first, *memory_mb("self")]))
