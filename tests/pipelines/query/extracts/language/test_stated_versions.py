"""Versions that a question states, and texts that nowhere speak of them."""

import time

import pytest

from pipelines.query.extracts.language.absence import names_absent
from pipelines.query.extracts.language.stated_versions import lacks_stated_version
from tests.pipelines.query.extracts.drafts import hit, stored

QUESTION = "How many sails does Ebb version 3 set?"


@pytest.mark.parametrize(
    "text", ["Ebb sets 3 sails.", "3.1 Sails\nEbb sets five.", "See figure 3 of version 2.", "Ebb 30 sets five sails."]
)
def test_the_figure_alone_is_no_version(text: str) -> None:
    assert lacks_stated_version(QUESTION, text)
    found = hit(stored(lambda draft: draft.add(f"Ebb and its sails. {text}")))
    assert names_absent(QUESTION, [found])


@pytest.mark.parametrize(
    "text",
    ["Version 3 sets five sails.", "Ebb 3 sets five.", "ebb-v3", "New in v3: five sails", "ebb 3.2", "release 3.0.1"],
)
def test_a_version_is_written_in_many_ways(text: str) -> None:
    assert not lacks_stated_version(QUESTION, text)


@pytest.mark.parametrize("text", ["ebb 3", "Ebb 3.11 or newer", "[3.1] - 2030-04-02", "3.0 (spring)", "## v3.2"])
def test_releases_and_names_in_small_letters_are_versions(text: str) -> None:
    assert not lacks_stated_version("What is new in ebb version 3?", text)


@pytest.mark.parametrize("text", ["It is new in 3 boats.", "3.1 New sails", "ebb 13"])
def test_a_small_word_is_no_product(text: str) -> None:
    assert lacks_stated_version("What is new in version 3?", text)
    assert lacks_stated_version("What is new in ebb version 3?", text)


@pytest.mark.parametrize(
    "question", ["How many sails does Ebb set?", "Does Ebb version 3.2 set sails?", "Which version is 3?"]
)
def test_other_questions_state_none(question: str) -> None:
    assert not lacks_stated_version(question, "Ebb sets sails.")


@pytest.mark.parametrize("text", ["version " * 10_000, "3." * 25_000, " " * 50_000, "Ebb " * 12_000])
def test_long_texts_are_read_in_linear_time(text: str) -> None:
    began = time.process_time()
    lacks_stated_version(QUESTION, text)
    assert time.process_time() - began < 2
