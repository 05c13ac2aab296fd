"""Splits a question of several parts by its words: sentences, clauses, and things that stand side by side.

Rules for English; a question in another language stays whole unless it has several question marks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import islice

Complete = Callable[[str, Sequence[str]], str]
"""Gives a question what it leaves out of the questions before it."""
IsName = Callable[[str], bool]
"""Whether a phrase is the name of a thing."""

_MOST_NAME = 4  # words
_FEW = 3
_MOST_SUBJECT = 6
_SENTENCE_END = re.compile(r"(?<=[?\uff1f])\s+")
_ASKING = r"what|which|who|whom|whose|when|where|why|how|is|are|was|were|do|does|did|can|could|should|has|have|may|must"
_CLAUSES = re.compile(
    rf"\s*[,;]?\s+(?:and|or|but)\s+(?:also\s+)?(?=(?:{_ASKING})\b)|\s*;\s+(?=(?:{_ASKING})\b)", re.IGNORECASE
)
# Groups are atomic: where the first "compare" and the first "and" behind it do not match, no later ones do.
_DIFFERENCE = re.compile(
    r"(?>.*?\b(?:differences?\s+between|compare|comparison\s+(?:of|between))\s+)"
    r"(?>(?P<one>\S.*?)\s+(?:and|with|to|versus|vs\.?)\s+)(?P<other>\S.*?)"
    r"(?:\s+(?:in|for|on|by|regarding|with\s+regard\s+to|in\s+terms\s+of)\s+(?P<side>.+))?$",
    re.IGNORECASE,
)
_DIFFER = re.compile(
    r"how\s+(?:do|does|did)\s+(?>(?P<one>\S.*?)\s+(?:and|or)\s+)(?P<other>\S.*?)\s+(?:differ|compare)"
    r"(?:\s+(?:in|on|for|by|with\s+regard\s+to|in\s+terms\s+of)\s+(?P<side>.+))?$",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    r"\s+(?:and|or|versus|vs\.?|than)\s+(?:(?:of|in|for|by|with|to|from)\s+)?(?:the\s+)?", re.IGNORECASE
)
_THAN = re.compile(r"\s+than\s+(?:the\s+)?", re.IGNORECASE)
_PLURAL = re.compile(r"(?<![isu])(?<!ete)s$")
_WORD = re.compile(r"\S+")
_PROPER = re.compile(r"(?>[A-Z][\w-]*|\w*\d[\w-]*)(?:\s+(?>[A-Z][\w-]*|\w*\d[\w-]*))*$")


def split(question: str, complete: Complete, is_name: IsName) -> list[str]:
    """Return the sub-questions of a question, in its order; empty if it has one part.

    Args:
        question: What is asked.
        complete: Completes a part that leans on those before it.
        is_name: Recognises names that may stand side by side: "A and B".
    """
    parts: list[str] = []
    for sentence in _sentences(" ".join(question.split())):
        for clause in _CLAUSES.split(sentence):
            parts += [complete(part, parts) for part in _things(_as_question(clause), is_name)]
    several = list(dict.fromkeys(parts))
    return several if len(several) > 1 else []


def _sentences(question: str) -> list[str]:
    """Return the sentences of a question; the subject behind a completed follow-up stands in each of them."""
    sentences = list(filter(None, _SENTENCE_END.split(question.strip())))
    last = sentences[-1] if len(sentences) > 1 else ""
    if not last or last[-1] in "?\uff1f.!" or len(last.split()) > _MOST_SUBJECT:
        return sentences
    return [insert_subject(asked, f"{asked} {last}") for asked in sentences[:-1]]


def _things(question: str, is_name: IsName) -> list[str]:
    """Return a question for each of the things that it asks about; itself if that is one."""
    plain = question.rstrip("?.! ")
    compared = _DIFFER.match(plain) or _DIFFERENCE.match(plain)
    if compared is not None:
        things = _both(_bare(compared["one"]), _bare(compared["other"]))
        return [_about(thing, compared["side"]) for thing in things]
    for between in _BETWEEN.finditer(plain):
        one, other = _name_before(plain, between.start(), is_name), _name_after(plain, between.end(), is_name)
        if one and other:
            start, end = between.start() - len(one), between.end() + len(other)
            return [f"{plain[:start]}{name}{plain[end:]}?" for name in (one, other)]
    return _compared(plain, is_name) or [question]


def _compared(plain: str, is_name: IsName) -> list[str]:
    """Return a question for each side of "Does A cause more nausea than B?"; empty if that is not asked."""
    than = _THAN.search(plain)
    other = "" if than is None else _name_after(plain, than.end(), is_name)
    if than is None or not other:
        return []
    before = re.sub(r"\b(?:more|less|fewer)\s+", "", plain[: than.start()])
    starts = [match.start() for match in _WORD.finditer(before)][1:]
    one = next((name for start in starts if (name := _name_after(before, start, is_name))), "")
    return [f"{before}?", f"{before.replace(one, other, 1)}?"] if one else []


def _both(one: str, other: str) -> tuple[str, str]:
    """Return two things in full: "type 1" and "type 2 diabetes" are both diabetes."""
    words, others = one.split(), other.split()
    if words[0] == others[0] and len(words) < len(others):
        return " ".join([one, *others[len(words) :]]), other
    return one, other


def _about(thing: str, side: str | None) -> str:
    """Return the question about a thing, or about a side of it."""
    if side:
        return f"{side[:1].upper()}{side[1:]} of {thing}?"
    return f"What {'are' if _PLURAL.search(thing) else 'is'} {thing}?"


def _name_before(text: str, end: int, is_name: IsName) -> str:
    """Return the longest name that ends at ``end``; "" if none does."""
    words = text[:end].rsplit(maxsplit=_MOST_NAME)[-_MOST_NAME:]
    phrases = (" ".join(words[place:]) for place in range(len(words)))
    return next((phrase for phrase in phrases if _is_thing(phrase, end - len(phrase), is_name)), "")


def _name_after(text: str, start: int, is_name: IsName) -> str:
    """Return the longest name that begins at ``start``; "" if none does."""
    ends = [match.end() for match in islice(_WORD.finditer(text, start), _MOST_NAME)]
    return next((text[start:end] for end in reversed(ends) if _is_thing(text[start:end], start, is_name)), "")


def _is_thing(phrase: str, start: int, is_name: IsName) -> bool:
    """Return whether a phrase names a thing: a known name, or one that is written with capitals or digits."""
    return is_name(phrase) or (start > 0 and _PROPER.match(phrase) is not None)


def _bare(phrase: str) -> str:
    return re.sub(r"^(?:the|a|an)\s+", "", phrase.strip(), flags=re.IGNORECASE)


def _as_question(clause: str) -> str:
    plain = clause.strip().rstrip("?.!,;\uff1f ")
    return f"{plain[:1].upper()}{plain[1:]}?"


def leans(question: str) -> bool:
    """Return whether a part of a question needs those before it: it has a pronoun, or hardly a word of its own."""
    return len(question.split()) <= _FEW or any(pattern.search(question) for pattern, _ in _PRONOUNS)


def insert_subject(question: str, completed: str) -> str:
    """Return a completed follow-up as one sentence: its subject stands in the place of the first pronoun.

    ``completed`` is the question with its subject behind it, or the question itself.
    """
    subject = completed.removeprefix(question).strip()
    if not subject or subject == completed:
        return completed
    for pattern, form in _PRONOUNS:
        put_in, count = pattern.subn(lambda _, form=form: form.format(subject), question, count=1)  # type: ignore[misc]
        if count:
            return put_in
    return f"{question.rstrip('? ')} ({subject})?"


_PRONOUNS = tuple(
    (re.compile(pattern, re.IGNORECASE), form)
    for pattern, form in (
        (r"\b(?:its|their|his|her)\b(?=\s+\w)", "{}'s"),
        (r"\b(?:it|they|them|he|she|him)\b", "{}"),
    )
)
