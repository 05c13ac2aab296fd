"""JSON as RFC 8259 means it, where Python's reader is more lenient than stores, logs and other readers bear."""

from __future__ import annotations

import json
import math
from collections import Counter
from typing import Any, NoReturn

from pipelines.errors import InvalidRequest, Problem

MOST_LEVELS = 64
MOST_NODES = 100_000
"""Values and keys of one body; reading more would keep other callers waiting."""
MOST_KEYS = 1_000
"""Keys of one object."""
_LARGEST = 2**63 - 1
_TOO_DEEP = f"nested deeper than {MOST_LEVELS} levels"
_TOO_LARGE = "is a number beyond 64 bits"


class InvalidJson(InvalidRequest):
    """A text is not JSON, or holds what no part behind it could keep."""

    code = "json_invalid"


def parse_json(raw: bytes | str, path: str = "") -> Any:
    """Return the value that ``raw`` (UTF-8) spells; ``path`` is where it stands, for what is wrong with it.

    Raises:
        InvalidJson: Not JSON, a key written twice, NaN or an infinity, a number beyond 64 bits, more than 64 levels,
            too many values or keys, or a string with a NUL character or half a surrogate pair.
    """
    steps = (path,) if path else ()
    try:
        text = raw.decode("utf-8-sig") if isinstance(raw, bytes) else raw
        if len(text) > MOST_NODES:  # a shorter one cannot hold so many
            _refuse_too_many(text)
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


def _refuse_too_many(text: str) -> None:
    """Count values and keys by the punctuation outside strings, before any of them is built."""
    nodes, begin = 1, 0
    while True:
        quote = text.find('"', begin)
        end = len(text) if quote < 0 else quote
        nodes += sum(text.count(mark, begin, end) for mark in ",:[{")
        if nodes > MOST_NODES:
            raise _HookError(f"holds more than {MOST_NODES:,} values and keys")
        if quote < 0:
            return
        begin = _after_string(text, quote + 1)


def _after_string(text: str, begin: int) -> int:
    """Return where the string that begins at ``begin`` has ended; the end of the text where it is not closed."""
    while (quote := text.find('"', begin)) >= 0:
        before = text[begin:quote]
        begin = quote + 1
        if (len(before) - len(before.rstrip("\\"))) % 2 == 0:
            return begin
    return len(text)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(pairs) > MOST_KEYS:
        raise _HookError(f"an object holds more than {MOST_KEYS:,} keys")
    found = dict(pairs)
    if len(found) < len(pairs):
        counts = Counter(key for key, _ in pairs)  # in one pass: there may be a hundred thousand
        twice = next(key for key, count in counts.items() if count > 1)
        raise _HookError(f'the key "{_shown(twice)}" is written twice')
    return found


def _no_number(token: str) -> NoReturn:
    raise _HookError(f"{token} is not a number in JSON")


def _refuse_flaws(value: Any, steps: tuple[str, ...]) -> None:
    """Look through the whole value, without recursion: it may be deep."""
    if message := _flaw(value):
        raise _invalid(steps, message)
    waiting: list[tuple[Any, tuple[str, ...]]] = [(value, steps)]
    while waiting:
        item, path = waiting.pop()
        if not isinstance(item, dict | list):
            continue
        if len(path) - len(steps) >= MOST_LEVELS:
            raise _invalid(steps, _TOO_DEEP)
        for step, inner in item.items() if isinstance(item, dict) else enumerate(item):
            if message := _flaw(step) or _flaw(inner):
                raise _invalid((*path, _shown(str(step))), message)
            if isinstance(inner, dict | list):
                waiting.append((inner, (*path, _shown(str(step)))))


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
    """Return what keeps ``text`` from being stored, in words; None where nothing does."""
    if "\x00" in text:
        return "holds a NUL character"
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        return f"holds half a surrogate pair at character {error.start}"
    return None


def _shown(key: str) -> str:
    return key.encode("utf-8", "backslashreplace").decode("utf-8")
