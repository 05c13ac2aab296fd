"""In a thread, the newer message answers before what it quotes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pipelines.query.extracts.chooser import Chooser
from pipelines.query.extracts.extract import Extraction
from pipelines.reading import read
from pipelines.types import Hit, StoredText
from tests.pipelines.query.extracts.choices import TERMS, choose, favouring
from tests.pipelines.query.extracts.drafts import hit

_MAIL = (
    "From: Ada Moor <ada@example.com>\nSubject: The crane\nContent-Type: text/plain\n\n"
    "Dear Piotr,\n\nthe wheel has arrived, so Ebb Works will come on Monday 9 May at 10.\n\nAda\n\n"
    "On 3 May, Ada Moor wrote:\n> The fitter comes on Friday 6 May at 2.\n> Bring {brought} ropes to the quay.\n"
)
NEWER = "the wheel has arrived, so Ebb Works will come on Monday 9 May at 10."


def ask(question: str, most: int = 2) -> Extraction:
    document = read(_MAIL.format(brought="seven").encode(), name="crane.eml")
    text = StoredText(document.text, document.pages, document.headings, document.blocks)
    return choose(question, text, favouring("fitter", "ropes"), most)


def test_what_a_newer_message_says_of_the_same_comes_first() -> None:
    first, second, *_ = ask("When does the fitter come?").extracts
    assert first.shown == NEWER
    assert second.shown.startswith("The fitter comes on Friday 6 May")
    assert [one.shown for one in ask("When does the fitter come?", most=1).extracts] == [NEWER]


def test_a_newer_message_may_write_a_day_of_the_question_in_short() -> None:
    mail = (
        "From: Ada Moor <ada@example.com>\nSubject: The crane\nContent-Type: text/plain\n\n"
        "Dear Piotr,\n\nMonday the 19th it is then, for 80 euros.\n\nAda\n\n"
        "> On 3 May, Piotr Lang wrote:\n>\n> Can they come?\n>\n>> On 2 May, Ada Moor wrote:\n"
        ">> The fitter comes on 17 or 19 June for 50 euros.\n"
    )
    document = read(mail.encode(), name="crane.eml")
    text = StoredText(document.text, document.pages, document.headings, document.blocks)
    chooser = Chooser(favouring("fitter", "50"), TERMS)
    found = chooser.choose("How much does the fitter cost on 19 June?", [hit(text)], [text], 2)
    assert found.extracts[0].shown == "Monday the 19th it is then, for 80 euros."


@pytest.mark.parametrize(
    "question",
    [
        "How many ropes are brought to the quay?",  # the newer message tells no number of them
        "When was the fitter first expected to come?",
        "What is brought to the quay?",
    ],
)
def test_a_quote_answers_what_no_newer_message_says(question: str) -> None:
    assert "ropes" in ask(question).extracts[0].shown


@pytest.mark.parametrize(
    ("reply", "is_newer"),
    [
        ("By the way, the club of the fitter meets on Sunday 8 May.", False),
        ("The fitter has sent the bill. Thanks for that. The band plays on Sunday 8 May.", False),
        ("The fitter is ill. He is here on Sunday 8 May.", True),
        ("By the way, the fitter comes on Sunday 8 May.", True),
    ],
)
def test_what_a_reply_says_of_another_matter_is_not_newer(reply: str, is_newer: bool) -> None:
    mail = _MAIL.format(brought="seven")
    document = read(mail.replace(NEWER, reply).encode(), name="crane.eml")
    text = StoredText(document.text, document.pages, document.headings, document.blocks)
    first = choose("When does the fitter come?", text, favouring("Friday"), 1).extracts[0]
    assert ("8 May" in first.shown) is is_newer


@pytest.mark.parametrize("subject", ["The fitter comes", "The crane"])
def test_a_newer_message_answers_also_where_the_subject_says_all_that_is_asked(subject: str) -> None:
    mail = _MAIL.format(brought="seven").replace("The crane", subject)
    mail = mail.replace(NEWER, "sorry, the fitter comes on Monday 9 May, not on Friday.")
    document = read(mail.encode(), name="crane.eml")
    text = StoredText(document.text, document.pages, document.headings, document.blocks)
    chooser = Chooser(favouring("at 2", "ropes"), TERMS)
    titled = replace(hit(text), title=subject)
    first, *_ = chooser.choose("When does the fitter come?", [titled], [text], 2).extracts
    assert "9 May" in first.shown


def message(subject: str, day: str, said: str, sender: str = "Ada") -> tuple[Hit, StoredText]:
    headers = f"From: {sender} <{sender}@example.com>\nSubject: {subject}\nDate: {day} Jan 2026 10:00:00 +0000"
    document = read(f"{headers}\n\n{said}\n".encode(), name="crane.eml")
    text = StoredText(document.text, document.pages, document.headings, document.blocks)
    found = hit(text, document_id=f"{subject} {day}.eml")
    return replace(found, title=document.title or "", metadata=document.metadata), text


def first_of(question: str, *messages: tuple[Hit, StoredText]) -> str:
    hits, texts = zip(*messages, strict=True)
    return Chooser(favouring("Friday"), TERMS).choose(question, hits, texts, 2).extracts[0].shown


@pytest.mark.parametrize(
    ("subject", "day", "is_newer"),
    [
        ("Re: The crane", "7", True),
        ("AW: RE[2]: The crane", "7", True),
        ("Re: The crane", "5", True),  # of the same day
        ("The crane", "5", False),
        ("Re: The crane", "3", False),
        ("Re: The winch", "7", False),
    ],
)
def test_a_later_message_of_the_thread_comes_first(subject: str, day: str, is_newer: bool) -> None:
    old = message("The crane", "5", "The fitter comes on Friday 9 January.")
    new = message(subject, day, "The fitter comes on Monday 12 January.", "Piotr")
    assert ("Monday" in first_of("When does the fitter come?", old, new)) is is_newer
    assert "Friday" in first_of("When was the fitter first expected to come?", old, new)


@pytest.mark.parametrize(
    ("subject", "other", "is_newer"), [("Fire: drill", "", True), ("Hire: crane", "Hicrane", False)]
)
def test_only_what_a_subject_begins_with_is_no_part_of_it(subject: str, other: str, is_newer: bool) -> None:
    old = message(subject, "5", "The fitter comes on Friday 9 January.")
    new = message(other or f"Re: {subject}", "7", "The fitter comes on Monday 12 January.")
    assert ("Monday" in first_of("When does the fitter come?", old, new)) is is_newer


def test_the_latest_of_several_later_messages_comes_first() -> None:
    said = ("on Friday 9 January", "on Monday 12 January", "on Tuesday 13 January")
    thread = [message("Re: The crane", str(5 + at), f"The fitter comes {when}.") for at, when in enumerate(said)]
    assert "Tuesday" in first_of("When does the fitter come?", *thread)


def test_what_is_no_message_has_no_thread() -> None:
    old = message("The crane", "5", "The fitter comes on Friday 9 January.")
    found, text = message("The crane", "7", "The fitter comes on Monday 12 January.")
    note = replace(found, metadata={"date": "2026-01-07"})
    assert "Friday" in first_of("When does the fitter come?", old, (note, text))


@pytest.mark.parametrize(
    ("said", "is_newer"),
    [
        ("The boat comes on Monday 12 January.", False),
        ("The fitter is ill. The boat comes on Monday 12 January.", True),
        ("Sorry, he comes on Monday 12 January.", True),
        ("Let them come on Monday 12 January instead.", True),
    ],
)
@pytest.mark.parametrize("subject", ["Plans", "Re: Plans"])
def test_a_later_message_of_one_subject_may_be_on_another_matter(subject: str, said: str, is_newer: bool) -> None:
    old = message("Plans", "5", "The fitter comes on Friday 9 January.")
    assert ("Monday" in first_of("When does the fitter come?", old, message(subject, "7", said))) is is_newer


@pytest.mark.parametrize("subject", ["", "Re:"])
def test_messages_without_a_subject_are_no_thread(subject: str) -> None:
    old = message("", "5", "The fitter comes on Friday 9 January.")
    new = message(subject, "7", "The fitter comes on Monday 12 January.")
    assert "Friday" in first_of("When does the fitter come?", old, new)


def test_the_head_of_a_message_and_the_firm_in_its_addresses_are_no_answer() -> None:
    mail = (
        "From: Ada Moor <ada@tidewell.example>\nTo: Piotr Lang <piotr@tidewell.example>\nSubject: Re: Summer feast\n"
        "Date: Thu, 23 Oct 2025 15:12:00 +0200\nContent-Type: text/plain\n\n"
        "Hi Piotr,\n\nthe feast is now on 12 June, as the barge is let on the 5th.\n\nAda\n\n"
        "On 20 Oct 2025, Ada Moor wrote:\n> We need a place for 75 guests on 5 June. The budget is small.\n"
    )
    document = read(mail.encode(), name="feast.eml")
    text = StoredText(document.text, document.pages, document.headings, document.blocks)
    found = replace(hit(text), title=document.title or "", metadata=document.metadata)
    chooser = Chooser(favouring("guests", "5 June"), TERMS)
    first = chooser.choose("When is the summer feast at Tidewell?", [found], [text], 2).extracts[0]
    assert first.shown.startswith("the feast is now on 12 June")
