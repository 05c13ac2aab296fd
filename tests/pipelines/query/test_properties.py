"""Questions that name a property in other words than the text, or in the other English."""

import pytest

from pipelines.query.properties import labels_in, with_properties


@pytest.mark.parametrize(
    ("question", "text", "word"),
    [
        ("How much does the boat weigh?", "Weight | 9 t", "weigh"),
        ("Under which licence is it?", "The license is free.", "licence"),
        ("What colour has the buoy?", "Its color is red.", "colour"),
        ("What behavior is normal?", "Calm behaviour is.", "behavior"),
        ("Where is the center?", "The centre is at the pier.", "center"),
        ("What replaces the old buoy?", "Replacement: a float", "replaces"),
        ("In which release did the old buoy get dropped?", "To be removed: 3.2", "dropped"),
        ("Which organisation runs it?", "The organization of pilots does.", "organisation"),
    ],
)
def test_what_a_text_says_in_another_word_is_said_in_the_word_of_the_question(
    question: str, text: str, word: str
) -> None:
    assert with_properties(question, text).split()[-1] == word
    assert with_properties(question, "Nothing of the kind.") == "Nothing of the kind."
    assert with_properties("Who is it?", text) == text


def test_a_text_gives_the_properties_before_its_colons() -> None:
    assert labels_in("Net weight: 2 kg\nHeight: 3 m; at 10:30") == {"weight", "height"}
