"""The server's log, as text or as JSON lines: the time, the level, the message and the request's id."""

from __future__ import annotations

import json
import logging
import time
from datetime import UTC, datetime

from typing_extensions import override

from app.http.telemetry import current_request_id


class TextLines(logging.Formatter):
    """Writes each record as a line of text; an exception's trace follows it."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s: %(message)s", "%Y-%m-%dT%H:%M:%SZ")
        self.converter = time.gmtime

    @override
    def formatMessage(self, record: logging.LogRecord) -> str:
        """Return the line of a record, with the request that it is about."""
        line, request = super().formatMessage(record), current_request_id()
        return f"{line} (request {request})" if request else line


class JsonLines(logging.Formatter):
    """Writes each record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record; it has a trace if the record has an exception."""
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "request_id": current_request_id(),
            "message": record.getMessage(),
        }
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line)


def log_to_stderr(*, as_json: bool) -> None:
    """Write warnings and worse to standard error."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines() if as_json else TextLines())
    logging.basicConfig(handlers=[handler])
