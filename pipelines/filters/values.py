"""Values of declared fields: which are taken, and the form in which every engine reads them alike."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from typing import Any

from pipelines.profile.sections.documents import MetadataField
from pipelines.types import Metadata

Fields = Mapping[str, MetadataField]

_AS_GIVEN = "as_given"
_EXACT = 2**53
"""Qdrant compares numbers as floats of 64 bits, which hold every whole number below this."""
_SIGNED = 2**63
"""Over gRPC whole numbers are below this."""
_DIGITS = 15
"""Significant digits to which floats are compared: of more, Qdrant may change the last bit when it reads its files."""
PLAIN_MOMENT = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d{1,6})?(Z|[+-]\d\d:\d\d)?)?", re.ASCII)
"""What Qdrant reads as Python does; of ISO 8601's other forms it reads some, and passes over the rest in silence."""


def typed_value(value: Any, field: MetadataField) -> Any:
    """``value`` as one value of ``field``, to compare with: of a list its element, of a date the moment in UTC.

    Raises:
        ValueError: It is of another type, or not among the field's allowed values.
    """
    typed, wanted = _TYPES[field.type]
    found = typed(value)
    if found is None:
        raise ValueError(f"must be {wanted}, not {shown(value)}")
    if field.values is not None and found not in field.values:
        raise ValueError(f"{shown(value)} is not one of {', '.join(field.values)}")
    return found.casefold() if field.ignore_case else found


def indexed_metadata(metadata: Metadata, fields: Fields) -> dict[str, Any]:
    """``metadata`` with declared dates, floats and caseless keywords spelled as every engine's index compares them."""
    return {name: _indexed(value, fields.get(name)) for name, value in metadata.items()}


def stored_metadata(metadata: Metadata, fields: Fields) -> dict[str, Any]:
    """Return what a chunk's payload says of its document's metadata: as it is indexed and, where that differs, as
    given.
    """
    indexed = indexed_metadata(metadata, fields)
    changed = {name: value for name, value in metadata.items() if value is not indexed[name] or not _lasting(value)}
    return {"metadata": indexed, _AS_GIVEN: json.dumps(changed)} if changed else {"metadata": indexed}


def given_metadata(payload: Mapping[str, Any]) -> Metadata:
    """Return the document's metadata as it was given, from the payload of one of its chunks."""
    metadata: Metadata = payload["metadata"]
    return {**metadata, **json.loads(payload[_AS_GIVEN])} if _AS_GIVEN in payload else metadata


def shown(value: Any) -> str:
    """``value`` as a message quotes it: in JSON, as requests and profiles write it."""
    return json.dumps(value, ensure_ascii=False, default=str)


def _indexed(value: Any, field: MetadataField | None) -> Any:
    if field is None:
        return _signed(value)
    if field.ignore_case:
        return _folded(value)
    if field.type == "datetime" and isinstance(value, str) and not PLAIN_MOMENT.fullmatch(value):
        moment = _moment(value)
        return value if moment is None else moment.isoformat()
    if field.type == "float" and not isinstance(value, bool) and isinstance(value, int | float):
        return value if _lasting(value) and abs(value) < _EXACT else _number(value)
    return value


def _signed(value: Any) -> Any:
    """``value`` with whole numbers that gRPC cannot carry as floats; the same object where it has none."""
    if isinstance(value, list):
        return [_signed(one) for one in value] if any(_signed(one) is not one for one in value) else value
    if isinstance(value, dict):
        found = {key: _signed(one) for key, one in value.items()}
        return found if any(found[key] is not one for key, one in value.items()) else value
    return float(value) if isinstance(value, int) and value >= _SIGNED else value


def _folded(value: Any) -> Any:
    """``value`` without letter case; the same object where it has none."""
    if isinstance(value, list | tuple):
        return [_folded(one) for one in value] if any(_folded(one) is not one for one in value) else value
    return folded if isinstance(value, str) and (folded := value.casefold()) != value else value


def _lasting(value: Any) -> bool:
    """Return whether Qdrant gives ``value`` back to the last bit."""
    if isinstance(value, float):
        return value == 0 or (1e-7 <= abs(value) < _EXACT and _rounded(value) == value)
    if isinstance(value, list | dict):
        return all(map(_lasting, value.values() if isinstance(value, dict) else value))
    return True


def _rounded(number: float) -> float:
    return float(f"{number:.{_DIGITS}g}")


def _text(value: Any) -> str | None:
    if not isinstance(value, str):
        return None
    if not value.isascii() and any(0xD800 <= ord(character) <= 0xDFFF for character in value):
        raise ValueError("holds half a character (a lone surrogate); send valid Unicode")
    return value


def _integer(value: Any) -> int | None:
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    if abs(value) >= _EXACT:
        raise ValueError("is beyond 2^53, where numbers lose precision; declare the field a keyword")
    return value


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = _rounded(float(value))
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def _boolean(value: Any) -> bool | None:
    return value if isinstance(value, bool) else None


def _moment(value: Any) -> datetime | None:
    """Return a moment in UTC, exact to the microsecond; without a zone it is UTC, and a day is its first moment."""
    if not isinstance(value, str | date):
        return None
    try:
        moment = value if isinstance(value, datetime) else datetime.fromisoformat(str(value))
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError):  # at the ends of the calendar a zone may lead beyond it
        return None


_TYPES: dict[str, tuple[Callable[[Any], Any], str]] = {
    "keyword": (_text, "text"),
    "keywords": (_text, "text"),
    "integer": (_integer, "a whole number"),
    "float": (_number, "a number"),
    "boolean": (_boolean, "true or false"),
    "datetime": (_moment, "a date such as 2024-05-01 or 2024-05-01T12:00:00Z"),
}
