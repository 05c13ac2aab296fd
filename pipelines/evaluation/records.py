"""Reads JSON Lines files strictly; errors name file and line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Protocol, TypeVar

from pydantic import AfterValidator, Field, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from pipelines.errors import InvalidRequest, Problem, nearest

Given = Annotated[str, Field(min_length=1)]
"""A text that must not be empty."""


def _can_be_asked(text: str) -> str:
    if not text.strip() or "\0" in text:
        raise ValueError("is blank" if not text.strip() else "holds a NUL character")
    return text


Asked = Annotated[Given, AfterValidator(_can_be_asked)]
"""A question that the engine takes."""


_MESSAGES = {
    "string_type": 'must be text in quotes, such as "5"; numbers and dates too',
    "string_too_short": "is empty",
    "tuple_type": 'must be a list, such as ["five days"]',
    "model_type": "must be one JSON object in one line",
    "dataclass_type": "must be one JSON object in one line",
}
"""Our messages, by the type of pydantic's error. Other errors keep pydantic's message."""


class _Identified(Protocol):
    @property
    def id(self) -> str: ...


Record = TypeVar("Record", bound=_Identified)


def read_records(path: Path, kind: type[Record]) -> dict[int, Record]:
    """Return the records of a file by the number of their line; see `each_record`."""
    return dict(each_record(path, kind))


def each_record(path: Path, kind: type[Record]) -> Iterator[tuple[int, Record]]:
    """Yield the records of a file with the number of their line; blank lines count and hold none.

    Raises:
        InvalidRequest: The file is missing or not UTF-8, a line cannot be used, or two have one id.
    """
    adapter: TypeAdapter[Record] = TypeAdapter(kind)
    first_seen: dict[str, int] = {}
    for number, line in read_lines(path):
        place = f"{path.name}:{number}"
        try:
            record = adapter.validate_json(line, strict=True)
        except ValidationError as error:
            raise InvalidRequest(*(_problem(place, detail) for detail in error.errors())) from None
        if record.id in first_seen:
            raise unusable(place, f'the id "{record.id}" is taken by line {first_seen[record.id]}')
        first_seen[record.id] = number
        yield number, record


def read_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not blank, with their numbers; U+2028 and its like may stand inside JSON and end no
    line.

    Raises:
        InvalidRequest: The file is missing, or not UTF-8.
    """
    start = 0
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                text = line.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
                start += len(line)
                if text.strip():
                    yield number, text
    except FileNotFoundError:
        raise unusable(path.name, "there is no such file in the data set") from None
    except OSError as error:
        raise unusable(path.name, f"cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise unusable(path.name, f"not UTF-8 text: byte {start + error.start} cannot be read") from None


def unusable(place: str, message: str) -> InvalidRequest:
    """Return the error for one thing that is wrong with a data set."""
    return InvalidRequest(Problem(place, message))


def _problem(place: str, detail: ErrorDetails) -> Problem:
    key = " -> ".join(map(str, detail["loc"]))
    if detail["type"] == "missing":
        return Problem(place, f'"{key}" is missing', nearest(key, detail["input"]))
    message = _MESSAGES.get(detail["type"]) or detail["msg"].removeprefix("Value error, ")
    message = message.replace(" at line 1 column ", " at column ")  # the line's own number is in the place
    return Problem(place, f'"{key}": {message}' if key else message)
