"""The beginnings of sections, which state in few words what the rest explains."""

from pipelines.query.extracts.chooser import Chooser
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import TERMS, favouring
from tests.pipelines.query.extracts.drafts import hit, stored

QUESTION = "How long may a mooring rope of a visiting boat be?"


def _chosen(heading: str) -> str:
    """The extract of a long section on mooring ropes, in which a short rule stands below ``heading``."""

    def rules(draft: Draft) -> None:
        draft.add_heading(1, "Mooring ropes")
        if heading:
            draft.add("Ropes on deck are coiled by the crew before night.")
            draft.add_heading(1, heading)
        draft.add("Forty metres at most.")
        for number in range(14):
            draft.add(f"A mooring rope of a visiting boat at pier {number} is as long as visiting boats may be.")

    text = stored(rules)
    return Chooser(favouring("metres"), TERMS).choose(QUESTION, [hit(text)], [text], 1).extracts[0].shown


def test_the_short_rule_that_a_section_begins_with_is_read() -> None:
    assert _chosen("") == "Forty metres at most."


def test_the_beginning_of_a_section_below_another_heading_is_read() -> None:
    assert _chosen("Lengths") == "Forty metres at most."
