"""The headers of messages, read safely: anything may stand in them."""

from __future__ import annotations

from codecs import BOM_UTF8
from email import message_from_bytes, policy
from email.errors import MessageError
from email.message import EmailMessage, Message
from email.parser import BytesHeaderParser
from email.utils import parsedate_to_datetime
from typing import Any, cast

from typing_extensions import override

from pipelines.reading.source import Source


class _BoundedHeaders(policy.EmailPolicy):
    """Parses the beginning of a header: Python's own parser takes seconds for long ones, and longer ones yet longer.

    The default of ``most`` characters is that of some four hundred addresses.
    """

    most: int = 16_000

    @override
    def header_fetch_parse(self, name: str, value: str) -> Any:
        return super().header_fetch_parse(name, value[: self.most])


class _BriefHeaders(_BoundedHeaders):
    """Parses what names a message, of very many messages."""

    most = 2_000


POLICY = _BoundedHeaders()
# What Python's own parser raises for what is beyond it.
_PARSER_ERRORS = (MessageError, ValueError, LookupError, AttributeError, TypeError, RecursionError)


def message_of(source: Source) -> EmailMessage:
    """Return a file as a message; a byte order mark or empty lines may stand before its headers."""
    data = source.content if isinstance(source.content, bytes) else source.text().encode()
    begun = data.removeprefix(BOM_UTF8).lstrip(b"\r\n")
    return cast("EmailMessage", message_from_bytes(begun, policy=POLICY))


def parsed_headers(head: bytes) -> Message[Any, Any]:
    """Return the headers that a message begins with, in brief; none where they are beyond Python's own parser."""
    try:
        return BytesHeaderParser(policy=_BriefHeaders()).parsebytes(head)
    except _PARSER_ERRORS:
        return Message(POLICY)


def header_of(message: Message[Any, Any], name: str) -> str:
    """Return a header's words; none where they are beyond Python's own parser, which then raises what it pleases."""
    try:
        return " ".join(str(message.get(name) or "").split())
    except _PARSER_ERRORS:
        return ""


def sent_at(message: Message[Any, Any], form: str = "%Y-%m-%d") -> str:
    """Return when a message was written, where it was written, in a form of ``strftime``; empty if it does not say."""
    try:
        return parsedate_to_datetime(header_of(message, "Date")).strftime(form)
    except (ValueError, TypeError, OverflowError):
        return ""
