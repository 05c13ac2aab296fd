"""Mailboxes: which messages they hold, and what these are called."""

from __future__ import annotations

import io
import time
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from threading import Event

import pytest

from pipelines.errors import ArchiveAsDocument, CorruptDocument
from pipelines.reading import read
from pipelines.reading.mail import mailbox
from pipelines.reading.mail.mailbox import MailArchive

SEPARATOR = "From ann@example.com Mon Jan  5 10:00:00 2026"


def message(subject: str, text: str, *, day: int = 5, separator: str = SEPARATOR) -> str:
    headers = f"From: Ann <ann@example.com>\nDate: Mon, {day} Jan 2026 10:00:00 +0000\nSubject: {subject}"
    return f"{separator}\n{headers}\n\n{text}\n"


def opened(*messages: str) -> MailArchive:
    return MailArchive(io.BytesIO("\n".join(messages).encode()))


def test_messages_are_named_by_their_day_and_subject() -> None:
    found = opened(message("Keys of the boat house", "With the porter."), message("Re: Keys", "Thank you.", day=6))
    assert list(found.files) == ["2026-01-05 1000 Keys of the boat house.eml", "2026-01-06 1000 Re Keys.eml"]
    parsed = read(found.read("2026-01-06 1000 Re Keys.eml"), name="2026-01-06 1000 Re Keys.eml")
    assert parsed.title == "Re: Keys"
    assert parsed.text.endswith("Thank you.")
    assert found.files["2026-01-06 1000 Re Keys.eml"] == len(found.read("2026-01-06 1000 Re Keys.eml"))


@pytest.mark.parametrize(
    "separator",
    [
        "From ann@example.com Mon Jan  5 10:00:00 2026",
        "From 1612345678901234567@xxx Mon Jan 05 10:00:00 +0000 2026",
        "From MAILER-DAEMON Mon Jan 05 10:00:00 2026",
        "From - Mon Jan 05 10:00:00 2026",
        "From ",
        "From - ",
        "From ann@example.com",
    ],
)
def test_the_separators_of_mail_programs_are_known(separator: str) -> None:
    found = opened(message("Keys", "One.", separator=separator), message("Boats", "Two.", separator=separator))
    assert len(found.files) == 2


def test_line_ends_of_windows_are_known() -> None:
    text = "\n".join([message("Keys", "One."), message("Boats", "Two.")]).replace("\n", "\r\n")
    assert len(MailArchive(io.BytesIO(text.encode())).files) == 2


def test_a_byte_order_mark_costs_no_message() -> None:
    text = "\n".join([message("Keys", "One."), message("Boats", "Two.")])
    assert len(MailArchive(io.BytesIO(text.encode("utf-8-sig"))).files) == 2


def test_a_long_line_is_not_held_in_memory(tmp_path: Path) -> None:
    file = tmp_path / "large.mbox"
    file.write_text(message("Keys", "x" * 30_000_000) + "\n" + message("Boats", "Two."), encoding="utf-8")
    tracemalloc.start()
    names = list(MailArchive(file).files)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(names) == 2
    assert most < 10_000_000


@pytest.mark.parametrize(
    "text",
    [
        "Two ways lead there.\n\nFrom the quay it takes ten minutes.\nFrom the station: twenty.",
        "The times:\n\nFrom Monday on at 10:30 we meet at the pier\nand row to the mill.",
        "Hello\nFrom ann@example.com Mon Jan  5 10:00:00 2026\nSubject: quoted",
        "x" * 2**16 + "\nFrom ann@example.com Mon Jan  5 10:00:00 2026\nSubject: quoted",
    ],
)
def test_a_sentence_does_not_end_a_message(text: str) -> None:
    found = opened(message("Way", text), message("Boats", "Two."))
    assert list(found.files) == ["2026-01-05 1000 Way.eml", "2026-01-05 1000 Boats.eml"]
    assert text in found.read("2026-01-05 1000 Way.eml").decode()


def test_signs_before_lines_that_look_like_separators_are_taken_away() -> None:
    found = opened(message("Way", "Hi,\n\n>From the quay it is near.\n>>From here too.\n> From ann"))
    text = found.read("2026-01-05 1000 Way.eml").decode()
    assert "\nFrom the quay it is near.\n>From here too.\n> From ann" in text


def test_messages_of_one_name_are_told_apart_by_what_they_say() -> None:
    messages = [message("Keys", text) for text in ("One.", "Two.", "Three.")]
    whole, fewer = opened(*messages), opened(messages[0], messages[2])
    assert [name.partition("(")[0] for name in whole.files] == [
        "2026-01-05 1000 Keys.eml",
        *["2026-01-05 1000 Keys "] * 2,
    ]
    assert fewer.read_all().items() <= whole.read_all().items()


def test_no_message_takes_the_place_of_another_one_that_its_subject_names() -> None:
    messages = [message("Keys", text) for text in ("One.", "Two.")]
    (stem,) = (Path(name).stem for name in opened(*messages).files if "(" in name)
    also_called = message(stem.removeprefix("2026-01-05 1000 "), "Three.")
    for order in ([also_called, *messages], [*messages, also_called]):
        contents = opened(*order).read_all().values()
        assert {content.decode().split()[-1] for content in contents} == {"One.", "Two.", "Three."}


def test_copies_of_a_message_are_one() -> None:
    messages = [message("Keys", text) for text in ("One.", "Two.", "One.", "Two.")]
    assert len(opened(*messages).files) == 2


def test_a_subject_that_ends_in_a_number_takes_no_name_of_another() -> None:
    found = opened(message("Keys (2)", "One."), message("Keys", "Two."), message("Keys", "Three."))
    assert [found.read(name).split()[-1] for name in found.files] == [b"One.", b"Two.", b"Three."]


def test_a_name_has_no_signs_that_a_path_may_not_have() -> None:
    subjects = ["../../etc/passwd", "a\\b: c?", "  ", "=?utf-8?b?w4RwZmVs?=", "x" * 5000]
    names = list(opened(*(message(subject, "Text.") for subject in subjects)).files)
    assert names[:4] == [
        "2026-01-05 1000 etc passwd.eml",
        "2026-01-05 1000 a b c.eml",
        "2026-01-05 1000 without subject.eml",
        "2026-01-05 1000 Äpfel.eml",
    ]
    assert len(names[4]) < 125


def test_a_message_without_a_date_is_named_by_its_subject() -> None:
    assert list(opened("From - \nSubject: Keys\n\nText.\n").files) == ["Keys.eml"]


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ("Content-Type: =?unicode_escape?q?=5Cud800?=", "without subject.eml"),
        (f"Date: Thu, 1 Jan 2026 10:00:00 +{'9' * 24}", "Boats.eml"),
    ],
)
def test_headers_beyond_pythons_parser_cost_no_other_message(header: str, name: str) -> None:
    broken = f"{SEPARATOR}\n{header}\nSubject: Boats\n\nTwo.\n"
    found = opened(message("Keys", "One."), broken, message("Oars", "Three."))
    assert list(found.files) == ["2026-01-05 1000 Keys.eml", name, "2026-01-05 1000 Oars.eml"]


@pytest.mark.parametrize("content", [b"Hello, this is no mailbox.\n", b"From here to there.\n"])
def test_a_file_without_messages_is_refused(content: bytes) -> None:
    with pytest.raises(CorruptDocument, match="no messages"):
        read(content, name="a.mbox")


def test_a_mailbox_as_one_document_is_refused_with_what_to_do() -> None:
    with pytest.raises(ArchiveAsDocument, match=r"an archive \(mailbox\); unpack it"):
        read(message("Keys", "One.").encode(), name="a.mbox")


def test_what_is_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mailbox, "MOST_MESSAGES", 2)
    with pytest.raises(CorruptDocument, match="more than the 2 messages"):
        opened(*(message("Keys", "One.") for _ in range(3)))
    monkeypatch.setattr(mailbox, "LARGEST_IN_MEMORY", 10)
    with pytest.raises(CorruptDocument, match="put it into a knowledge folder"):
        opened(message("Keys", "One.")).read_all()


def test_an_unknown_name_is_not_found() -> None:
    with pytest.raises(FileNotFoundError):
        opened(message("Keys", "One.")).read("gone.eml")


def test_a_large_mailbox_takes_time_by_its_length(tmp_path: Path) -> None:
    file = tmp_path / "large.mbox"
    file.write_text(
        "\n".join(message("Keys", f"From {number} " + "a:1 " * 25_000) for number in range(200)), encoding="utf-8"
    )
    began = time.process_time()
    assert len(MailArchive(file).files) == 200
    assert time.process_time() - began < 5


@pytest.mark.parametrize("line", ["\n", "From \n\n", "From a 1:11\n\n", "\r", ">"])
def test_a_mailbox_of_very_many_short_lines_takes_time_by_its_length(line: str) -> None:
    content = (message("Keys", "One.") + line * (16_000_000 // len(line)) + "\n\n" + message("Boats", "Two.")).encode()
    began = time.process_time()
    assert len(MailArchive(io.BytesIO(content)).files) == 2
    assert time.process_time() - began < 6


def test_messages_are_found_wherever_a_piece_of_the_file_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    content = "\n".join(message("Keys", f"One {number}." + "\n" * (number % 3)) for number in range(40)).encode()
    whole = list(mailbox.messages_in(io.BytesIO(content)))
    assert len(whole) == 40
    for piece in range(900, 1100):
        monkeypatch.setattr(mailbox, "_PIECE", piece)
        assert list(mailbox.messages_in(io.BytesIO(content))) == whole


def test_other_threads_go_on_while_the_signs_of_a_large_message_are_taken_away() -> None:
    content = b"Subject: Keys\n\n" + b">\n" * 20_000_000 + b">From here\n"
    done = Event()
    turns = [time.monotonic()]

    def take_turns() -> None:
        while not done.wait(0.001):
            turns.append(time.monotonic())

    with ThreadPoolExecutor(1) as threads:
        threads.submit(take_turns)
        time.sleep(0.05)
        began = time.monotonic()
        shown = mailbox.unquoted(content)
        took = time.monotonic() - began
        time.sleep(0.05)
        done.set()
    assert shown == content.replace(b">From", b"From")
    assert max(behind - before for before, behind in pairwise(turns)) < took / 2
