"""The server's log, as lines of text and of JSON."""

from __future__ import annotations

import json
import logging
import re
import sys

import httpx
import pytest
from starlette.types import Receive, Scope, Send

from app.http.logs import JsonLines, TextLines
from app.http.telemetry import RequestIds


def line_of(record: logging.LogRecord) -> dict[str, str]:
    text = JsonLines().format(record)
    assert "\n" not in text
    line: dict[str, str] = json.loads(text)
    return line


def record(message: str, *, with_error: bool = False) -> logging.LogRecord:
    error = sys.exc_info() if with_error else None
    return logging.LogRecord("footnote", logging.WARNING, __file__, 1, message, (), error)


def test_a_line_has_time_level_and_message() -> None:
    line = line_of(record("two\nlines"))
    assert (line["level"], line["logger"], line["message"], line["request_id"]) == (
        "WARNING",
        "footnote",
        "two\nlines",
        "",
    )
    assert line["at"].endswith("+00:00")


def test_a_line_has_the_trace_of_an_exception() -> None:
    try:
        raise LookupError("gone")
    except LookupError:
        assert "LookupError: gone" in line_of(record("failed", with_error=True))["trace"]


@pytest.mark.anyio
async def test_a_line_has_the_id_of_its_request() -> None:
    lines, texts = [], []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        lines.append(line_of(record("within")))
        texts.append(TextLines().format(record("within")))
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body"})

    async with httpx.AsyncClient(transport=httpx.ASGITransport(RequestIds(app)), base_url="http://test") as client:
        await client.get("/", headers={"X-Request-ID": "abc-1"})
    assert lines[0]["request_id"] == "abc-1"
    assert texts[0].endswith("WARNING: within (request abc-1)")


def test_a_line_of_text_has_time_level_and_message() -> None:
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ WARNING: late", TextLines().format(record("late")))


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
