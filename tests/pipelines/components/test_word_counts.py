"""Words are counted alike in texts of ASCII, which are counted in a quicker way, and in all others."""

import pytest

from pipelines.components.sentences import word_count


@pytest.mark.parametrize(
    "text", ["", " ", "a_b c-d e.f", "don't\tstop\x1c5\x00now", "(1) one, two; three_3!", "--- * ---"]
)
def test_ascii_is_counted_as_the_same_words_are_beside_other_writing(text: str) -> None:
    assert word_count(text) == word_count(f"{text} \u00e9") - 1
