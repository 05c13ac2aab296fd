"""Definitions in reStructuredText that are written without the syntax for them."""

import pytest

from tests.pipelines.reading.rst.rst_samples import blocks


def test_names_above_an_indented_text_are_defined_by_it() -> None:
    assert blocks("""\
        ``draught``, ``-d``

          How deep the boat lies.

          *Default*: 1

        **Mast**

          Carries the sail.

        ``keel`` is below:

          A quote.

        Sail maker

          Sews :term:`sails`.

        He said it often.

          A quote.

        ``rudder``

          - only a list
        """) == [
        ("term", 0, "draught, -d"),
        ("definition", 1, "How deep the boat lies."),
        ("paragraph", 2, "Default: 1"),
        ("term", 0, "Mast"),
        ("definition", 1, "Carries the sail."),
        ("paragraph", 0, "keel is below:"),
        ("quote", 1, "A quote."),
        ("term", 0, "Sail maker"),
        ("definition", 1, "Sews sails."),
        ("paragraph", 0, "He said it often."),
        ("quote", 0, "A quote."),
        ("paragraph", 0, "rudder"),
        ("item", 1, "- only a list"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The berth is let to guests, and", "it is free in May."),
        ("Members of the club,", "who pay less, come first."),
        ("A guest pays at least", "12 euros."),
        ("Ask the crew for the", "*Harbour Rules*."),
        ("Boats that leave the harbour before the tide turns", "get the money back."),
        ("A yacht may stay for as long as the ships from", "Hamburg do."),
    ],
)
def test_a_sentence_that_goes_on_with_an_indent_is_a_paragraph(first: str, second: str) -> None:
    assert blocks(f"{first}\n   {second}\n\n   Others wait.\n") == [
        ("paragraph", 0, f"{first} {second}".replace("*", "")),
        ("paragraph", 0, "Others wait."),
    ]


def test_an_item_may_go_on_with_a_deeper_indent() -> None:
    assert blocks("- Pay at the quay, and\n    keep the receipt.\n- Leave.\n") == [
        ("item", 1, "- Pay at the quay, and keep the receipt."),
        ("item", 1, "- Leave."),
    ]


def test_terms_beside_such_a_sentence_stay_terms() -> None:
    assert blocks("berth\n   a place\nGuests come late, and\n   they leave early.\nquay\n   a wall\n") == [
        ("term", 0, "berth"),
        ("definition", 1, "a place"),
        ("paragraph", 0, "Guests come late, and they leave early."),
        ("term", 0, "quay"),
        ("definition", 1, "a wall"),
    ]


@pytest.mark.parametrize(
    "term",
    [
        "and",
        "Smith, Ann,",
        "What to look for",
        "-a, --all",
        "the harbour : place in the harbour and",
        "Who pays for it?",
    ],
)
def test_names_stay_terms_whatever_they_end_with(term: str) -> None:
    assert [kind for kind, _, _ in blocks(f"{term}\n   Boats lie there.\n")] == ["term", "definition"]


def test_names_below_each_other_are_one_list_of_definitions() -> None:
    assert blocks("""\
        Bring these:

        **Rope**

          Ten metres.

        **Anchor**

          Of steel.

        Knife

        Leave them dry.
        """) == [
        ("paragraph", 0, "Bring these:"),
        ("term", 1, "Rope"),
        ("definition", 2, "Ten metres."),
        ("term", 1, "Anchor"),
        ("definition", 2, "Of steel."),
        ("paragraph", 0, "Knife"),
        ("paragraph", 0, "Leave them dry."),
    ]


def test_text_that_is_indented_less_than_the_words_of_an_item_belongs_to_it() -> None:
    assert blocks("""\
        1. Raise the sail

          Pull the halyard.

          * slowly

        2. Let go

          .. code-block:: text

             off

        - Rest.

        ..

          A sailor's word.

          -- Ann
        """) == [
        ("item", 1, "1. Raise the sail"),
        ("paragraph", 2, "Pull the halyard."),
        ("item", 3, "  - slowly"),
        ("item", 1, "2. Let go"),
        ("code", 2, "off"),
        ("item", 1, "- Rest."),
        ("quote", 0, "A sailor's word."),
        ("quote", 0, "— Ann"),
    ]


def test_words_right_above_an_indented_list_lead_into_it() -> None:
    assert blocks("The crew needs:\n  - a cook\n  - a mate\n\nDeck:\n  Keep it clean.\n") == [
        ("paragraph", 0, "The crew needs:"),
        ("item", 1, "- a cook"),
        ("item", 1, "- a mate"),
        ("term", 0, "Deck:"),
        ("definition", 1, "Keep it clean."),
    ]
    assert blocks("- Before the trip\n    - Check the rope.\n    - Fill the tank.\n- Go\n") == [
        ("item", 1, "- Before the trip"),
        ("item", 2, "  - Check the rope."),
        ("item", 2, "  - Fill the tank."),
        ("item", 1, "- Go"),
    ]


def test_a_question_whose_label_is_a_term_is_a_heading() -> None:
    text = (
        "Q\n  May dogs come aboard?\n\nA\n  Yes, on a lead.\n\n  Cats may not.\n\nQ\n  Who pays?\n\nA\n  The owner.\n"
    )
    assert blocks(text) == [
        ("heading", 1, "May dogs come aboard?"),
        ("paragraph", 0, "Yes, on a lead."),
        ("paragraph", 0, "Cats may not."),
        ("heading", 1, "Who pays?"),
        ("paragraph", 0, "The owner."),
    ]
