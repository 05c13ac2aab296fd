"""The server's log as text, or as JSON lines with the time, the level and the request's id."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime

from app.http.telemetry import current_request_id

_TEXT = "%(levelname)s: %(message)s"


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
    handler.setFormatter(JsonLines() if as_json else logging.Formatter(_TEXT))
    logging.basicConfig(handlers=[handler])
