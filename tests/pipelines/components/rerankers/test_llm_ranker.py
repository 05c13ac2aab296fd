"""A language model puts candidates in order, over a real connection, and is not believed whatever it says."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from llama_index.core.schema import QueryBundle

from pipelines.components.llm import build_llm
from pipelines.components.rerankers.llm import LlmRanker
from pipelines.errors import LlmTimeout, LlmUnavailable
from pipelines.profile.sections.llm import OllamaLlm
from pipelines.profile.sections.rerank import LlmStage
from pipelines.types import Hit, Span
from tests.fakes.ollama import Asked, FakeOllama, Reply, ollama_server

QUESTION = QueryBundle("How long is a beagle's walk?")
Open = Callable[..., LlmRanker]


def hits(count: int, content: str = "Passage") -> list[Hit]:
    return [
        Hit(f"c{n}", f"d{n}", 1, f"Title {n}", "s", f"{content} {n}", {}, 1 - n / count, {}, Span(0, 9))
        for n in range(count)
    ]


def order(*numbers: object) -> str:
    return json.dumps({"order": numbers})


def ranked(ranker: LlmRanker, candidates: list[Hit]) -> list[str]:
    return [hit.chunk_id for hit, _ in ranker.rank(QUESTION, candidates)]


@pytest.fixture
def server() -> Iterator[FakeOllama]:
    with ollama_server() as fake:
        yield fake


@pytest.fixture
def open_ranker(server: FakeOllama) -> Iterator[Open]:
    with ExitStack() as opened:

        def open_it(**section: object) -> LlmRanker:
            said = {"provider": "ollama", "model": "m", "base_url": server.url, "timeouts": {"call_s": 5}, **section}
            llm = build_llm(OllamaLlm.model_validate(said))
            opened.callback(llm.close)
            return LlmRanker(LlmStage(type="llm", depth=30), "llm", llm)

        yield open_it


def test_candidates_stand_as_the_model_says_and_places_keep_their_scores(open_ranker: Open, server: FakeOllama) -> None:
    server.script = lambda _: order(3, 1, 4, 2)
    found = open_ranker().rank(QUESTION, hits(4))
    assert [(hit.chunk_id, score) for hit, score in found] == [("c2", 1.0), ("c0", 0.75), ("c3", 0.5), ("c1", 0.25)]
    assert "[3] Title 2: Passage 2" in server.asked[0].last
    assert QUESTION.query_str in server.asked[0].last
    assert server.asked[0].form["required"] == ["order"]  # type: ignore[index]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (order(4, 4, 2), ["c3", "c1", "c0", "c2"]),  # what is left out follows as it stood
        (order(99, 4, 0, -1, 3, True), ["c3", "c2", "c0", "c1"]),
        (order(1, 2, 3, 4, 5), ["c0", "c1", "c2", "c3"]),
    ],
)
def test_numbers_that_do_not_exist_or_come_twice_count_for_nothing(
    open_ranker: Open, server: FakeOllama, said: str, expected: list[str]
) -> None:
    server.script = lambda _: said
    assert ranked(open_ranker(), hits(4)) == expected
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    "rubbish", ["[2] > [1]", order(), order(2), order("2", "1"), '{"order": 5}', "[1]", "[" * 99_999]
)
def test_an_invalid_order_is_asked_for_once_more(open_ranker: Open, server: FakeOllama, rubbish: str) -> None:
    server.script = lambda asked: rubbish if len(asked.messages) == 2 else order(4, 3, 2, 1)
    assert ranked(open_ranker(context_tokens=100_000), hits(4)) == ["c3", "c2", "c1", "c0"]
    assert [message["role"] for message in server.asked[1].messages] == ["system", "user", "assistant", "user"]
    assert server.asked[1].shared > len(server.asked[0].prompt) - 2


def test_an_invalid_order_twice_is_an_error(open_ranker: Open, server: FakeOllama) -> None:
    server.script = lambda _: "I think the first one."
    with pytest.raises(LlmUnavailable, match="no order of the candidates, twice"):
        ranked(open_ranker(), hits(4))
    assert len(server.asked) == 2


def test_more_candidates_than_fit_are_ordered_in_windows_from_the_last_to_the_first(
    open_ranker: Open, server: FakeOllama
) -> None:
    def best_is_24(asked: Asked) -> str:
        numbers = [line.partition("]")[0][1:] for line in asked.last.splitlines() if line.startswith("[")]
        best = next((n for n in numbers if f"[{n}] Title 24:" in asked.last), numbers[0])
        return order(int(best), *(int(n) for n in numbers if n != best))

    server.script = best_is_24
    found = ranked(open_ranker(), hits(30))
    assert found[0] == "c24"
    assert sorted(found) == sorted(hit.chunk_id for hit in hits(30))
    assert len(server.asked) == 2


def test_a_prompt_stays_within_the_context_of_the_model(open_ranker: Open, server: FakeOllama) -> None:
    server.script = lambda asked: order(*range(1, 21))
    ranked(open_ranker(context_tokens=2048, max_tokens=1000), hits(30, "word " * 5000))
    assert len(server.asked) > 2
    assert not any(asked.truncated for asked in server.asked)


@pytest.mark.parametrize("count", [0, 1])
def test_nothing_is_asked_for_a_single_hit(open_ranker: Open, server: FakeOllama, count: int) -> None:
    assert ranked(open_ranker(), hits(count)) == ["c0"][:count]
    assert server.asked == []


def test_a_model_that_does_not_answer_is_an_error(open_ranker: Open, server: FakeOllama) -> None:
    server.script = lambda _: Reply("", "slow")
    with pytest.raises(LlmTimeout):
        ranked(open_ranker(timeouts={"call_s": 0.3}), hits(3))
