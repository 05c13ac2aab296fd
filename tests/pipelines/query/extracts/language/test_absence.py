"""What a question names and no hit speaks of."""

from dataclasses import replace
from time import process_time

import pytest

from pipelines.profile.synonyms import Synonyms
from pipelines.query.extracts.language.absence import is_among, names_absent, words_of
from pipelines.query.lexicon import Lexicon
from pipelines.types import KEPT_NOWHERE, Hit, Span


def hit(content: str, title: str = "", source: str = "a.md", headings: tuple[str, ...] = ()) -> Hit:
    return Hit("c", "d", 1, title, source, content, {}, 0.8, {}, Span(0, len(content)), headings=headings)


HITS = [
    hit(
        "Ferries to Ostvik leave at nine. In 2019 they carried 1200 lorries, up to 40 lorries a day.",
        "Timetable",
        headings=("Harbours",),
    ),
    hit("Call read:fares for the price, as release 2.4 does.", source="docs/hallingen.md"),
    hit("Set max-fare-zones, winter fare zone and ferry.fare.zone in the file. Fares match by == or <."),
]


@pytest.mark.parametrize(
    ("question", "absent"),
    [
        ("What is the default berth of the ferries?", True),
        ("What is the default price of the ferries?", False),
        ("What is the default value of the ferries?", False),
    ],
)
def test_what_the_default_is_asked_of_is_named(question: str, absent: bool) -> None:
    assert names_absent(question, HITS) == absent


@pytest.mark.parametrize(
    "question",
    [
        "When do ferries leave for Nordby?",
        "How many lorries did the Ostvik ferries carry in 2020?",
        "Which call of release 2.5 gives the price?",
        "What does read:seats return?",
        "What does read:fare return?",
        "What does --fares do?",
        "What does the fare-class option do?",
        "Which of them sets fare-class-limit?",
        "What is the default of fare-limit?",
        "What does === mean?",
        "What does the = operator do?",
        "What does the operator ~ compare?",
        "What does ferry.fare tell?",
        "What does zone.fare tell?",
        "How long is the waiting time for Ostvik sleeper coaches?",
        "Does Hallingen serve Nordby?",
        "Can bicycles use the ferries?",
        "How much does a canoe cost?",
        "When can I take a canoe?",
        "Do the ferries carry trams?",
    ],
)
def test_a_name_a_figure_or_an_identifier_is_nowhere(question: str) -> None:
    assert names_absent(question, HITS)


@pytest.mark.parametrize(
    "question",
    [
        "When do ferries leave for Ostvik?",
        "Which of the Harbour Timetables names Ostviks ferries?",
        "How many lorries, 1,200 or more, did they carry in 2019?",
        "Does the ferry carry 8 lorries?",
        "Does Hallingen have a price?",
        "What does release 2.4 call?",
        "What does read:fares return?",
        "What does the max-fare-zones option do?",
        "What is the default of winter-fare-zone?",
        "What does fare.zone tell?",
        "Are there up-to-date fares?",
        "Which ferries have winter-proof fields?",
        "Which lorries take the price-based option?",
        "What do ferries cost for a ten-year-old passenger?",
        "What does == mean?",
        "What does the < sign mean?",
        "Do ferries leave on time?!",
        "Do ferries leave on a Monday in May?",
        "when do ferries leave?",
        "Do Long Ferry Crossings Harm Sleep?",
        "Can lorries use the ferries?",
        "How long does a lorry take?",
        "Do the ferries carry lorries?",
        "Is the crossing long?",
        "Are animals allowed?",
        "What is the price for Ostvik winter ferries?",
    ],
)
def test_what_is_named_stands_in_a_text_a_title_a_heading_or_a_file_name(question: str) -> None:
    assert not names_absent(question, HITS)


def test_a_name_is_there_where_what_it_stands_for_is() -> None:
    lexicon = Lexicon([Synonyms(("Eastbay",), ("Ostvik",))])
    assert names_absent("When do ferries leave for Eastbay?", HITS)
    assert not names_absent("When do ferries leave for Eastbay?", HITS, lexicon)


def test_a_tool_need_not_repeat_what_it_was_asked_for() -> None:
    result = replace(hit("id: f1; leaves: 9:00"), version=KEPT_NOWHERE)
    assert not names_absent("When do ferries leave for Nordby?", [*HITS, result])


def test_an_address_does_not_speak_of_its_protocol() -> None:
    question = "Does the harbour support DNS over HTTPS?"
    assert names_absent(question, [hit("The harbour has its own DNS; see https://harbour.example.")])
    assert not names_absent(question, [hit("The harbour answers DNS, also over HTTPS.")])


def test_a_name_of_several_parts_is_there_with_all_of_them() -> None:
    assert not names_absent("Can I end the work of tide-runner?", [hit("The work of tide-runner must not be ended.")])
    assert names_absent("Can I end the work of tide-runner?", [hit("The work at low tide must not be ended.")])


def test_a_price_or_a_date_is_nowhere() -> None:
    hits = [hit("Ferries to Ostvik leave at nine and take two hours.")]
    assert names_absent("How much does it cost to take the ferries?", hits)
    assert names_absent("When was the last of the ferries built?", hits)
    assert not names_absent("How much does it cost to take the ferries?", [*hits, hit("A ticket costs 9 euros.")])
    assert not names_absent("When was the last of the ferries built?", [*hits, hit("Built in 1987.")])


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("subcontractors", "The harbour may subcontract dredging."),
        ("email", "Letters come by e-mail."),
        ("e-mail", "Letters come by email."),
        ("setup", "The crew has to set up the crane."),
        ("set-up", "The setup takes a day."),
        ("set-up", "The crew has to set up the crane."),
        ("websites", "The harbour has its own web site."),
    ],
)
def test_a_word_is_there_however_it_is_put_together(name: str, text: str) -> None:
    assert is_among(name, words_of(text))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("contractors", "The contract ends in May."),
        ("canoe", "You can only sail here."),
        ("website", "The site of the web of ropes."),
    ],
)
def test_words_that_are_alike_are_others(name: str, text: str) -> None:
    assert not is_among(name, words_of(text))


def test_a_very_long_word_is_looked_for_in_linear_time() -> None:
    words, began = words_of("letters " * 1000), process_time()
    assert not is_among("x" * 1_000_000, words)
    assert process_time() - began < 2


@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("phone", "by telephone"),
        ("floors", "three storeys high"),
        ("photographs", "No photos!"),
        ("wifi", "There is Wi-Fi on deck."),
        ("e-bikes", "Two ebikes"),
        ("deck-chair", "a chair for the deck"),
    ],
)
def test_a_word_is_the_same_in_short_and_with_a_hyphen(word: str, text: str) -> None:
    assert is_among(word, words_of(text))


def test_other_words_are_not_among() -> None:
    assert not is_among("phone", words_of("by email or on the tablet"))
    assert not is_among("deck-chair", words_of("a chair"))


def test_the_words_of_a_text_with_a_very_long_one_are_found_in_linear_time() -> None:
    began = process_time()
    assert words_of("gatt" * 20_000 + " sea-ice") >= {"sea", "ice", "sea-ice", "seaice"}
    assert process_time() - began < 2
