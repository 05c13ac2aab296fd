"""Entries with a type behind their names, and names that are spelt alike but for their capitals."""

import pytest

from pipelines.query.extracts.chooser import Chooser
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import TERMS, choose, favouring
from tests.pipelines.query.extracts.drafts import hit, stored


def test_the_type_behind_the_name_of_an_entry_is_no_part_of_the_name() -> None:
    def settings(draft: Draft) -> None:
        draft.add_heading(1, "Settings")
        draft.add("tide_clock (enum)", "term")
        draft.add("What tells the time: sun or moon. The default is moon.", "definition", level=1)
        draft.add("harbour_bell (text)", "term")
        draft.add("What the bell beside the tide clock says. The default is ding.", "definition", level=1)

    text = stored(settings)
    chooser = Chooser(favouring("bell", "ding", "beside"), TERMS)
    found = chooser.choose("What is the default tide clock in the pilot?", [hit(text)], [text], 1)
    assert found.extracts[0].shown == "tide_clock (enum): What tells the time: sun or moon. The default is moon."


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is the default of MaxTide?", "Default: MaxTide 5"),
        ("What is the default of maxTide?", "The default of maxTide is 72 metres."),
        ("What is the default of max tide?", "The default of maxTide is 72 metres."),
    ],
)
def test_the_default_is_of_the_setting_that_is_spelt_as_in_the_question(question: str, expected: str) -> None:
    def settings(draft: Draft) -> None:
        draft.add_heading(1, "The pilot")
        draft.add("The default of maxTide is 72 metres.")
        draft.add_heading(1, "The lock")
        draft.add("Default: MaxTide 5")

    assert choose(question, settings, favouring("metres"), most=1).extracts[0].shown == expected
