"""Tables of many rows, under the longest of questions."""

from time import process_time

import pytest

from pipelines.query.extracts.chooser import Chooser
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import TERMS, favouring
from tests.pipelines.query.extracts.drafts import hit, stored

HEADER = ["Pier", *(f"Berth {number}" for number in range(1, 10))]
ROWS = [[f"Pier {row}", *(f"boat {row} of {column}" for column in range(1, 10))] for row in range(2000)]


@pytest.mark.parametrize("part", ["tide pier ", "boat 7 "])
def test_a_long_question_is_not_read_again_for_each_row(part: str) -> None:
    def fill(draft: Draft) -> None:
        draft.add_heading(1, "Piers")
        draft.add_table([HEADER, *ROWS])

    text, question = stored(fill), f"Which {part * 400}"[:4000]
    began = process_time()
    Chooser(favouring("Pier"), TERMS).choose(question, [hit(text)], [text], 1)
    assert process_time() - began < 5
