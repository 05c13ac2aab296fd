from pipelines.query.verdicts.names import names, unknown


def test_names_are_capitalised_words_within_a_sentence_and_acronyms() -> None:
    text = "Dogs from New York met Rollo's men. They like NASA. Marie Curie won."
    assert names(text) == ("New", "York", "Rollo", "NASA", "Marie", "Curie")


def test_a_name_is_known_in_any_case_and_as_a_part() -> None:
    assert unknown(("Paris", "Anglo-Norman", "Beagle"), "the anglo norman duke kept a beagle in PARIS") == ()
    assert unknown(("London",), "the duke of Paris") == ("London",)


def test_a_word_that_asks_or_joins_is_no_part_of_the_name_behind_it() -> None:
    assert names("Does Rouen lie on the Seine?") == ("Rouen", "Seine")
    assert names("After Rollo died, his son ruled.") == ("Rollo",)
