"""SmartBreeds' golden questions, searched in the documents that come with the tenant."""

from __future__ import annotations

import pytest

from pipelines.engine import open_scratch
from pipelines.evaluation.engines import fresh_profile
from pipelines.evaluation.evaluate import evaluate
from pipelines.evaluation.golden import open_dataset
from pipelines.profile.loader import load_profile


@pytest.mark.slow
def test_the_right_document_is_among_the_first_five() -> None:
    loaded = load_profile("smartbreeds")
    golden = open_dataset(loaded, None, None)
    found = evaluate(lambda: open_scratch(fresh_profile(loaded, golden)), golden, answers=False)
    assert found.failed == ()
    assert found.metrics["hit@5"] >= 0.95
