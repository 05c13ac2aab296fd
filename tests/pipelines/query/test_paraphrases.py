"""What a text says in other words than a question."""

import pytest

from pipelines.query.paraphrases import with_paraphrases
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import choose, favouring


@pytest.mark.parametrize(
    ("question", "text", "said"),
    [
        ("When is the sail furled by hand?", "The sail is furled manually in a storm.", "by hand"),
        ("How is the pump primed manually?", "The pump is primed by hand.", "manually"),
        ("How do I switch the horn off?", "Disabling the horn needs a key.", "switch the horn off"),
        ("Does the lamp come on by itself?", "The lamp is lit automatically.", "by itself"),
        ("What runs at boot?", "The log is opened when the computer starts.", "at boot"),
        ("May I get rid of old charts?", "Old charts are removed in spring.", "get rid of"),
        ("Are symlinks to charts kept?", "Symbolic links are kept.", "symlinks"),
        ("Which horns are built in?", "There are two preset horns.", "built in"),
        ("What is the fine for leaving it?", "The penalty is 60 crowns.", "fine"),
        ("Which papers do I need?", "Bring two documents.", "papers"),
        ("Which company cleans it?", "Contractor: Ebb Ltd", "company"),
        ("May I take pictures?", "Photographs need consent.", "pictures"),
        ("What does the -f flag of furl do?", "OPTIONS -f furls all sails.", "flag"),
        ("How do I terminate my lease?", "Give written notice by letter.", "terminate"),
    ],
)
def test_the_words_of_the_question_stand_behind_a_text_that_says_the_same(question: str, text: str, said: str) -> None:
    assert with_paraphrases(question, text) == f"{text} {said}"


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("When is the sail furled by hand?", "The manual is kept aboard."),
        ("How do I switch the horn off?", "Enabling the horn needs a key."),
        ("What colour is the flag?", "The options are listed below."),
        ("Who furls the sail?", "The sail is furled manually."),
    ],
)
def test_other_texts_stay_as_they_are(question: str, text: str) -> None:
    assert with_paraphrases(question, text) == text


def test_a_passage_in_other_words_is_read_among_many() -> None:
    def pump(draft: Draft) -> None:
        for number in range(20):
            draft.add(f"The pump number {number} is run when the pump is run, and the pump of pier {number} too.")
        draft.add("Running the pump manually is needed after frost.")

    found = choose("When do I run the pump by hand?", pump, favouring("frost"), most=1)
    assert found.extracts[0].shown == "Running the pump manually is needed after frost."


def test_long_texts_are_looked_through_quickly() -> None:
    assert with_paraphrases("How do I turn it off?", "turn a b turn " * 100_000).startswith("turn")


def test_a_company_may_be_a_contractor_or_a_supplier_but_these_differ() -> None:
    assert with_paraphrases("Which company paints it?", "The contractor paints it.").endswith("company")
    assert with_paraphrases("Which company sends it?", "The supplier sends it.").endswith("company")
    assert with_paraphrases("Who is the supplier?", "The contractor paints it.") == "The contractor paints it."
