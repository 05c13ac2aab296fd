"""How sure answers are, when they abstain, and how they quote: real tenants, with and without a language model."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from pipelines.engine import Engine
from pipelines.profile.calibration import OF_EVIDENCE, SIGNALS
from pipelines.types import AnswerDone, DocumentInput, SourcesFound
from tests.conftest import OpenTenant
from tests.fakes.ollama import ollama_server

PROFILE = "tenant: kennel\nstore: {engine: memory}\nanswer: {ANSWER}\n"
BEAGLE = "# Beagle\n\nBeagles need 60 minutes of exercise a day. A bored beagle howls.\n"
CAT = "# Siamese\n\nSiamese cats talk a lot and like company. They do not like water.\n"
QUESTION = "How much exercise do beagles need?"
ELSEWHERE = "Who was the king of Prussia in 1812?"

Open = Callable[..., Engine]


@pytest.fixture
def tenant(open_tenant: OpenTenant) -> Open:
    """Opens a tenant with two documents, or those given, and a section on answers."""

    def start(answer: str = "", *documents: str, more: str = "") -> Engine:
        engine = open_tenant(PROFILE.replace("ANSWER", answer) + more)
        engine.ingest([DocumentInput(text, f"d{number}.md") for number, text in enumerate(documents or (BEAGLE, CAT))])
        return engine

    return start


def test_answerable_questions_have_higher_confidence(tenant: Open) -> None:
    engine = tenant()
    known, unknown = engine.answer(QUESTION), engine.answer(ELSEWHERE)
    assert known.confidence > 0.6
    assert 0 < unknown.confidence < 0.3
    assert set(known.signals) == set(SIGNALS)
    assert unknown.signals["mismatch"] == 1.0


def test_with_threshold_zero_nothing_abstains_and_confidence_is_reported(tenant: Open) -> None:
    assert not tenant("abstain_below: 0").answer(ELSEWHERE).abstained


def test_below_the_threshold_an_answer_abstains_with_its_confidence(tenant: Open) -> None:
    engine = tenant("abstain_below: 0.4")
    answer = engine.answer(ELSEWHERE)
    assert (answer.abstained, answer.reason, answer.citations) == (True, "low_confidence", ())
    assert 0 < answer.confidence < 0.4
    assert answer.sources
    assert not engine.answer(QUESTION).abstained


def test_an_empty_tenant_has_no_hits_and_no_confidence(open_tenant: OpenTenant) -> None:
    answer = open_tenant("store: {engine: memory}").answer(QUESTION)
    assert (answer.reason, answer.confidence, dict(answer.signals)) == ("no_hits", 0.0, {})


def test_a_profile_uses_its_own_calibration(tenant: Open, tmp_path: Path) -> None:
    file = tmp_path / "sure.json"
    file.write_text(json.dumps({"intercept": 50.0, "weights": dict.fromkeys(SIGNALS, 0.0)}))
    assert tenant(f"calibration: {file}").answer(QUESTION).confidence == pytest.approx(1.0)


def test_a_model_is_as_sure_as_its_evidence_and_less_so_where_its_claims_are_not_supported(tenant: Open) -> None:
    plain = tenant().answer(QUESTION)
    with ollama_server(lambda asked: "Beagles need 90 hours of sleep a day [1].") as fake:
        llm = f'llm: {{provider: ollama, model: m, base_url: "{fake.url}"}}'
        written = tenant("unsupported: annotate", more=llm).answer(QUESTION)
    assert {name: written.signals[name] for name in OF_EVIDENCE} == {name: plain.signals[name] for name in OF_EVIDENCE}
    assert written.signals["unsupported"] == 1.0
    assert written.confidence < plain.confidence


def test_a_model_is_not_asked_where_the_evidence_is_too_weak_and_the_sources_come_first(tenant: Open) -> None:
    with ollama_server(lambda asked: "Frederick William [1].") as fake:
        engine = tenant("abstain_below: 0.4", more=f'llm: {{provider: ollama, model: m, base_url: "{fake.url}"}}')
        first, *_, last = engine.stream_answer(ELSEWHERE)
        assert fake.asked == []
    assert isinstance(first, SourcesFound)
    assert isinstance(last, AnswerDone)
    assert (last.answer.reason, last.answer.llm_generated) == ("low_confidence", False)


def test_a_row_names_its_columns_an_item_its_lead_in_and_their_quotes_are_verbatim(tenant: Open) -> None:
    table = "# Walks\n\n| Breed | Daily walk |\n|---|---|\n| Small beagle hound | 60 minutes |\n| Pug | 20 minutes |\n"
    signs = "# Bloat\n\nSigns of bloat in a dog are:\n\n- a swollen belly that is hard\n- retching without vomiting\n"
    engine = tenant("sentences: 1", table, signs)
    walk = engine.answer("How long is the daily walk of the small beagle hound?")
    assert walk.claims[0].text == "Breed: Small beagle hound; Daily walk: 60 minutes"
    bloat = engine.answer("Is retching without vomiting a sign of bloat?")
    assert bloat.claims[0].text == "Signs of bloat in a dog are:\n- retching without vomiting\n…"
    for answer in (walk, bloat):
        (note,) = answer.citations
        text = engine.content(note.document_id, note.version)
        assert text[note.span.start : note.span.end] == note.quote
