"""Units that a question asks for."""

import pytest

from pipelines.query.measures import asks_quantity, lacks_needed, measured
from pipelines.query.question_types import names_new, question_kind


@pytest.mark.parametrize(
    "question",
    [
        "What is the starting dose of Ebbol?",
        "What is Nordby's landing limit?",
        "What's the maximum file size?",
        "What is the height of the mast",
        "What is its top speed?",
        "What is the enrolment of the sailing school?",
        "What is the longest boat length the harbour takes?",
        "What is the minimum age guests must have?",
    ],
)
def test_the_quantity_of_a_thing_is_a_number(question: str) -> None:
    assert asks_quantity(question)
    assert question_kind(question) == "number"


@pytest.mark.parametrize(
    "question", ["What is a dose?", "What is the size parameter?", "What is the limit called?", "What is Ebb?"]
)
def test_what_such_a_thing_is_is_none(question: str) -> None:
    assert not asks_quantity(question)


@pytest.mark.parametrize(
    ("question", "says", "lacks"),
    [
        ("What is the starting dose of Ebbol?", "Begin with 10 mg.", "It is taken once a day, in two courses."),
        (
            "What is the dose of Ebbol?",
            "drug: Ebbol; dose (mg): 10",
            "It is for fever of type 2, and for 3 other kinds.",
        ),
        ("What is the dose of Ebbol?", "Two tablets of it are taken.", "It has 2 names."),
        ("How heavy is a grown seal?", "A seal weighs 90 kg.", "A seal needs 40 minutes of sun."),
        ("How much memory does the log need?", "The log needs 40 MB.", "The log needs 3 hours and much memory."),
        ("How much disk space is left?", "Half of the space is left.", "Space is left for 12 boats."),
        ("How heavy is the gig?", "boat: Gig; weight_kg: 96; seats: 5", "boat: Gig; seats: 5"),
        ("How heavy is the gig?", "boat: Gig; weight: 96; seats: 5", "boat: Gig; seats: 5"),
        ("How much does a grown seal weigh?", "Seals reach 200 pounds.", "Seals are 3 years old then."),
        ("Which port does the office use?", "It is 4080 (see office:4080).", "02_port.conf and port-2.0 change it."),
        ("What is the maximum file size?", "Charts of up to 20 MB are kept.", "Three charts fit on a page of 90 rows."),
        ("What is the largest upload size?", "Charts reach 20 megabytes.", "Charts have 20 sheets."),
        ("What is the largest file size?", "Chart size (MB): 20", "Chart size: 20"),
        ("What is the largest file size?", "chart_size_mb: 20", "chart_mark: 20"),
        ("What is the largest file size?", "CHART_SIZE = 52428800", "CHART_SIZE = 1"),
        ("How warm is the harbour?", "It is 12 \u00b0C in June.", "It is 12 miles long."),
        ("What is the phone number of the harbour?", "Call +49 (40) 123\u2013456.", "Its crew has 7 sailors."),
        ("What is the phone number of the yard?", "Dial 214.", "It has 214 berths."),
        ("How long may a boat name be?", "It has up to 20 letters.", "It is kept for 20 years."),
        ("How long do seals live?", "Most get 30 years old.", "Seals eat 20 herrings."),
        ("What is Nordby's landing limit?", "No boat lands more than 40 boxes.", "Boats land there weekly."),
    ],
)
def test_a_figure_counts_in_the_unit_that_is_asked_for(question: str, says: str, lacks: str) -> None:
    assert names_new("number", says, question)
    assert not names_new("number", lacks, question)


@pytest.mark.parametrize(
    ("question", "text", "lacks"),
    [
        ("What is the phone number of Ostvik Sails?", "Ostvik Sails asks 38,400 euros.", True),
        ("What is the phone number of Ostvik Sails?", "Ostvik Sails: 01632 960 150", False),
        ("What's the harbour master's e-mail address?", "The harbour master is Ida Fjeld.", True),
        ("What's the harbour master's e-mail address?", "Write to ida@ostvik.example.", False),
        ("What is the phone number field for?", "It is shown on the card.", False),
        ("How do I change my phone number?", "On the page of your boat.", False),
        ("What is the phone number for emergencies?", "In an emergency, call 112.", False),
        ("What's the phone number of the yard?", "Inside the harbour, dial 214.", False),
        ("What is the phone number of the yard?", "The yard has 214 berths.", True),
        ("What is the phone number of the yard?", "Place: Yard; Phone: none", False),
        ("What is the phone number of the yard?", "Place: Yard; Crane: none", True),
        ("What is the longest allowed length of an email address?", "It has up to 254 characters.", False),
        ("Which berth has a phone number?", "Berth 4.", False),
        ("What is needed to change my phone number?", "A form of the yard.", False),
        ("Which phone number is for guests?", "Guests call the yard.", False),
        ("Which e-mail address is that of the yard?", "It is known to all.", False),
        ("What is the e-mail address of the yard?", "Write to yard (at) ostvik.example.", False),
        ("Which licence does Ebbsail use?", "Ebbsail uses the word reef for a part of a sail.", True),
        ("Which license does Ebbsail use?", "Ebbsail is under the MIT license.", False),
        ("Under which licence is Ebbsail released?", "Ebbsail is released twice a year.", True),
        ("Which open source license is Ebbsail published under?", "It is in the public domain.", False),
        ("Which licence do I need for a yacht?", "A skipper of category B.", False),
        ("Which operating system does the gauge need?", "It needs an operating system and a lamp.", True),
        ("On which operating systems does the gauge run?", "It runs on FreeBSD, too.", False),
        ("On which operating systems does the gauge run?", "It runs on Windows11 and Arch.", False),
        ("On which operating systems does the gauge run?", "It runs on any architecture, also in VMs.", True),
        ("Which operating system does the gauge need?", "The archive tells it; in alpine huts it needs an arch.", True),
        (
            "Which licence does the skipper have to have?",
            "The classroom is certified; skippers are permitted.",
            True,
        ),
        ("How many boats per hour can the lock raise?", "The lock raises boats for an hour.", True),
        ("How many boats can the lock raise an hour?", "It raises six of them.", False),
        ("How many boats does the lock raise?", "It raises boats.", False),
        ("How many times a day is the lamp lit?", "The lamp is lit every hour.", False),
        ("How many boats may I raise each week?", "Thirty.", False),
        ("How many boats may I raise a week?", "As many as you have.", False),
        ("Which licence does the gauge have?", "The gauge is published under the EUPL.", False),
        ("Which licence does the skipper have to have?", "The skipper needs a certificate of class B.", False),
        ("What operating system do the gauges run?", "They run RiverOS 4.", False),
        ("What operating systems are supported?", "It works on any modern platform.", False),
        ("Which operating system updates are installed at night?", "Patches are put on the gauges.", False),
    ],
)
def test_some_things_are_told_in_one_form_only(question: str, text: str, lacks: bool) -> None:
    assert lacks_needed(question, [text]) == lacks


def test_a_question_for_another_number_reads_the_whole_text() -> None:
    assert measured("How often do boats land?", "Boats land once a day.") == "Boats land once a day."


def test_hostile_texts_end() -> None:
    for text in (
        "what is the " * 4000,
        "how much a b c " * 3500,
        "1,1.1 " * 8000,
        "what is x's " * 4000,
        "which license is " * 4000,
    ):
        assert not asks_quantity(text)
        assert not lacks_needed(text, ["how many a "])
        assert measured("What is the starting dose of Ebbol?", text) == ""


@pytest.mark.parametrize(
    "text", ["It went in 3.13.", "Boats needs Python 3.", "versions: 4 and 5", "18 or newer", "10+", "Node.js 8.x"]
)
def test_a_version_is_told_by_a_number_of_its_form(text: str) -> None:
    for question in ("In which release does the module go?", "Which Python version do I need?"):
        assert measured(question, text) == text
        assert measured(question, "- Mention PEP 206 and 3108.") == ""


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How long may a gate code be used?", "A gate code is good for 30 days."),
        ("How long can a message be kept?", "It is kept for 20 years."),
        ("How long may a message be?", "It may have 64 KB."),
        ("How long can the label of a berth be?", "It is up to 40 cm long."),
    ],
)
def test_how_long_something_is_used_or_made_has_units_of_its_own(question: str, text: str) -> None:
    assert names_new("number", text, question)
