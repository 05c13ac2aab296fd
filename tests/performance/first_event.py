"""How long the reader of a streamed answer waits for its sources, while the language model says nothing."""

import tempfile
from pathlib import Path
from statistics import median

from pipelines.engine import open_engine
from pipelines.types import DocumentInput
from tests.fakes.ollama import ollama_server
from tests.performance.corpus import documents, questions
from tests.performance.measure import percentile
from tests.performance.ours import write_profile
from tests.performance.serving import serving

_LLM = 'llm: {{provider: ollama, model: slow, base_url: "{url}"}}\n'


def first_event(count: int, rounds: int) -> None:
    """Searches and streamed answers over HTTP, in turns, until the first event."""
    with tempfile.TemporaryDirectory(prefix="footnote-bench-") as folder, ollama_server() as silent:
        profile, data = write_profile(Path(folder)), Path(folder) / "data"
        with profile.open("a", encoding="utf-8") as file:
            file.write(_LLM.format(url=silent.url))
        with open_engine(profile, data) as engine:
            engine.ingest([DocumentInput(text.text, text.name, title=text.title) for text in documents(count)])
            chunks = engine.stats().chunks
        with serving(profile, data) as running:
            asked = questions()
            searches, events = [], []
            for n in range(rounds * len(asked)):
                measure, times = (running.search, searches) if n % 2 else (running.first_event, events)
                times.append(measure(asked[n % len(asked)]) * 1000)
    event, search = median(events), median(searches)
    print(f"first event of a streamed answer, {chunks} chunks, a model that is silent: p50 {event:.1f} ms,")
    print(f"  p95 {percentile(events, 95):.1f} ms; a search over HTTP p50 {search:.1f} ms")
    print(f"  so {event - search:.1f} ms after what was found (bar: 100)\n")
