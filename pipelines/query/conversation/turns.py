"""Turns to another thing of the same kind: "And a pug?" behind "How much exercise does a beagle need?".

Only what surely is of that kind is exchanged: a name for a name, "a pug" for "a beagle".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from pipelines.query.conversation.followup import Rarity, points_back
from pipelines.query.conversation.subjects import Named, named

IsName = Callable[[str], bool]
"""Whether a phrase is a name of its own, however it is written."""

_TURN = re.compile(
    r"\s*(?:(?:and|or|but|so)\s+(?:(?:what|how)\s+about\s+)?|(?:what|how)\s+about\s+)"
    r"(?P<thing>(?P<article>an?\s+)?(?:the\s+)?(?P<name>[^\W\d_][\w-]*(?:\s+[^\W\d_][\w-]*){0,2}))\s*\??\s*",
    re.IGNORECASE,
)


def transferred(question: str, earlier: Sequence[str], rarity: Rarity, is_name: IsName) -> str | None:
    """Return the last question before a turn to another thing as it is asked of that; None where it is no such turn.

    A question that points at its subject, "How old is it?", gets the name behind it.
    """
    turn = _TURN.fullmatch(question)
    asked = [one for one in earlier if _TURN.fullmatch(one) is None or points_back(one)]
    if turn is None or not asked:
        return None
    if turn["article"] is None and not _named(turn["name"], is_name):
        return None
    if points_back(asked[-1]):
        return f"{asked[-1]} {turn['name']}"
    return _exchanged(asked[-1], turn, rarity, is_name)


def _exchanged(asked: str, turn: re.Match[str], rarity: Rarity, is_name: IsName) -> str | None:
    """Return a question with the thing that a turn is to in the place of its own; None where it has none like it."""
    found = [(one, place) for one in named(asked) if (place := _place(one, asked, turn, is_name)) is not None]
    if not found:
        return None
    _, place = max(found, key=lambda each: rarity(each[0].word) * each[0].counts)
    return f"{asked[: place.start()]}{turn['thing']}{asked[place.end() :]}"


def _place(one: Named, asked: str, turn: re.Match[str], is_name: IsName) -> re.Match[str] | None:
    """Return where a question has a thing that it is about; None where that is not of the kind of the other one."""
    phrase = r"\s+".join(map(re.escape, one.phrase))
    if turn["article"] is not None:
        return re.search(rf"\ban?\s+{phrase}\b", asked, re.IGNORECASE)
    is_first = asked.lstrip().startswith(one.word)
    is_like = _named(" ".join(one.phrase), is_name) and (not is_first or is_name(one.word))
    return re.search(rf"\b(?:the\s+)?{phrase}\b", asked, re.IGNORECASE) if is_like else None


def _named(phrase: str, is_name: IsName) -> bool:
    return all(word[0].isupper() for word in phrase.split()) or is_name(phrase)
