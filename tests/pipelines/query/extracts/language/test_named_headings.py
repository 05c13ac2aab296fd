import time

import pytest

from pipelines.query.extracts.language.named_headings import NamedHeadings
from tests.pipelines.query.extracts.choices import TERMS


@pytest.mark.parametrize("heading", ["tide-age", "tide_age", "tideAge", "tide.age", "`tide_age`"])
def test_a_name_of_parts_may_be_asked_for_in_words(heading: str) -> None:
    assert NamedHeadings("What does the tide age do?", TERMS).names(heading)
    assert not NamedHeadings("What does the tide table do?", TERMS).names(heading)


@pytest.mark.parametrize("heading", ["_" * 400 + " Skipper", "_." * 200 + " Skipper", "a_" * 200 + " Skipper"])
def test_the_blanks_of_a_form_are_compared_in_linear_time(heading: str) -> None:
    began = time.process_time()
    assert not NamedHeadings("Who is the bosun of the Ebb?", TERMS).names(heading)
    assert time.process_time() - began < 1
