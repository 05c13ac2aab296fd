"""Extracts of several questions are chosen side by side."""

import threading
from concurrent.futures import ThreadPoolExecutor

from pipelines.query.answerer import _Evidence
from pipelines.query.confidence import ConfidenceEstimate
from pipelines.query.extracts.extract import Extraction

SECONDS = 5


def test_no_answer_waits_for_the_extracts_of_another() -> None:
    """Before Python 3.12 a `functools.cached_property` computes one at a time, of all objects together."""
    both = threading.Barrier(2)

    def extract() -> Extraction:
        both.wait(SECONDS)  # breaks if the other has to wait until this one is chosen
        return Extraction()

    def weigh(_: Extraction) -> ConfidenceEstimate:
        raise AssertionError("nobody asked how sure it is")

    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda evidence: evidence.extraction, [_Evidence(extract, weigh) for _ in range(2)]))
    assert found == [Extraction(), Extraction()]
