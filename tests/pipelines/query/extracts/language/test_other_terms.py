"""What another term means than the one that is asked about."""

import pytest

from pipelines.query.extracts.language.other_terms import defines_other
from pipelines.query.extracts.mismatch import is_off_subject
from tests.pipelines.query.extracts.drafts import extract


@pytest.mark.parametrize(
    ("question", "text", "other"),
    [
        ("What is a reef knot?", "Reefing means:\n- to take in a part of the sail", True),
        ("What is a reef knot?", "- \u201creefed sail\u201d refers to a sail that was taken in.", True),
        ("What is a reef knot?", "The reef knot means home to many.", False),
        ("What is a reef knot?", "This means a knot that holds a reef.", False),
        ("What is a reef knot?", "Reefing means that knots get wet.", False),
        ("What is a reef knot?", "Reefing means work. A reef knot is a knot of two halves.", False),
        ("How is a reef knot tied?", "Reefing means: to take in a part of the sail.", False),
    ],
)
def test_a_text_may_begin_with_what_another_term_means(question: str, text: str, other: bool) -> None:
    assert defines_other(question, text) == other
    assert is_off_subject(question, extract(text)) or not other


def test_hostile_texts_end() -> None:
    defines_other("What is a reef knot?", "means of " * 20_000)
    assert not defines_other("What is a reef knot?", "- " * 20_000)
