"""What prose refers back to is shown before it."""

from collections.abc import Callable

import pytest

from pipelines.query.extracts.passages.referents import with_referent
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import choose, favouring
from tests.pipelines.query.extracts.drafts import passages, stored


def shown(fill: Callable[[Draft], object], said: str) -> str:
    """What is shown of the paragraph that begins with some words."""
    text = stored(fill)
    (passage,) = [one for one in passages(text) if one.kind == "sentences" and one.shown.startswith(said)]
    span, found = with_referent(passage, passage.span, passage.shown)
    assert text.text[span.start : span.end].split() == found.split()
    return found


@pytest.mark.parametrize(
    "said",
    [
        "This keeps the keel dry.",
        "It dries within a day.",
        "Both are stored in the loft.",
        "However, the paint peels in frost.",
        "The latter is cheaper.",
    ],
)
def test_prose_that_refers_back_is_shown_behind_the_sentence_above_it(said: str) -> None:
    def care(draft: Draft) -> None:
        draft.add_heading(1, "Care")
        draft.add("Boats lie on land in winter. The hull is painted with tar or wax.")
        draft.add(said)

    assert shown(care, said) == f"The hull is painted with tar or wax. {said}"


@pytest.mark.parametrize(
    "said",
    [
        "It is important to wear gloves.",
        "It is also recommended that two people lift.",
        "It should also be noted that ropes rot.",
        "It turns out that ropes rot.",
        "Those who are late wait for the next tide.",
        "This page describes the winter store.",
        "This option needs a key.",
        "Both tar and wax are sold here.",
        "The hull is dried first.",
    ],
)
def test_prose_that_only_looks_so_is_shown_alone(said: str) -> None:
    def care(draft: Draft) -> None:
        draft.add_heading(1, "Care")
        draft.add("The hull is painted with tar or wax.")
        draft.add(said)

    assert shown(care, said) == said


def test_prose_below_a_heading_is_shown_alone() -> None:
    def care(draft: Draft) -> None:
        draft.add("The hull is painted with tar.")
        draft.add_heading(1, "Wax")
        draft.add("It melts in the sun.")

    assert shown(care, "It melts") == "It melts in the sun."


def test_the_sentence_above_comes_with_the_one_that_it_refers_to() -> None:
    def care(draft: Draft) -> None:
        draft.add("The mast has a crack. It grew in the last storm.")
        draft.add("This was told to the owner.")

    assert shown(care, "This was") == "The mast has a crack. It grew in the last storm. This was told to the owner."


def test_a_short_list_and_code_are_shown_before_what_speaks_of_them() -> None:
    def club(draft: Draft) -> None:
        draft.add("Guests sail with us on two terms:")
        draft.add("- they wear a vest", "item", level=1)
        draft.add("- they pay for the rope", "item", level=1)
        draft.add("Both hold for children too.")
        draft.add("To lower the mast, enter this:")
        draft.add("mast --down", "code")
        draft.add("This takes a minute.")

    listed = "Guests sail with us on two terms:\n- they wear a vest\n- they pay for the rope"
    assert shown(club, "Both hold") == f"{listed}\nBoth hold for children too."
    assert shown(club, "This takes") == "To lower the mast, enter this:\nmast --down\nThis takes a minute."


def test_what_stands_above_is_left_out_where_it_is_long() -> None:
    long = f"The hull is painted with {'tar and ' * 30}wax."

    def care(draft: Draft) -> None:
        draft.add(long)
        draft.add("This keeps the keel dry.")

    assert shown(care, "This keeps") == "This keeps the keel dry."


def test_an_answer_says_what_it_speaks_of_and_nothing_twice() -> None:
    def store(draft: Draft) -> None:
        draft.add_heading(1, "Store")
        draft.add("Sails are kept in the loft of the old mill. Mice do not get there.")
        draft.add("It is locked at nine in the evening.")

    alone = choose("When is the loft locked?", store, favouring("locked"), most=1)
    assert alone.extracts[0].shown == "Mice do not get there. It is locked at nine in the evening."
    both = choose("Where are sails and when is it locked?", store, favouring("locked", "Sails"))
    assert " ".join(one.shown for one in both.extracts).count("Mice do not get there.") == 1


def test_many_sentences_that_refer_back_cost_no_more_than_few() -> None:
    def care(draft: Draft) -> None:
        draft.add("It is so. " * 20_000)
        draft.add("This keeps the keel dry.")

    assert shown(care, "This keeps").endswith("This keeps the keel dry.")
