"""The reranker stage that asks a language model, in whole searches."""

from collections.abc import Callable, Iterator

import pytest

from pipelines.engine import Engine
from pipelines.types import DocumentInput
from tests.conftest import OpenTenant
from tests.fakes.ollama import FakeOllama, Reply, ollama_server

PROFILE = """
tenant: kennel
rerank: [{type: llm, depth: 3}]
llm: {provider: ollama, model: m, base_url: "URL", timeouts: {call_s: 5}}
"""
ANIMALS = ("beagle", "pug", "collie", "siamese", "parrot")
Open = Callable[[], Engine]


@pytest.fixture
def server() -> Iterator[FakeOllama]:
    with ollama_server() as fake:
        yield fake


@pytest.fixture
def opened(open_tenant: OpenTenant, server: FakeOllama) -> Open:
    def open_it() -> Engine:
        engine = open_tenant(PROFILE.replace("URL", server.url))
        engine.ingest(
            DocumentInput(content=f"A {name} needs exercise.", document_id=name, title=name) for name in ANIMALS
        )
        return engine

    return open_it


def test_the_model_orders_the_first_candidates_and_the_others_follow(opened: Open, server: FakeOllama) -> None:
    server.script = lambda _: '{"order": [3, 2, 1]}'
    engine = opened()
    found = engine.search("How much exercise does a beagle need?", top_k=5).hits
    assert found[2].document_id == "beagle"
    assert [hit.scores["llm"].rank for hit in found[:3]] == [1, 2, 3]
    assert all("llm" not in hit.scores for hit in found[3:])
    assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)


@pytest.mark.parametrize("manner", ["", "missing", "broken-after-1", "rubbish"])
def test_a_model_that_fails_leaves_the_order_as_it_is(opened: Open, server: FakeOllama, manner: str) -> None:
    server.script = lambda _: Reply("the first one", manner)
    found = opened().search("How much exercise does a beagle need?", top_k=5).hits
    assert found[0].document_id == "beagle"
    assert all("llm" not in hit.scores for hit in found)
