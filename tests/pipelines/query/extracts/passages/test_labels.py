"""Labels below prose: what they say is said of the prose."""

import pytest

from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import choose, favouring
from tests.pipelines.query.extracts.drafts import passages, stored


def lamps(draft: Draft) -> None:
    draft.add_heading(1, "wick-length")
    draft.add("How long the wick is cut.")
    draft.add("Default: 3 cm.", "row", level=1)
    draft.add("Options: --wick, -w.", "row", level=1)


def test_a_default_is_shown_behind_what_it_is_the_default_of() -> None:
    (extract,) = choose("What is the wick length by default?", lamps, favouring("Default")).extracts
    assert extract.shown == "How long the wick is cut. Default: 3 cm. Options: --wick, -w."


@pytest.mark.parametrize(
    ("lead_in", "first"),
    [("A lamp has these parts:", "Default: 3 cm."), ("Lamps hang at the pier.", "Keeper: Ida.")],
)
def test_the_fields_of_a_list_stand_on_their_own(lead_in: str, first: str) -> None:
    def fill(draft: Draft) -> None:
        draft.add(lead_in)
        draft.add(first, "row", level=1)
        draft.add("Keepers: Ida and Jonas.", "row", level=1)

    assert "Keepers: Ida and Jonas." in [passage.shown for passage in passages(stored(fill)) if passage.kind == "row"]
