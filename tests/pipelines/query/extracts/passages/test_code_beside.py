"""Prose, lists and the code beside or in them, where it is asked how to do something."""

import pytest

from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import choose, favouring_a_little


@pytest.mark.parametrize("favoured", ["List the boats.", "all the boats of a fleet"])
def test_an_item_with_its_code_goes_before_the_list_of_items_without_it(favoured: str) -> None:
    def examples(draft: Draft) -> None:
        draft.add_heading(1, "Examples")
        for told in (
            "List the boats.",
            "List the piers.",
            "List the crew of a boat.",
            "Sort all the boats of a fleet.",
        ):
            draft.add(f"- {told}", "item", level=1)
            draft.add(f"fleet {told.split()[-1]} " + "\n".join(["name length draught harbour"] * 9), "code", level=2)

    found = choose("How do I list the boats?", examples, favouring_a_little(favoured), most=1).extracts[0]
    assert "fleet boats. name" in found.shown or "fleet fleet. name" in found.shown
