"""Outlook's messages: read as mail is, whether their texts are wide or narrow."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pipelines.errors import CorruptDocument
from pipelines.reading import read
from tests.pipelines.reading.block_checks import assert_blocks_fit, shown_blocks
from tests.pipelines.reading.office.compound_files import attachment, compound, forwarded, message

SUBJECT, BODY, SENDER, ADDRESS, TO = "0037", "1000", "0C1A", "5D01", "0E04"
SENT = datetime(2024, 3, 5, 14, 30, tzinfo=UTC)
ORDER = {
    SUBJECT: "Order 17",
    SENDER: "Ann Lee",
    ADDRESS: "ann@example.org",
    TO: "Bob",
    BODY: "Hello,\r\n\r\nit is here.\r\n",
}


def test_a_message_shows_its_headers_and_its_text() -> None:
    document = read(compound(message(ORDER, sent=SENT)), name="order.msg")
    assert_blocks_fit(document)
    assert shown_blocks(document) == [
        ("heading", 1, "Order 17"),
        ("paragraph", 0, "From: Ann Lee <ann@example.org>\nTo: Bob\nDate: 2024-03-05 14:30 UTC"),
        ("paragraph", 0, "Hello,"),
        ("paragraph", 0, "it is here."),
    ]
    assert document.title == "Order 17"
    assert document.metadata == {"from": "Ann Lee <ann@example.org>", "to": "Bob", "date": "2024-03-05"}


def test_narrow_texts_are_read_in_their_code_page() -> None:
    content = compound(message({SUBJECT: "Привет", BODY: "Груз уже здесь, спасибо."}, narrow="cp1251"))
    assert read(content, name="a.msg").text == "Привет\n\nГруз уже здесь, спасибо."


def test_html_is_read_without_plain_text() -> None:
    document = read(compound(message({SUBJECT: "News"}, html="<p>It <b>rains</b>.</p>")), name="a.msg")
    assert document.text == "News\n\nIt rains."


def test_an_address_within_exchange_is_not_shown() -> None:
    document = read(compound(message({**ORDER, ADDRESS: "/O=ACME/CN=ANN"})), name="a.msg")
    assert document.metadata["from"] == "Ann Lee"


def test_attached_texts_and_messages_stand_below() -> None:
    inner = message({SUBJECT: "Earlier", BODY: "Before."}, header=24)
    files = [attachment("list.txt", b"one\ntwo"), attachment("photo.png", b"\x89PNG", "image/png"), forwarded(inner)]
    document = read(compound(message(ORDER, attachments=files)), name="a.msg")
    assert_blocks_fit(document)
    assert [(heading.level, heading.title) for heading in document.headings] == [
        (1, "Order 17"), (2, "Attachment: list.txt"), (2, "Attachment: photo.png"), (2, "Earlier"),
    ]  # fmt: skip
    assert document.text.endswith("Attachment: list.txt\n\none\ntwo\n\nAttachment: photo.png\n\nEarlier\n\nBefore.")


def test_damaged_bytes_cost_neither_a_body_nor_the_message_around_an_attachment() -> None:
    files = [attachment("log.txt", b"one\0two"), attachment("list.txt", b"three")]
    document = read(compound(message({**ORDER, BODY: "It is\0 here."}, attachments=files)), name="a.msg")
    assert document.text.endswith("It is here.\n\nAttachment: log.txt\n\nAttachment: list.txt\n\nthree")


def test_nameless_bytes_are_recognised() -> None:
    assert read(compound(message(ORDER))).media_type == "application/vnd.ms-outlook"


def test_a_message_that_was_cut_off_is_refused() -> None:
    content = compound(message(ORDER))
    for kept in (100, 600, 5000):
        with pytest.raises(CorruptDocument):
            read(content[:kept], name="a.msg")
