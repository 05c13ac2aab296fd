import pytest

from pipelines.query.verdicts.alignment import Swap, swaps

PASSAGE = (
    "The Dalby line was surveyed by Okoro in 1911. Haskell opened it in 1914. The Port Authority (PA) runs the ferries "
    "to Wren Island. The pump delivers 40 litres a minute, and the spare delivers 25. Staff badges are issued by "
    "Security. The manual covers Model K2 only."
)
SENTENCES = PASSAGE.replace(". ", ".\n").split("\n")


@pytest.mark.parametrize(
    ("claim", "swap"),
    [
        ("The Dalby line was surveyed by Haskell in 1911.", Swap("Haskell", "Okoro")),
        ("The Dalby line was surveyed by Okoro in 1914.", Swap("1914", "1911")),
        ("Okoro opened it in 1914.", Swap("Okoro", "Haskell")),
        ("The Port Authority (PA) runs the ferries to Dalby Island.", Swap("Dalby", "Wren")),
        ("The pump delivers 26 litres a minute.", Swap("26", "40")),
        ("Staff badges are issued by Haskell.", Swap("Haskell", "Security")),
        ("The manual covers Model PA only.", Swap("PA", "K2")),
        ("The pump delivers 40 litres an hour.", Swap("an hour", "a minute")),
        ("The pump delivers forty litres an hour.", Swap("an hour", "a minute")),
    ],
)
def test_a_name_or_a_number_in_anothers_place_is_found(claim: str, swap: Swap) -> None:
    assert swaps(claim, SENTENCES, PASSAGE) == (swap,)


@pytest.mark.parametrize(
    "claim",
    [
        "The Dalby line was surveyed by Okoro in 1911.",
        "Okoro surveyed the Dalby line in 1911.",
        "The PA runs the ferries to Wren Island.",
        "The Port Authority runs the ferries to Wren Island.",
        "Haskell opened the Dalby line in 1914.",
        "Staff badges are handed out by Security.",
        "Badges for staff are issued by the security desk.",
        "The manual covers only the Model K2.",
        "The pump delivers 40 l a minute.",
        "Ferries to Wren Island belong to the Port Authority.",
        "Nobody knows.",
        "",
    ],
)
def test_a_restatement_in_other_words_swaps_nothing(claim: str) -> None:
    assert swaps(claim, SENTENCES, PASSAGE) == ()


def test_an_abbreviation_matches_its_full_name() -> None:
    sentences = ["The United States and Canada signed the treaty in May."]
    assert swaps("The US and Canada signed the treaty in May.", sentences, sentences[0]) == ()
    assert swaps("The Canadians and Canada signed the treaty in May.", sentences, sentences[0]) != ()


def test_long_texts_of_the_same_words_are_cut() -> None:
    assert swaps("Anna Bert " * 5_000, ["Bert Anna " * 5_000] * 20, "") == ()


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("At most 5 people may attend.", "At least five people may attend."),
        ("The door must be open during the scan.", "The door must be closed during the scan."),
        ("The pills are taken weekly.", "The pills are taken daily."),
        ("Sales fell by 5 percent.", "Sales increased by 5 percent."),
        ("The pills are taken before meals.", "The pills are taken after meals."),
    ],
)
def test_an_opposite_in_the_same_words_is_a_swap(claim: str, sentence: str) -> None:
    assert swaps(claim, [sentence], sentence)


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("The door must not be open during the scan.", "The door must be closed during the scan."),
        ("The trial lasts a week in all.", "The trial lasts 7 days in all."),
        ("The pain is worse after meals.", "The pain is worse after meals than before meals."),
        ("The office is closed on Sunday.", "The office is open every day except Sunday."),
    ],
)
def test_an_opposite_that_is_denied_or_stands_for_a_number_is_none(claim: str, sentence: str) -> None:
    assert swaps(claim, [sentence], sentence) == ()
