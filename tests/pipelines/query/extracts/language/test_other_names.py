"""Entries of other settings and programs than the one that a question names."""

import pytest

from pipelines.query.extracts.language.other_names import is_of_other_name
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import choose, favouring

OTHERS = [
    ("What is the default of max_tide_age?", "max_tide_waves (integer): How many waves. The default is 3.", ()),
    ("What is the default of max_tide_age?", "- max_tide_waves: How many waves. The default is 3.", ()),
    ("What is the default of TideWriteTimeout?", "Default: 20", ("The tide module", "TideReadTimeout Directive")),
    ("What does tide_dump return?", "It returns 1 where the sea is rough.", ("tide_isready", "Exit status")),
]
SAME = [
    ("What is the default of max_tide_age?", "max_tide_age (integer): How old. The default is 3.", ()),
    ("What is the default of max_tide_age?", "maxTideAge: How old. The default is 3.", ()),
    ("What is the default of max_tide_age?", "max_tide_waves: As max_tide_age, by default 3.", ()),
    ("What is the default of max_tide_agee?", "max_tide_age (integer): How old. The default is 3.", ()),
    ("What is the default of tide_age?", "max_tide_age (integer): How old. The default is 3.", ()),
    ("What is the default of retry_max?", "max_retries (integer): How often. The default is 3.", ()),
    ("What is the default of max_tide_age?", "lamp_oil (text): What burns. The default is whale oil.", ()),
    ("What is the default of max_tide_age?", "Every setting has a default.", ("What may be set",)),
    ("How do max_tide_age and max_tide differ?", "max_tide_waves (integer): How many waves.", ()),
    ("What is the default age?", "max_tide_waves (integer): How many waves. The default is 3.", ()),
]


@pytest.mark.parametrize(("question", "shown", "place"), OTHERS)
def test_the_entry_of_a_similar_name_is_of_another(question: str, shown: str, place: tuple[str, ...]) -> None:
    assert is_of_other_name(question, shown, place)


@pytest.mark.parametrize(("question", "shown", "place"), SAME)
def test_what_may_be_meant_or_is_named_is_of_no_other(question: str, shown: str, place: tuple[str, ...]) -> None:
    assert not is_of_other_name(question, shown, place)


def test_a_setting_that_is_not_there_is_not_answered_with_a_similar_one() -> None:
    def settings(draft: Draft) -> None:
        draft.add_heading(1, "Settings")
        draft.add("max_tide_waves (integer)", "term")
        draft.add("How many waves a tide may have. The default is 3.", "definition", level=1)

    reader = favouring("tide", "default")
    assert choose("What is the default of max_tide_age?", settings, reader).about_another
    assert choose("What is the default of max_tide_waves?", settings, reader).extracts
