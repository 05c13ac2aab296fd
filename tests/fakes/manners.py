"""How the stand-in for a language model behaves, told by the model's name: ``slow-2s``, ``broken-after-5``, ``echo``.

Several manners are joined by ``+`` (``slow-100ms+cite-99``); whatever follows a colon is a tag and means nothing.

======================  ===============================================================================
``slow``, ``slow-2s``   nothing for so long before the first token; without a time for ever
``drip-50ms``           so long before every token
``stall-after-5``       five tokens, then nothing any more
``broken``, ``-after``  the connection breaks, at once or after so many tokens
``cut-after-5``         the answer ends in order after five tokens, without its last line
``torn-after-5``        the same, in the middle of a line
``error-after-5``       five tokens, then a line that holds an error, as when a model's process dies
``noise-after-5``       five tokens, then what is not JSON
``rubbish``, ``page``   an answer that is not JSON at all; a web page with status 200
``odd``                 an answer in JSON that has nothing to do with the question
``busy``, ``busy-2``    status 503, always or so many times
``crash``               status 500
``bad``                 status 400
``forbidden``           status 401 with a text that quotes the key
``missing``             status 404: nobody pulled the model
``echo``                says what the last message says
``empty``               says nothing
``loop``                says one sentence over and over, until its budget is used up
``endless``             the same, and heeds no budget
``cite-99``             says something and cites [99]
``think``               thinks aloud before it answers
======================  ===============================================================================
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import repeat
from math import inf

_SENTENCE = "The documents say that this is so [1]."
_MANNER = re.compile(r"(?P<name>[a-z]+)(-after-(?P<after>\d+))?(-(?P<number>\d+)(?P<unit>ms|s)?)?")
_STATUSES = {"busy": 503, "crash": 500, "bad": 400, "forbidden": 401, "missing": 404}
_ENDS = ("broken", "cut", "torn", "error", "noise", "stall")
_WHOLE = {"rubbish": "rubbish", "page": "<html>Welcome</html>", "odd": '{"odd": 1}\n'}
_SAID = ("echo", "empty", "loop", "endless", "cite")


@dataclass(frozen=True)
class Manners:
    """How an answer is given."""

    first_s: float = 0.0
    token_s: float = 0.0
    after: int = 0
    end: str | None = None  # one of _ENDS, after so many tokens
    status: int = 200
    times: float = inf  # how often the status is given
    whole: str | None = None
    says: str | None = None
    number: int = 99
    thinks: bool = False


def manners_of(name: str) -> Manners:
    """The manners that a model's name tells; words that tell none mean nothing."""
    found: dict[str, object] = {}
    for word in name.partition(":")[0].split("+"):
        matched = _MANNER.fullmatch(word)
        if matched:
            found |= _told(matched)
    return Manners(**found)  # type: ignore[arg-type]


def _told(matched: re.Match[str]) -> dict[str, object]:
    name, number = matched["name"], matched["number"]
    if name in ("slow", "drip"):
        seconds = inf if number is None else float(number) / (1000 if matched["unit"] == "ms" else 1)
        return {"first_s" if name == "slow" else "token_s": seconds}
    if name in _ENDS:
        return {"end": name, "after": int(matched["after"] or 0)}
    if name in _STATUSES:
        return {"status": _STATUSES[name], "times": inf if number is None else float(number)}
    if name in _WHOLE:
        return {"whole": _WHOLE[name]}
    if name in _SAID:
        return {"says": name} | ({"number": int(number)} if number else {})
    return {"thinks": True} if name == "think" else {}


def tokens_of(text: str) -> list[str]:
    """A text in tokens: words, each with the white space before it; joined they are the text again."""
    return re.findall(r"\s*\S+|\s+$", text)


def said(manners: Manners, last: str) -> Iterator[str]:
    """The tokens of what a model says of itself, where no script says it."""
    if manners.says in ("loop", "endless"):
        for _ in repeat(None):
            yield from (" ", *tokens_of(_SENTENCE))
    elif manners.says == "echo":
        yield from tokens_of(last)
    elif manners.says == "cite":
        yield from tokens_of(f"This is said elsewhere [{manners.number}].")
    elif manners.says != "empty":
        yield from tokens_of(_SENTENCE)
