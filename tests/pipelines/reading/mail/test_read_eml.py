"""E-mails: headers, body, attachments."""

from __future__ import annotations

import time
from email.message import EmailMessage

import pytest

from pipelines.errors import CorruptDocument
from pipelines.reading import read
from tests.pipelines.reading.block_checks import assert_blocks_fit, shown_blocks


def message(body: str = "Hello Bob,\n\nsee below.\n-----\nAnn\n") -> EmailMessage:
    mail = EmailMessage()
    mail["From"] = "Ann <ann@example.com>"
    mail["To"] = "Bob <bob@example.com>"
    mail["Subject"] = "Contract für 2024"
    mail["Date"] = "Mon, 06 May 2024 07:08:09 +0200"
    mail.set_content(body)
    return mail


def test_headers_and_body_are_text_under_the_subject() -> None:
    document = read(message().as_bytes(), name="a.eml")
    assert document.text == (
        "Contract für 2024\n\nFrom: Ann <ann@example.com>\nTo: Bob <bob@example.com>\n"
        "Date: Mon, 06 May 2024 07:08:09 +0200\n\nHello Bob,\n\nsee below.\n-----\nAnn"
    )
    assert [heading.title for heading in document.headings] == ["Contract für 2024"]
    assert document.title == "Contract für 2024"
    assert document.metadata == {"from": "Ann <ann@example.com>", "to": "Bob <bob@example.com>", "date": "2024-05-06"}


def test_a_byte_order_mark_or_empty_lines_before_the_headers_cost_no_message() -> None:
    for before in (b"\xef\xbb\xbf", b"\r\n\n"):
        assert read(before + message().as_bytes(), name="a.eml").title == "Contract für 2024"


def test_text_attachments_are_read_and_others_named() -> None:
    mail = message("Body")
    mail.add_attachment("# not a heading\n", filename="notes.txt")
    mail.add_attachment(b"%PDF-", maintype="application", subtype="pdf", filename="plan.pdf")
    document = read(mail.as_bytes(), name="a.eml")
    assert document.text.endswith("Body\n\nAttachment: notes.txt\n\n# not a heading\n\nAttachment: plan.pdf")
    assert [(heading.level, heading.title) for heading in document.headings][1:] == [
        (2, "Attachment: notes.txt"),
        (2, "Attachment: plan.pdf"),
    ]


def test_the_lists_of_a_body_are_lists() -> None:
    document = read(message("You get things like:\n\n. a slot\n. a stand\n\nBye.\n").as_bytes(), name="a.eml")
    assert_blocks_fit(document)
    assert shown_blocks(document)[2:] == [
        ("paragraph", 0, "You get things like:"),
        ("item", 1, "- a slot"),
        ("item", 1, "- a stand"),
        ("paragraph", 0, "Bye."),
    ]


def test_a_quoted_message_is_a_quote_without_its_signs() -> None:
    document = read(
        message("Fine.\n\nOn Friday Bob wrote:\n> Is the pump\n> repaired?\n>> Which?\n").as_bytes(), name="a.eml"
    )
    assert_blocks_fit(document)
    assert shown_blocks(document)[2:] == [
        ("paragraph", 0, "Fine."),
        ("heading", 2, "On Friday Bob wrote:"),
        ("quote", 0, "Is the pump\nrepaired?\nWhich?"),
    ]


def test_html_is_read_without_plain_text() -> None:
    mail = message("plain")
    mail.add_alternative("<h2>rich</h2>", subtype="html")
    assert read(mail.as_bytes(), name="a.eml").text.endswith("\n\nplain")
    mail = message()
    mail.set_content("<h2>Offer</h2><p>Only <b>today</b></p><script>x()</script>", subtype="html")
    document = read(mail.as_bytes(), name="a.eml")
    assert document.text.endswith("Offer\n\nOnly today")
    assert [heading.title for heading in document.headings][1:] == ["Offer"]


FEES = (
    "<p>From 2026 the fees are:</p>"
    "<table><tr><th>Group</th><th>Fee</th></tr><tr><td>Adults</td><td>66 euros</td></tr></table>"
)


@pytest.mark.parametrize("stub", ["See the HTML version.\n", "\n"])
def test_html_is_read_if_the_plain_text_is_a_stub(stub: str) -> None:
    mail = message(stub)
    mail.add_alternative(
        f"<html><body>{FEES}<p>{'All members are asked to pay in March. ' * 3}</p></body></html>", "html"
    )
    document = read(mail.as_bytes(), name="a.eml")
    assert "Adults | 66 euros" in document.text
    assert "See the HTML version" not in document.text


@pytest.mark.parametrize("damaged", [b"<p>\0\0</p>", b"\xff\xfe<\0p"])
def test_damaged_html_does_not_cost_the_plain_text(damaged: bytes) -> None:
    mail = message("See the HTML version.\n")
    mail.add_alternative(damaged, maintype="text", subtype="html")
    assert read(mail.as_bytes(), name="a.eml").text.endswith("See the HTML version.")


def test_plain_text_is_read_if_it_says_the_same() -> None:
    mail = message("From 2026 adults pay 66 euros.\n")
    mail.add_alternative(f"<html><body>{FEES}</body></html>", "html")
    document = read(mail.as_bytes(), name="a.eml")
    assert document.text.endswith("From 2026 adults pay 66 euros.")


def test_a_forwarded_message_stands_a_level_below() -> None:
    mail = message("See attached.")
    mail.add_attachment(message("The original."))
    document = read(mail.as_bytes(), name="a.eml")
    assert [(heading.level, heading.title) for heading in document.headings] == [
        (1, "Contract für 2024"),
        (2, "Contract für 2024"),
    ]
    assert document.text.endswith("The original.")


@pytest.mark.parametrize("charset", ["utf-8", "iso-8859-1", "iso-2022-jp"])
def test_bodies_of_any_charset_are_read(charset: str) -> None:
    words = "従業員" if charset == "iso-2022-jp" else "Grüße aus Köln"
    mail = message()
    mail.set_content(words, charset=charset, cte="base64")
    assert read(mail.as_bytes(), name="a.eml").text.endswith(words)


def test_a_charset_that_is_a_lie_is_not_believed() -> None:
    head = b"Subject: x\nContent-Type: text/plain; charset=us-ascii\nContent-Transfer-Encoding: 8bit\n\n"
    assert read(head + "Grüße".encode(), name="a.eml").text.endswith("Grüße")


def test_a_text_of_a_message_is_read_too() -> None:
    assert read("Subject: Hi\nDate: never\n\nBody", name="a.eml").text == "Hi\n\nDate: never\n\nBody"


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        ("Grüße ".encode() + b"\xff" + " aus Köln.".encode(), "Grüße \ufffd aus Köln."),
        (b"Read\0 this now", "Read this now"),
        (b"\0R\0e\0a\0d\0 \0t\0h\0i\0s", "Read this"),
    ],
)
def test_a_body_with_damaged_bytes_is_read_with_a_sign_in_their_place(body: bytes, shown: str) -> None:
    head = b"Subject: x\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n"
    assert read(head + body, name="a.eml").text == f"x\n\n{shown}"


def test_a_body_that_is_no_text_is_refused() -> None:
    with pytest.raises(CorruptDocument):
        read(b"Subject: x\nContent-Type: text/plain\n\n" + bytes(range(128, 256)) * 9 + b"\0", name="a.eml")


@pytest.mark.parametrize("content", [b"one\0two", "Grüße aus Köln ".encode() + b"\xff"])
def test_an_attachment_that_cannot_be_read_is_named(content: bytes) -> None:
    mail = message("Body")
    mail.add_attachment(content, maintype="text", subtype="plain", filename="log.txt")
    mail.add_attachment("and this\n", filename="notes.txt")
    document = read(mail.as_bytes(), name="a.eml")
    assert document.text.endswith("Body\n\nAttachment: log.txt\n\nAttachment: notes.txt\n\nand this")


def test_text_without_headers_is_not_a_message() -> None:
    with pytest.raises(CorruptDocument, match="headers of an e-mail"):
        read(b"Just some text.\n", name="a.eml")


def part(content: str | bytes, name: str = "", subtype: str = "plain") -> EmailMessage:
    made = EmailMessage()
    if isinstance(content, str):
        made.set_content(content, subtype)
    else:
        made.set_content(content, "image", "png")
    if name:
        made.add_header("Content-Disposition", "inline", filename=name)
    return made


def several(kind: str, *parts: EmailMessage) -> EmailMessage:
    made = EmailMessage()
    made["Content-Type"] = f"multipart/{kind}"
    for each in parts:
        made.attach(each)
    return made


def shown_below_headers(mail: EmailMessage) -> str:
    mail["From"] = "ann@example.com"
    return read(mail.as_bytes(), name="a.eml").text.partition("\n\n")[2]


def test_attachments_within_an_alternative_are_read() -> None:
    page = several("mixed", part("<p>Hi</p>", "", "html"), part("Due in May.", "notes.txt"), part(b"x", "plan.png"))
    mail = several("alternative", part("Hi"), page)
    assert shown_below_headers(mail) == "Hi\n\nAttachment: notes.txt\n\nDue in May.\n\nAttachment: plan.png"


def test_attachments_of_a_signed_message_are_read() -> None:
    mail = several("signed", several("mixed", part("Hi"), part("Due in May.", "notes.txt")))
    assert shown_below_headers(mail) == "Hi\n\nAttachment: notes.txt\n\nDue in May."


def test_text_below_a_picture_belongs_to_the_body() -> None:
    mail = several("mixed", part("Look:"), part(b"x", "pump.png"), part("It leaks."))
    assert shown_below_headers(mail) == "Look:\n\nIt leaks.\n\nAttachment: pump.png"


def test_the_texts_of_a_body_keep_their_order() -> None:
    footer = part("List of the friends of pumps")
    assert shown_below_headers(several("mixed", part("<p>Look: it leaks.</p>", "", "html"), footer)) == (
        "Look: it leaks.\n\nList of the friends of pumps"
    )
    both = several("alternative", part("Look: it leaks."), part("<p>Look: it leaks.</p>", "", "html"))
    assert shown_below_headers(several("mixed", both, footer)) == "Look: it leaks.\n\nList of the friends of pumps"


def test_pictures_of_a_page_are_not_attachments() -> None:
    page = several("related", part("<p>Hi</p>", "", "html"), part(b"x", "logo.png"))
    assert shown_below_headers(several("alternative", part("Hi"), page)) == "Hi"


@pytest.mark.parametrize(
    "header",
    [
        "To: " + "ann@example.com, " * 30_000,
        'To: "Ann" ' + '"Ann" ' * 60_000,
        "Comments: x\nSubject: " + "=?utf-8?q?a?= " * 60_000,
        "Content-Type: text/plain; " + "a=b; " * 60_000,
    ],
)
def test_a_header_that_never_ends_takes_no_longer_than_its_beginning(header: str) -> None:
    began = time.process_time()
    document = read(f"From: bob@example.com\n{header}\n\nSee below.\n".encode(), name="a.eml")
    assert time.process_time() - began < 6  # whole, they take a minute and more
    assert document.text.endswith("See below.")


def test_a_header_beyond_the_parser_does_not_lose_the_body() -> None:
    document = read(f"From: {'(' * 2000}\nSubject: Puppies\n\nSee below.\n".encode(), name="a.eml")
    assert document.text == "Puppies\n\nSee below."
