"""The nouns that a question is about."""

from time import process_time

import pytest

from pipelines.query.extracts.language.things import claimed, claimed_kinds, counted, subjects


@pytest.mark.parametrize(
    ("question", "noun"),
    [
        ("Can hamsters eat carrots?", "carrots"),
        ("Is there wifi in the boathouse?", "wifi"),
        ("is there a steam oven in the old galley", "oven"),
        ("Do we need to bring bed linen to the boathouse?", "linen"),
        ("Can I hire an e-bike from the yard?", "e-bike"),
        ("Can I pay by cheque?", "cheque"),
        ("Can the dog sleep in the cabin?", "cabin"),
        ("Can I put batteries in the green crate?", "crate"),
        ("Can I go swimming in the lake?", "lake"),
        ("Do I need to swim to the shore?", "shore"),
        ("May I keep a cat in the cabin?", ""),
        ("Is smoking allowed?", ""),
        ("Is the sloop or the ketch cheaper?", ""),
        ("Was the sloop or the ketch built first?", ""),
        ("Where is the oven in the galley?", ""),
    ],
)
def test_the_noun_to_be_confirmed_stands_before_a_place(question: str, noun: str) -> None:
    assert claimed(question) == noun


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("Does the yard have electric cranes?", ["electric"]),
        ("Can the ferry provide a steam oven?", ["steam"]),
        ("Does the yard support large boats?", []),
        ("Does the yard offer cranes in winter?", []),
        ("Does the yard have cranes?", []),
        ("Which electric cranes does the yard have?", []),
    ],
)
def test_the_kind_to_be_confirmed_stands_before_its_noun(question: str, kinds: list[str]) -> None:
    assert claimed_kinds(question) == kinds


@pytest.mark.parametrize(
    ("question", "nouns"),
    [
        ("How do I set the spinnaker option of the pilot?", ["spinnaker"]),
        ("What does the keel flag do?", ["keel"]),
        ("What is the default of the tide setting?", ["tide"]),
        ("How do I change the default setting?", []),
        ("How do I set the sail?", []),
    ],
)
def test_a_setting_that_is_named_is_what_a_question_is_about(question: str, nouns: list[str]) -> None:
    assert subjects(question) == nouns


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("How do I order Ebb plugins from Ostvik?", ["plugins"]),
        ("How do I import Ebb files in the yard?", []),
        ("What does the Ebb ferry cost?", ["ferry"]),
        ("What does an Ebb subscription cost?", []),
        ("What does a Basic account cost?", []),
    ],
)
def test_a_thing_with_a_name_is_of_a_kind_that_an_answer_may_say_in_other_words(
    question: str, kinds: list[str]
) -> None:
    assert claimed_kinds(question) == kinds
    assert subjects(question) == []  # what no document names is absent: that would decline the question


def test_a_place_is_found_in_linear_time() -> None:
    started = process_time()
    claimed_kinds("Does it " + "have a " * 20_000)
    for part in ("wifi ", "in the ", "a to ", "wifi in the "):
        claimed("Is there " + part * 20_000)
    assert process_time() - started < 5


@pytest.mark.parametrize(
    ("question", "noun"),
    [
        ("How many berths does the harbour have?", "berths"),
        ("For how many guest boats is there room?", "boats"),
        ("How many locker boxes are there?", "box"),
        ("How many people live aboard?", ""),
        ("How many metres of rope do I need?", ""),
        ("How many watts does the lamp use?", ""),
        ("How many tonnes does the crane lift?", ""),
        ("How many passengers does the ferry carry?", ""),
        ("How many days does it take?", ""),
        ("How many kinds of knots are there?", ""),
        ("How many AISs are aboard?", ""),
        ("How much does it weigh?", ""),
        ("How many berths are shown by default?", ""),
        ("What are the three rules of the harbour?", "rules"),
        ("What are the three laws of the harbour?", "laws"),
        ("What are the 2 mooring rules for guests?", "rules"),
        ("What are the three types of berth?", ""),
        ("What are the two causes of rot in boats?", ""),
    ],
)
def test_what_is_counted_is_a_thing_that_an_answer_names(question: str, noun: str) -> None:
    assert counted(question) == noun
