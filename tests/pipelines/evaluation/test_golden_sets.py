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
def test_the_right_document_is_among_the_first_five_and_answers_are_reported(tenant: str) -> None:
    """Sets no bar for declined and correct answers: `footnote evaluate TENANT` shows each question."""
    loaded = load_profile(tenant)
    golden = open_dataset(loaded)
    found = evaluate(lambda: open_scratch(fresh_profile(loaded, golden)), golden)
    assert found.failed == ()
    assert found.metrics["hit@5"] >= 0.95
    for measure in ("answer_hit_rate", "declined", "abstention_auroc"):
        print(f"{tenant}: {measure} {found.metrics[measure]:.3f}")  # noqa: T201 - shown by pytest -s
