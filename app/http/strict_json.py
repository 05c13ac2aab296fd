"""JSON as RFC 8259 means it, where Python's reader is more lenient than stores, logs and other readers bear."""

from __future__ import annotations

import json
import math
from collections import Counter
from typing import Any, NoReturn

from pipelines.errors import InvalidRequest, Problem

MOST_LEVELS = 64
_LARGEST = 2**63 - 1
_TOO_DEEP = f"nested deeper than {MOST_LEVELS} levels"
_TOO_LARGE = "is a number beyond 64 bits"


class InvalidJson(InvalidRequest):
    """A text is not JSON, or holds what no part behind it could keep."""

    code = "json_invalid"


def parse_json(raw: bytes | str, path: str = "") -> Any:
    """The value that ``raw`` (UTF-8) spells; ``path`` is where it stands, for what is wrong with it.

    Raises:
        InvalidJson: Not JSON, a key written twice, NaN or an infinity, a number beyond 64 bits, more than 64 levels,
            or a string with a NUL character or half a surrogate pair.
    """
    steps = (path,) if path else ()
    try:
        text = raw.decode("utf-8-sig") if isinstance(raw, bytes) else raw
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_number)
    except UnicodeDecodeError:
        raise _invalid(steps, "not UTF-8 text") from None
    except json.JSONDecodeError as error:
        raise _invalid(steps, f"not JSON: {error.msg} (line {error.lineno}, column {error.colno})") from None
    except RecursionError:
        raise _invalid(steps, _TOO_DEEP) from None
    except ValueError as error:  # from the hooks below; also Python reads no integers of thousands of digits
        raise _invalid(steps, str(error) if isinstance(error, _HookError) else _TOO_LARGE) from None
    _refuse_flaws(value, steps)
    return value


class _HookError(ValueError):
    """What a hook of Python's reader refuses; the reader does not say where it stands."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        counts = Counter(key for key, _ in pairs)  # in one pass: there may be a hundred thousand
        twice = next(key for key, count in counts.items() if count > 1)
        raise _HookError(f'the key "{_shown(twice)}" is written twice')
    return found


def _no_number(token: str) -> NoReturn:
    raise _HookError(f"{token} is not a number in JSON")


def _refuse_flaws(value: Any, steps: tuple[str, ...]) -> None:
    """Looks through the whole value, without recursion: it may be deep."""
    waiting: list[tuple[Any, tuple[str, ...]]] = [(value, steps)]
    while waiting:
        item, path = waiting.pop()
        if message := _flaw(item):
            raise _invalid(path, message)
        if isinstance(item, dict | list) and len(path) - len(steps) >= MOST_LEVELS:
            raise _invalid(steps, _TOO_DEEP)
        if isinstance(item, dict):
            waiting += [(key, (*path, _shown(key))) for key in item]
            waiting += [(inner, (*path, _shown(key))) for key, inner in item.items()]
        elif isinstance(item, list):
            waiting += [(inner, (*path, str(index))) for index, inner in enumerate(item)]


def _invalid(steps: tuple[str, ...], message: str) -> InvalidJson:
    return InvalidJson(Problem(" -> ".join(steps), message))


def _flaw(item: Any) -> str | None:
    if isinstance(item, str):
        return text_flaw(item)
    if isinstance(item, float) and not math.isfinite(item):
        return "is too large a number"
    if isinstance(item, int) and abs(item) > _LARGEST:
        return _TOO_LARGE
    return None


def text_flaw(text: str) -> str | None:
    """What keeps ``text`` from being stored, in words; None where nothing does."""
    if "\x00" in text:
        return "holds a NUL character"
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        return f"holds half a surrogate pair at character {error.start}"
    return None


def _shown(key: str) -> str:
    return key.encode("utf-8", "backslashreplace").decode("utf-8")
