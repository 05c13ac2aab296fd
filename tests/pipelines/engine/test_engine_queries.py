"""One query value for searches, answers and explanations."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pipelines import Engine, open_engine
from pipelines.errors import NeedsWholeTenant
from pipelines.types import DocumentInput, Query

PROFILE = {
    "tenant": "kennel",
    "store": {"engine": "memory"},
    "answer": {"abstain_below": 0, "cache": {"mode": "exact"}},
    "metadata": {
        "fields": {
            "level": {"type": "keyword", "values": ["all", "suite"], "required": True},
            "suite": {"type": "keyword"},
        },
        "hierarchy": {"level": "level", "path": ["suite"]},
    },
}
BEAGLE, PUG = "Beagles howl at night, and dig by day.", "Pugs sleep at night, and snore by day."


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with open_engine(PROFILE) as opened:
        everywhere = {"level": "all"}
        opened.ingest([DocumentInput(BEAGLE, "beagle", metadata=everywhere)])
        opened.ingest([DocumentInput(PUG, "pug", metadata=everywhere)])
        yield opened


def test_keywords_and_a_query_ask_the_same(engine: Engine) -> None:
    by_value = engine.search(Query("Who howls?", top_k=1, mode="sparse"))
    by_keywords = engine.search("Who howls?", top_k=1, mode="sparse")
    assert [hit.document_id for hit in by_value] == [hit.document_id for hit in by_keywords] == ["beagle"]


def test_an_answer_reads_what_a_search_reads(engine: Engine) -> None:
    among = Query("What do dogs do at night?", documents=["pug"])
    assert {hit.document_id for hit in engine.search(among)} == {"pug"}
    assert {hit.document_id for hit in engine.answer(among).sources} == {"pug"}
    assert engine.answer("What do dogs do at night?", min_score=1.0, history=()).sources == ()


def test_a_reused_answer_was_asked_for_in_the_same_way(engine: Engine) -> None:
    question = "Who snores by day?"
    assert engine.answer(question, conversation_id=None).sources
    assert engine.answer(question).cached
    narrowed = engine.answer(question, min_score=1.0)
    assert (narrowed.cached, narrowed.sources) == (False, ())


def test_only_the_whole_tenant_gives_its_administration(engine: Engine) -> None:
    within = engine.within({"suite": "fed"})
    assert (dict(engine.scope), dict(within.scope)) == ({}, {"suite": "fed"})
    assert engine.whole("the doctor") is engine
    with pytest.raises(NeedsWholeTenant, match="the doctor"):
        within.whole("the doctor")
