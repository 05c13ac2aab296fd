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
"""Documents that a question is asked of: it finds chunks of all of them."""
_SENTENCES = 10
CALLERS = (1, 4)


def answers(count: int) -> None:
    """Print answers a second, and what one of them takes, for ``count`` questions of each number of callers."""
    asked = range(1, count * len(CALLERS) + 1)
    texts: list[int] = []
    with tempfile.TemporaryDirectory(prefix="footnote-answers-") as folder:
        profile = write_profile(Path(folder))
        with open_engine(profile, Path(folder) / "data", partial(_count, texts)) as engine:
            engine.ingest([page for group in (0, *asked) for page in pages(group)])
            engine.optimize()
            _ask(engine, 0)
            print(f"{count} answers from extracts, each from documents that nobody asked about (bar: 30 a second)")
            for number, callers in enumerate(CALLERS):
                texts.clear()
                line = _line(engine, asked[number :: len(CALLERS)], callers)
                print(f"  {line}, {sum(texts) / count:.1f} texts embedded, the question among them")
    print()


def pages(group: int) -> list[DocumentInput]:
    """Documents of headings, prose and lists for one question; no sentence of them stands in another question's."""
    chosen, pool = random.Random(str(group)), sentences()
    return [
        DocumentInput(
            content=_page(chosen.choices(pool, k=_SENTENCES), (group * _PAGES + number) * _SENTENCES),
            document_id=f"{group}-{number}.md",
            title=f"Page {number}",
            media_type="text/markdown",
            metadata={"group": f"g{group}"},
        )
        for number in range(_PAGES)
    ]


def _page(chosen: Sequence[str], first: int) -> str:
    said = [f"{one.removesuffix('.')} ({number})." for number, one in enumerate(chosen, first)]
    lead_in, *items = said[6:]
    listed = "\n".join(f"- {one}" for one in items)
    prose = (" ".join(said[:3]), " ".join(said[3:6]))
    return "\n\n".join(("# Care", prose[0], "## Health", prose[1], f"{lead_in.removesuffix('.')}:", listed))


def _ask(engine: Engine, group: int) -> None:
    chosen = random.Random(str(group))
    engine.answer(f"{chosen.choice(questions())} ({group})", filters={"group": f"g{group}"})


def _line(engine: Engine, groups: Sequence[int], callers: int) -> str:
    with ThreadPoolExecutor(callers) as pool:
        took = cost(lambda: list(pool.map(partial(_ask, engine), groups)))
    each = f"{len(groups) / took.wall:.1f} a second, {took.cpu * 1000 / len(groups):.1f} ms of processor time"
    return f"{callers} {'caller' if callers == 1 else 'callers'}: {each}"


def _count(texts: list[int], event: Event) -> None:
    if isinstance(event, Embedded):
        texts.append(event.texts)
