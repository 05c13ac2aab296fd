"""The golden questions that come with the tenants, answered and unanswerable ones, asked of their own knowledge."""

from __future__ import annotations

import pytest

from pipelines.engine import open_scratch
from pipelines.evaluation.engines import fresh_profile
from pipelines.evaluation.evaluate import evaluate
from pipelines.evaluation.golden import open_dataset
from pipelines.profile.loader import load_profile

TENANTS = ("smartbreeds", "openpharma", "textbook", "cortx", "pocketpal")
LEAST_UNANSWERABLE = 6


@pytest.mark.parametrize("tenant", TENANTS)
def test_a_golden_set_has_questions_that_its_knowledge_does_not_answer(tenant: str) -> None:
    golden = open_dataset(load_profile(tenant))
    assert len(golden.unanswerable) >= LEAST_UNANSWERABLE
    assert not {query.text for query in golden.unanswerable} & {query.text for query in golden.queries}


@pytest.mark.slow
@pytest.mark.parametrize("tenant", TENANTS)
def test_the_right_document_is_among_the_first_five(tenant: str) -> None:
    loaded = load_profile(tenant)
    golden = open_dataset(loaded)
    found = evaluate(lambda: open_scratch(fresh_profile(loaded, golden)), golden, answers=False)
    assert found.failed == ()
    assert found.metrics["hit@5"] >= 0.95


@pytest.mark.slow
def test_golden_questions_are_answered_and_others_declined() -> None:
    """One tenant stands for all, because answers take long. `footnote evaluate TENANT` shows each question."""
    loaded = load_profile("openpharma")
    golden = open_dataset(loaded)
    found = evaluate(lambda: open_scratch(fresh_profile(loaded, golden)), golden, searches=False)
    assert found.metrics["answer_hit_rate"] >= 0.9
    assert found.metrics["declined"] >= 0.8
    assert found.metrics["abstention_auroc"] >= 0.95
