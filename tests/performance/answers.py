"""Answers from extracts over passages that nobody asked about before: none of their vectors is known."""

import random
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from pipelines.engine import Engine, open_engine
from pipelines.events import Embedded, Event
from pipelines.types import DocumentInput
from tests.performance.corpus import questions, sentences
from tests.performance.measure import cost
from tests.performance.ours import write_profile

_PAGES = 6
"""Documents that a question is asked of: it finds chunks of nearly all of them."""
CALLERS = (1, 4)


def answers(count: int) -> None:
    """Print answers a second, and what one of them takes, for ``count`` questions of each number of callers."""
    asked = [f"g{number}" for number in range(count * len(CALLERS))]
    texts: list[int] = []
    with tempfile.TemporaryDirectory(prefix="footnote-answers-") as folder:
        profile = write_profile(Path(folder))
        with open_engine(profile, Path(folder) / "data", partial(_count, texts)) as engine:
            engine.ingest([page for group in ("first", *asked) for page in pages(group)])
            engine.optimize()
            _ask(engine, "first")
            print(
                f"answers from extracts, {count} questions each, every one over documents of its own (bar: 30 a second)"
            )
            for number, callers in enumerate(CALLERS):
                texts.clear()
                line = _line(engine, asked[number :: len(CALLERS)], callers)
                print(f"  {line}, {sum(texts) / count:.1f} texts embedded")
    print()


def pages(group: str) -> list[DocumentInput]:
    """Documents of headings, prose and lists for the questions of a group; no sentence of them stands anywhere else."""
    chosen, pool = random.Random(group), sentences()
    return [
        DocumentInput(
            content=_page(chosen, pool, f"{group}.{number}"),
            document_id=f"{group}-{number}.md",
            title=f"Page {number}",
            media_type="text/markdown",
            metadata={"group": group},
        )
        for number in range(_PAGES)
    ]


def _page(chosen: random.Random, pool: Sequence[str], mark: str) -> str:
    said = [f"{one.removesuffix('.')}, as {mark}.{n} says." for n, one in enumerate(chosen.choices(pool, k=10))]
    items = "\n".join(f"- {one}" for one in said[7:])
    return "\n\n".join(
        ("# Care", " ".join(said[:3]), "## Health", " ".join(said[3:6]), f"{said[6].removesuffix('.')}:", items)
    )


def _ask(engine: Engine, group: str) -> None:
    chosen = random.Random(group)
    engine.answer(f"{chosen.choice(questions())} {group}", filters={"group": group})


def _line(engine: Engine, groups: Sequence[str], callers: int) -> str:
    with ThreadPoolExecutor(callers) as pool:
        took = cost(lambda: list(pool.map(partial(_ask, engine), groups)))
    each = f"{len(groups) / took.wall:.1f} a second, {took.cpu * 1000 / len(groups):.1f} ms of processor time"
    return f"{callers} {'caller' if callers == 1 else 'callers'}: {each}"


def _count(texts: list[int], event: Event) -> None:
    if isinstance(event, Embedded):
        texts.append(event.texts)
