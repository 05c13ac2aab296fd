"""Whether something that a question names is nowhere in what was found."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import PurePosixPath

from pipelines.query.conversation.subjects import names_side
from pipelines.query.extracts.language.defaults import default_thing
from pipelines.query.extracts.language.held import with_held
from pipelines.query.extracts.language.origins import lacks_origin
from pipelines.query.extracts.language.stated_versions import lacks_stated_version
from pipelines.query.extracts.language.things import claimed, counted, subjects
from pipelines.query.identifiers import lacks_identifier
from pipelines.query.lexicon import NO_LEXICON, Lexicon
from pipelines.query.makers import asks_who_made, names_maker
from pipelines.query.question_types import names_new, question_kind
from pipelines.query.verdicts.names import initialled, joins, names
from pipelines.types import KEPT_NOWHERE, Hit

_WORD = re.compile(r"[^\W\d_]+")
_FIGURE = re.compile(r"\d(?:[\d.,]*\d)?")
_SCHEME = re.compile(r"\b[a-z]+://")
"""The beginning of an address, which names nothing: "https://" does not speak of HTTPS."""
_COMPOUND = re.compile(r"(?<![^\W\d_])[^\W\d_]++(?:[\u2010\u2011-][^\W\d_]++)+")
_SHORT = 4
_ENDING = 2
_LONG = 9
"""Letters of a word that has about the same sense with an ending: "subcontract" of "subcontractors", not "contract"."""
_ENDINGS = frozenset((
    "or", "ors", "er", "ers", "ing", "ings", "ed", "ion", "ions", "ation", "ations", "ment", "ments",
))  # fmt: skip
_LONGEST_ENDING = 6
_LONGEST = 40
"""Letters of what may be two words written as one."""
_DATES = (
    "january february march april may june july august september october november december "
    "monday tuesday wednesday thursday friday saturday sunday"
)
_SAME_WORDS = (
    "advert advertisement, bike bicycle, car vehicle automobile, exam examination, fine penalty, floor storey, flu "
    "influenza, fridge refrigerator, gym gymnasium, holiday vacation, lab laboratory, lift elevator, phone telephone, "
    "photo photograph picture, plane aeroplane airplane, rhino rhinoceros, telly television, tv television, uni "
    "university, wifi wlan"
)
_FORMS = {word: row.split() for row in _SAME_WORDS.split(", ") for word in row.split()}
"""Words that mean the same, most of them long and short forms, by each of them."""
_WRITTEN_DIFFERENTLY = frozenset(_DATES.split())
"""Months and days are written as numbers and cut short too."""


def names_absent(question: str, hits: Sequence[Hit], lexicon: Lexicon = NO_LEXICON) -> bool:
    """Return whether the hits lack something that the question names, or the question names no subject.

    That may be a name, an identifier, a figure, the subject, what the default is asked of or what a yes-or-no question
    wants confirmed; for a question about a maker, a price or a date, also one of these.

    Their titles, headings and file names count as well, and so does what ``lexicon`` says that names stand for. The
    sparse leg finds a name wherever it stands, so the documents most likely do not speak of one that is absent. Where a
    tool answered, none is.
    """
    if is_of_tool(hits):
        return False
    found = "\n".join(part for hit in hits for part in (hit.title, *hit.headings, _file_name(hit), hit.content))
    text = lexicon.with_names_of(question, found)
    kind = question_kind(question)
    return (
        _lacks_word(question, text)
        or _lacks_figure(question, text)
        or lacks_identifier(question, text)
        or lacks_stated_version(question, text)
        or names_side(question)
        or all(lacks_origin(question, hit.content) for hit in hits)
        or (asks_who_made(question) and not any(names_maker(question, told) for told in (text, *_under_headings(hits))))
        or (kind in ("money", "date") and not names_new(kind, text, question))
    )


def _under_headings(hits: Iterable[Hit]) -> Iterator[str]:
    """Yield what stands below "Authors", as one sentence with it."""
    return (f"{hit.headings[-1]}: {hit.content}" for hit in hits if hit.headings)


def is_of_tool(hits: Iterable[Hit]) -> bool:
    """Return whether a tool gave one of the hits; its result is about what it was asked for, and need not repeat it."""
    return any(hit.version == KEPT_NOWHERE for hit in hits)


def _lacks_word(question: str, text: str) -> bool:
    """Return whether a name of a question, its subject, or what it wants confirmed is not in a text."""
    known = initialled(question, text)
    parts = (part for name in _names(question) if name not in known for part in _WORD.findall(name.lower()))
    named = (*subjects(question), claimed(question), counted(question), default_thing(question))
    wanted = [*parts, *filter(None, named)]
    words = words_of(_SCHEME.sub(" ", text)) if wanted else frozenset()
    return any(not is_among(word, words) for word in wanted)


def _lacks_figure(question: str, text: str) -> bool:
    """Return whether a figure of a question is not in a text, and no range there holds it."""
    asked = frozenset(map(_plain, _FIGURE.findall(question)))
    if not asked or asked <= _figures(text):
        return False
    return not asked <= _figures(with_held(question, text))


def _figures(text: str) -> frozenset[str]:
    return frozenset(map(_plain, _FIGURE.findall(text)))


def _names(question: str) -> tuple[str, ...]:
    """Return the names in a question; none where all of its words have capitals, for these then tell nothing."""
    _, *words = _WORD.findall(question) or [""]
    is_plain = any(word.islower() and not joins(word) for word in words)
    return names(question) if is_plain else ()


def _file_name(hit: Hit) -> str:
    return PurePosixPath(hit.source).name


def _plain(figure: str) -> str:
    return figure.replace(",", "")


def words_of(text: str) -> frozenset[str]:
    """Return the words of a text in lower case, for `is_among`.

    Beside each word, there is each pair of neighbours joined by a hyphen, and each compound without its hyphens.
    """
    words = [word.lower() for word in _WORD.findall(text)]
    compounds = (_WORD.findall(compound.lower()) for compound in _COMPOUND.findall(text))
    return frozenset((*words, *map("-".join, pairwise(words)), *map("".join, compounds)))


def is_among(name: str, words: frozenset[str]) -> bool:
    """Return whether a word, or a form of it with another ending or length, is among others; all in lower case.

    It may be written as two: "web site" for "website"; of a name with a hyphen, all parts are, or it is one word.
    """
    plain = name.replace("-", "")
    written = {plain, *_FORMS.get(plain, ()), *_FORMS.get(plain.removesuffix("s"), ())}
    parts = [part for part in name.split("-") if part]
    return any(_is_one_of(word, words) for word in written) or (
        len(parts) > 1 and all(_is_one_of(part, words) for part in parts)
    )


def _is_one_of(word: str, words: frozenset[str]) -> bool:
    if word in words or word in _WRITTEN_DIFFERENTLY or len(word) == 1:
        return True
    if len(word) <= _SHORT:
        return f"{word}s" in words or word.removesuffix("s") in words
    stem = word[: max(_SHORT, len(word) - _ENDING)]
    return any(other.startswith(stem) for other in words) or _ends_otherwise(word, words) or _is_parted(word, words)


def _ends_otherwise(name: str, words: frozenset[str]) -> bool:
    places = range(max(_LONG, len(name) - _LONGEST_ENDING), len(name))
    return any(name[place:] in _ENDINGS and name[:place] in words for place in places)


def _is_parted(name: str, words: frozenset[str]) -> bool:
    """Return whether a word stands among others as two, in the plural or singular."""
    forms = (name, name.removesuffix("s"), f"{name}s") if len(name) <= _LONGEST else ()
    return any(f"{form[:place]}-{form[place:]}" in words for form in forms for place in range(2, len(form) - 1))
