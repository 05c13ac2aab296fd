from pipelines.query.confidence.mismatch import says_opposite


def test_an_opposite_stands_for_a_word_of_the_question() -> None:
    assert says_opposite("What increases the risk?", "Exercise reduces the risk.")
    assert says_opposite("What happened before the war?", "After the war the mill closed.")


def test_a_text_that_has_the_word_too_says_both() -> None:
    assert not says_opposite("What happened before the war?", "Before and after the war it was a mill.")


def test_other_words_have_no_opposite() -> None:
    assert not says_opposite("What do cats eat?", "Cats eat mice.")
