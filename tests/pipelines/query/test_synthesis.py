from __future__ import annotations

from pipelines.query.synthesis import is_repetitive


def test_a_passage_that_goes_round_is_repetitive() -> None:
    assert is_repetitive("Beagles howl. " + "They howl at night. " * 5)
    assert is_repetitive("-" * 2000)
    assert not is_repetitive("They howl at night. " * 3)


def test_the_rule_of_a_table_is_not_repetitive() -> None:
    assert not is_repetitive("| Breed | Weight |\n|" + "-" * 90)
    assert not is_repetitive("| A | B | C | D | E | F |\n" + f"|{'-' * 16}" * 6 + "|")
