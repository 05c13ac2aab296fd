"""Lists of conditions that answer who may do something, and when."""

import pytest

from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import choose, favouring_a_little


def rules(draft: Draft) -> None:
    draft.add_heading(1, "Tug rules")
    draft.add("Do not sail the tug if:")
    draft.add("- you cannot swim", "item", level=1)
    draft.add("- you have had beer", "item", level=1)
    draft.add_heading(2, "Crew")
    draft.add("Children must not sail the tug.")


@pytest.mark.parametrize("question", ["Who must not sail the tug?", "When should I not sail the tug?"])
def test_a_list_of_conditions_says_who_and_when(question: str) -> None:
    found = choose(question, rules, favouring_a_little("Children"), most=1)
    assert found.extracts[0].shown.endswith("- you cannot swim\n- you have had beer")


def test_what_is_denied_does_not_say_who_may() -> None:
    found = choose("Who may sail the tug?", rules, favouring_a_little("Children"), most=1)
    assert "beer" not in found.extracts[0].shown
