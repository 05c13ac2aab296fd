"""Earlier mail that a message quotes stands below the line that says who wrote it."""

from __future__ import annotations

from email.message import EmailMessage
from time import process_time

import pytest

from pipelines.reading import read
from pipelines.reading.mail.quotes import quoted_parts
from tests.pipelines.reading.block_checks import assert_blocks_fit
from tests.pipelines.reading.office.compound_files import compound, message

HEADERS = "From: Piotr Lang\nSent: 3 May 2024 11:05\nTo: Ada Moor\nSubject: The crane"
OWN = "The crane is mended."
EARLIER = "It is broken.\nMy telephone is 555 0134."


def quoted(text: str, sign: str = "> ") -> str:
    return "\n".join(sign + line for line in text.split("\n"))


def headings_of(body: str) -> list[tuple[int, str]]:
    mail = EmailMessage()
    mail["Subject"] = "The crane"
    mail.set_content(body)
    document = read(mail.as_bytes(), name="crane.eml")
    assert_blocks_fit(document)
    return [(heading.level, heading.title) for heading in document.headings]


@pytest.mark.parametrize(
    ("body", "heading"),
    [
        (f"{OWN}\n\nOn 3 May, Piotr Lang wrote:\n{quoted(EARLIER)}\n", "On 3 May, Piotr Lang wrote:"),
        (f"{OWN}\n\nOn 3 May, Piotr Lang\nwrote:\n\n{quoted(EARLIER)}\n", "On 3 May, Piotr Lang wrote:"),
        (f"{OWN}\n\nOn 3 May, Piotr Lang wrote:\n\n{EARLIER}\n", "On 3 May, Piotr Lang wrote:"),
        (f"{OWN}\n\nAm 3. Mai schrieb Piotr Lang:\n{quoted(EARLIER)}\n", "Am 3. Mai schrieb Piotr Lang:"),
        (f"{OWN}\n\n-----Original Message-----\n{HEADERS}\n\n{EARLIER}\n", "From: Piotr Lang"),
        (f"{OWN}\n\n{quoted(HEADERS)}\n>\n{quoted(EARLIER)}\n", "From: Piotr Lang"),
        (
            f"{OWN}\n\n> On 3 May, Piotr Lang wrote:\n>\n{quoted(EARLIER)}\n{quoted('Why?', '>> ')}\n",
            "On 3 May, Piotr Lang wrote:",
        ),
    ],
)
def test_who_wrote_a_quote_is_its_heading(body: str, heading: str) -> None:
    assert headings_of(body) == [(1, "The crane"), (2, heading)]


def test_each_message_of_a_thread_has_its_heading() -> None:
    body = f"{OWN}\n\n{quoted(HEADERS)}\n>\n{quoted(EARLIER)}\n> On 1 May, Ada Moor wrote:\n{quoted('Why?', '>> ')}\n"
    assert [title for _, title in headings_of(body)] == ["The crane", "From: Piotr Lang", "On 1 May, Ada Moor wrote:"]


@pytest.mark.parametrize(
    "body",
    [
        f"On 3 May, Piotr Lang wrote:\n{quoted(EARLIER)}\n\n{OWN}\n",  # the writer goes on below
        f"{quoted(HEADERS)}\n>\n{quoted(EARLIER)}\n\n{OWN}\n",
        "My journey:\nFrom: Leeds\nTo: Galway\nDate: 3 May\n",
        f"{quoted(EARLIER)}\n\n{OWN}\n",
    ],
)
def test_a_quote_without_a_writer_or_with_a_reply_below_has_no_heading(body: str) -> None:
    assert headings_of(body) == [(1, "The crane")]


def test_a_message_of_outlook_has_headings_too() -> None:
    body = f"{OWN}\r\n\r\n{HEADERS}\n\n{EARLIER}".replace("\n", "\r\n")
    document = read(compound(message({"0037": "The crane", "1000": body})), name="crane.msg")
    assert [heading.title for heading in document.headings] == ["The crane", "From: Piotr Lang"]


@pytest.mark.parametrize(
    "part", ["> ", ">", "On ", "On 3 wrote:\n", "From: a\n", "Subject: a\nFrom: a\n", "> On a wrote:\n"]
)
def test_long_bodies_are_soon_parted(part: str) -> None:
    assert list(quoted_parts(part * 20_000))


def test_a_signature_below_a_quote_is_of_the_writer() -> None:
    body = f"{OWN}\n\nOn 3 May, Piotr Lang wrote:\n{quoted(EARLIER)}\n\n-- \nAda Moor\nHarbour master"
    own, earlier = quoted_parts(body)
    assert own.text.split() == [*OWN.split(), "--", "Ada", "Moor", "Harbour", "master"]
    assert earlier.text.strip() == quoted(EARLIER)


def test_a_signature_below_a_quote_without_signs_is_of_whom_it_quotes() -> None:
    own, earlier = quoted_parts(f"{OWN}\n\n{HEADERS}\n\n{EARLIER}\n\n--\nPiotr Lang")
    assert own.text.strip() == OWN
    assert earlier.text.endswith("Piotr Lang")


@pytest.mark.parametrize("line", ["On 3 May, Piotr Lang wrote:\n", "> On 3 May, Piotr Lang wrote:\n>\n"])
def test_any_number_of_quotes_is_found_in_linear_time(line: str) -> None:
    began = process_time()
    assert list(quoted_parts(line * 100_000))
    assert process_time() - began < 10
