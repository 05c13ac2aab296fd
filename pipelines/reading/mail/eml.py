"""E-mails: who wrote to whom, the body, and the attachments that are text; others are named."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from email.message import EmailMessage, MIMEPart
from itertools import groupby

from pipelines.errors import CorruptDocument
from pipelines.reading.draft import Draft
from pipelines.reading.encoding import decode, normalised
from pipelines.reading.html.parsing import parse_html
from pipelines.reading.html.rendering import render_html
from pipelines.reading.mail.bodies import readable
from pipelines.reading.mail.headers import header_of, message_of, sent_at
from pipelines.reading.mail.quotes import quoted_parts, without_signs
from pipelines.reading.plain.blocks import plain_blocks
from pipelines.reading.source import Source
from pipelines.reading.tidying import tidy
from pipelines.types import ParsedDocument

_SHOWN = ("From", "To", "Cc", "Date")
_TELLING = (*_SHOWN, "Subject", "Message-ID", "Received", "Return-Path")
_BODIES = ("text/plain", "text/html")
_DEEPEST = 6
_STUB_RATIO = 4
"""Plain text is a stub if the HTML beside it has more than this many times its words."""
# What some programs make of a bullet.
_DOT = re.compile(r"^[ \t]{0,8}[.·] (?=\w)", re.MULTILINE)


def read(source: Source) -> ParsedDocument:
    """Return the message, its subject as title and first heading; a forwarded message stands below, a level deeper."""
    message = message_of(source)
    if not any(name in message for name in _TELLING):
        raise CorruptDocument("EML", "it begins with none of the headers of an e-mail; give it its true name")
    draft = Draft()
    _add_message(draft, message, 1)
    metadata = {name.lower(): header_of(message, name) for name in _SHOWN} | {"date": sent_at(message)}
    return draft.finish(source.format, header_of(message, "Subject") or None, metadata)


def _add_message(draft: Draft, message: EmailMessage, level: int) -> None:
    subject = header_of(message, "Subject")
    if subject:
        draft.add_heading(level, subject)
    headers = ((name, header_of(message, name)) for name in _SHOWN)
    draft.add("\n".join(f"{name}: {value}" for name, value in headers if value))
    body = _body(message)
    # Programs that show pictures between the lines make a part of each stretch of text.
    texts, attached = _sorted(part for part in _parts(message) if part is not body)
    places = {id(part): place for place, part in enumerate(message.walk())}
    for text in sorted([body, *texts] if body is not None else texts, key=lambda part: places[id(part)]):
        _add_text(draft, text, _readable(text), level)
    for part in attached:
        _add_attachment(draft, part, min(level + 1, _DEEPEST))


def _body(message: EmailMessage) -> MIMEPart | None:
    """Return the body to read: plain text, or HTML if the plain text is only a stub such as "See the HTML version"."""
    plain, html = message.get_body(("plain",)), message.get_body(("html",))
    if plain is None or html is None:
        return plain if html is None else html
    try:
        rendered = render_html(parse_html(_readable(html))).text
    except CorruptDocument:
        return plain  # damaged HTML must not cost the plain text
    return html if len(_readable(plain).split()) * _STUB_RATIO < len(rendered.split()) else plain


def _parts(part: MIMEPart) -> Iterator[MIMEPart]:
    """Yield what a message holds, but for its text in other forms and the pictures of its pages."""
    if not part.is_multipart() or part.get_content_maintype() != "multipart":
        yield part
        return
    kind = part.get_content_subtype()
    for inner in part.iter_parts():
        if isinstance(inner, MIMEPart):
            yield from (each for each in _parts(inner) if each.is_attachment() or not _is_shown(each, kind))


def _is_shown(part: MIMEPart, kind: str) -> bool:
    """Return whether the body shows a part: as its text in another form, or as a picture of its page."""
    if kind == "alternative":
        return part.get_content_maintype() == "text" and not part.get_filename()
    return kind == "related" and part.get_content_maintype() == "image"


def _sorted(parts: Iterable[MIMEPart]) -> tuple[list[MIMEPart], list[MIMEPart]]:
    """Return the texts that go on with the body, and the attachments."""
    texts: list[MIMEPart] = []
    attached: list[MIMEPart] = []
    for part in parts:
        own = part.get_content_type() in _BODIES and not part.get_filename() and not part.is_attachment()
        (texts if own else attached).append(part)
    return texts, attached


def _add_attachment(draft: Draft, part: MIMEPart, level: int) -> None:
    name = part.get_filename()
    inner = list(_forwarded(part))
    if name and not inner:
        draft.add_heading(level, f"Attachment: {name}")
    for message in inner:
        _add_message(draft, message, level)
    if part.get_content_maintype() == "text":
        with suppress(CorruptDocument):  # one that is damaged, or no text, is named alone
            _add_text(draft, part, _decoded(part), level)


def _forwarded(part: MIMEPart) -> Iterator[EmailMessage]:
    if part.get_content_type() == "message/rfc822" and part.is_multipart():
        yield from (message for message in part.iter_parts() if isinstance(message, EmailMessage))


def _decoded(part: MIMEPart) -> str:
    return normalised(decode(_payload(part), "EML", part.get_content_charset()), "EML")


def _readable(part: MIMEPart) -> str:
    return readable(_payload(part), "EML", part.get_content_charset())


def _payload(part: MIMEPart) -> bytes:
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def _add_text(draft: Draft, part: MIMEPart, text: str, level: int) -> None:
    """Add a text below a heading of this level; what it quotes has headings below that."""
    if part.get_content_subtype() == "html":
        draft.add_stored(render_html(parse_html(text)))
        return
    for part_of_text in quoted_parts(_DOT.sub("- ", tidy(text))):
        draft.add_heading(min(level + 1, _DEEPEST), part_of_text.heading)
        _add_plain(draft, part_of_text.text)


def _add_plain(draft: Draft, text: str) -> None:
    """Add the lines of a body; those that quote another message lose the signs before them."""
    for quoted, lines in groupby(text.split("\n"), lambda line: line.startswith(">")):
        shown = "\n".join(without_signs(line) for line in lines).strip("\n")
        blocks = [replace(block, line=None) for block in plain_blocks(shown)]
        if quoted:
            blocks = [replace(block, kind="quote") if block.kind == "paragraph" else block for block in blocks]
        if blocks:
            draft.add_blocks(shown, blocks)
