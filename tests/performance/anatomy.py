"""Where the processor time of a query and of an ingested chunk goes: model, tokens, BM25, store, SQL, and the rest."""

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import wraps
from typing import Any
from unittest.mock import patch

from sqlalchemy import Connection
from sqlalchemy.orm import Session

from pipelines.components.embedding.onnx import OnnxEncoder
from pipelines.components.models.tokenizer import TokenSpans
from pipelines.components.sparse import Bm25Encoder
from pipelines.components.store.collection import StoreCollection
from tests.performance.corpus import documents, questions
from tests.performance.ours import Ours

PARTS: Mapping[str, tuple[tuple[type, str], ...]] = {
    "embedding": ((OnnxEncoder, "_run"),),
    "tokens": ((OnnxEncoder, "_vector"), (TokenSpans, "spans")),  # `_vector` beside the run of the model
    "BM25": ((Bm25Encoder, "document"), (Bm25Encoder, "query")),
    "store": tuple(
        (StoreCollection, name) for name in ("compiled", "ranked", "payloads", "write", "remove", "set_fields", "count")
    ),
    "SQL": (
        *((Session, name) for name in ("execute", "scalar", "scalars", "flush", "commit")),
        *((Connection, name) for name in ("execute", "commit")),
    ),
}


class Parts:
    """Adds up the processor seconds of parts; what one part calls of another counts for the other alone."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self._adding = threading.Lock()
        self._within = threading.local()

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Times `PARTS` until the block ends."""
        with ExitStack() as patched:
            for part, methods in PARTS.items():
                for owner, name in methods:
                    timed = self._timed(getattr(owner, name), part)
                    patched.enter_context(patch.object(owner, name, timed))
            yield

    def _timed(self, method: Callable[..., Any], part: str) -> Callable[..., Any]:
        @wraps(method)
        def timed(*args: Any, **kwargs: Any) -> Any:
            stack = self._within.__dict__.setdefault("stack", [])
            stack.append(0.0)
            began = time.thread_time()
            try:
                return method(*args, **kwargs)
            finally:
                took = time.thread_time() - began
                inner = stack.pop()
                if stack:
                    stack[-1] += took
                with self._adding:
                    self.seconds[part] += took - inner

        return timed


def anatomy(ours: Ours, count: int, rounds: int) -> None:
    """Ingests ``count`` documents, asks the questions, and prints what each part took."""
    texts, asked = documents(count), questions()
    ours.ingest(texts[:5])
    chunks = _print("chunk", lambda: ours.ingest(texts))
    ours.engine.optimize()
    for text in asked:
        ours.query(text)
    _print(f"query at {chunks} chunks", lambda: sum(ours.query(text) > 0 for _ in range(rounds) for text in asked))


def _print(what: str, work: Callable[[], int]) -> int:
    """Does ``work`` and prints the milliseconds of one of the things that it says it did."""
    parts = Parts()
    with parts.watching():
        began = time.process_time()
        count = work()
        whole = time.process_time() - began
    seconds = {name: parts.seconds[name] for name in PARTS}
    print(f"a {what}: {whole * 1000 / count:.2f} ms of processor time, of {count}")
    for name, took in {**seconds, "rest": whole - sum(seconds.values())}.items():
        print(f"  {name:>9}: {took * 1000 / count:6.2f} ms, {took / whole:5.1%}")
    print()
    return count
