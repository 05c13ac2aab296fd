"""Where the time of a search goes: the model, the store, and what is ours around them."""

from functools import partial
from statistics import median

import numpy as np

from pipelines.engine import Engine
from pipelines.ingestion.visibility import readable_at
from tests.performance.corpus import questions, sentences
from tests.performance.measure import Cost, cost
from tests.performance.ours import forget_questions, write_chunks
from tests.performance.sizes import opened, realistic_vectors

_SENTENCES = 6


def overhead(count: int, rounds: int) -> None:
    """Asks each part of a search alone and then the search, question by question, and prints what is left between."""
    with opened("as shipped") as engine:
        pool = sentences()
        texts = [" ".join(pool[n : n + _SENTENCES]) for n in range(len(pool) - _SENTENCES)]
        write_chunks(engine, realistic_vectors(count), [{}] * count, texts)
        engine.optimize()
        asked = questions()
        for text in asked[:10]:
            _parts(engine, text)
        searches = [_parts(engine, text) for _ in range(rounds) for text in asked]
    print(
        f"a search of {count:,} chunks, of {len(searches)}: least, median and processor time of a part asked alone, ms"
    )
    for name in searches[0]:
        print(f"  {name:>9}: {_line([search[name] for search in searches])}")
    print(f"  {'rest':>9}: {_line([_rest(search) for search in searches], least=False)} (bar: 2)\n")


def _parts(engine: Engine, text: str) -> dict[str, Cost]:
    """What each part costs on its own, in the order in which a search comes to them, and the search."""
    space = engine._parts.indexes.current
    store, settings = space.store, engine.profile.retrieval
    found: dict[str, object] = {}
    vector = partial(engine._parts.indexes.embedder.vectors, [text])
    embedding = cost(lambda: found.update(vector=np.asarray(vector()[0])))
    legs = partial(store.legs, where=readable_at(engine._parts.catalogue.snapshot), depth=settings.candidates)
    dense = cost(lambda: legs(found["vector"], None))
    sparse = cost(lambda: found.update(legs(None, store.encoder.query(text))))
    ids = [hit.chunk_id for hit in engine.search(text)]
    forget_questions(engine)
    return {
        "embedding": embedding,
        "dense leg": dense,
        "BM25 leg": sparse,
        "payloads": cost(lambda: store.fetch(ids)),
        "search": cost(lambda: engine.search(text)),
    }


def _rest(search: dict[str, Cost]) -> Cost:
    """What the whole takes beyond its parts; less than nothing where BM25 ran beside the model."""
    parts = [part for name, part in search.items() if name != "search"]
    whole = search["search"]
    return Cost(whole.wall - sum(part.wall for part in parts), whole.cpu - sum(part.cpu for part in parts))


def _line(costs: list[Cost], least: bool = True) -> str:
    """The least of differences would be a question in whose parts the machine was busy."""
    wall, cpu = [one.wall * 1000 for one in costs], [one.cpu * 1000 for one in costs]
    first = f"{min(wall):6.2f}" if least else " " * 6
    return f"{first} {median(wall):6.2f} {median(cpu):6.2f}"
