"""Questions for how to tell whether something is there."""

from __future__ import annotations

import pytest

from pipelines.query.extracts.chooser import Chooser
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import TERMS, favouring_a_little
from tests.pipelines.query.extracts.drafts import hit, stored

RISK = "Rot takes boats of pine above all, and those that lie on a river."
SIGNS = "A plank sounds dull under the hammer and takes the tip of a knife."
OTHER = "The engine coughs on the river when water is in its tank."


def boats(draft: Draft) -> None:
    draft.add_heading(1, "Boats")
    draft.add_heading(2, "Rot")
    draft.add_heading(3, "Boats at risk")
    draft.add(RISK)
    draft.add_heading(3, "Warning signs")
    draft.add(SIGNS)
    draft.add_heading(2, "Engines")
    draft.add_heading(3, "Symptoms")
    draft.add(OTHER)


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("How do I know whether a boat has rot?", SIGNS),
        ("How can we tell if there is rot in it?", SIGNS),
        ("Which boats does rot take?", RISK),
        ("How do I know the age of rot?", RISK),
    ],
)
def test_signs_answer_how_to_tell_whether_a_thing_is_there(question: str, first: str) -> None:
    text = stored(boats)
    found = Chooser(favouring_a_little("river"), TERMS).choose(question, [hit(text)], [text], 1)
    assert found.extracts[0].shown == first
