import pytest

from pipelines.query.verdicts.numbers import missing, quantities


@pytest.mark.parametrize(
    ("claimed", "stated"),
    [
        ("60 minutes a day", "one walk of 1 hour a day"),
        ("1,500 people", "1500 people came"),
        ("two hours", "they need 2 hours"),
        ("5 percent", "about 5% of them"),
        ("5 per cent", "about 5 % of them"),
        ("$3 million", "$3,000,000 were paid"),
        ("12 inches", "1 foot"),
        ("in 1990", "since 1990, when"),
        ("10th grade", "grade 10"),
        ("2.5 kg", "2500 g"),
        ("**60** minutes", "an hour, that is 60 minutes"),
        ("twenty dogs", "20 dogs"),
        ("每天需要60分钟", "每天60分钟的运动"),
        ("30-60 minutes", "30 to 60 minutes"),
        ("from 5 kg to 10 kg", "5 to 10 kg"),
        ("members over 26 pay", "over 26 years of age"),
        ("1000 ms", "1 s"),
    ],
)
def test_numbers_agree_however_they_are_written(claimed: str, stated: str) -> None:
    assert missing(quantities(claimed), quantities(stated)) == ()


@pytest.mark.parametrize(
    ("claimed", "stated", "lost"),
    [
        ("每天需要90分钟的运动", "每天需要60分钟的运动", ("90",)),
        ("90 minutes a day", "1 hour a day", ("90 minutes",)),
        ("30 hours", "30 minutes", ("30 hours",)),
        ("30 kg", "30 %", ("30 kg",)),
        ("10 ms", "10 s", ("10 ms",)),
        ("1991 and 1990", "since 1990", ("1991",)),
        ("three dogs", "two dogs", ("three",)),
        ("$5 million", "$5 were paid", ("$5 million",)),
        ("40 people", "nobody came", ("40",)),
    ],
)
def test_a_number_or_unit_without_evidence_is_missing(claimed: str, stated: str, lost: tuple[str, ...]) -> None:
    assert missing(quantities(claimed), quantities(stated)) == lost


def test_letters_that_only_look_like_those_of_a_number_word_are_none() -> None:
    assert quantities("\N{LATIN SMALL LETTER LONG S}ix dogs, f\N{LATIN SMALL LETTER DOTLESS I}ve cats") == []


def test_parts_of_words_and_versions_are_not_numbers() -> None:
    assert [one.written for one in quantities("COVID-19, B12, one dog, x2 and section 1002.4")] == ["1002.4"]
