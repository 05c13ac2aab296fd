"""Questions about a thing that another question has to find: "the side effects of the drug that was tested in X"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pipelines.components.sentences import sentence_spans
from pipelines.query.verdicts.names import names

_NOUN = r"(?P<noun>[a-z][\w-]*(?:\s[a-z][\w-]*){0,2}?)"
_PARTICIPLE = r"\w+ed|known|sold|given|taken|shown|made|found|held|kept|built|written|used|born|run|led"
_RELATIVE = re.compile(rf"\bthe\s+{_NOUN}\s+(?:that|which|who)\s+(?P<clause>\S.+)$", re.IGNORECASE)
_REDUCED = re.compile(
    rf"\bthe\s+{_NOUN}\s+(?P<clause>(?:{_PARTICIPLE})\s+(?:in|by|as|for|with|under|at|from|on|to)\s+\S.+)$",
    re.IGNORECASE,
)
_AUXILIARY = re.compile(r"\b(?:do|does|did|can|could|should|may|must|will|would)\s+$", re.IGNORECASE)
_LAST_VERB = re.compile(
    r"\s+(?P<verb>have|cause|need|require|treat|lower|raise|reduce|affect|cost|weigh|last|live|take|work|do|contain|"
    r"help|use|run|return|support|mean|happen|cover|pay|say)$",
    re.IGNORECASE,
)
_BEING = re.compile(r"\b(?:is|are|was|were)\s+$", re.IGNORECASE)
_WORD = re.compile(r"\w+(?:-\w+)*")
_NAME = re.compile(r"[A-Z][\w-]*(?:\s+[A-Z][\w-]*)*")
_SMALL = frozenset(
    [
        "which",
        "the",
        "a",
        "an",
        "of",
        "in",
        "on",
        "by",
        "for",
        "with",
        "to",
        "that",
        "who",
        "was",
        "were",
        "is",
        "are",
        "did",
        "does",
        "do",
        "has",
        "have",
        "and",
        "or",
    ]
)


@dataclass(frozen=True, slots=True)
class Bridge:
    """A question in two steps: ``first`` finds the thing, and ``then`` asks about it, in the place of ``{}``."""

    noun: str
    first: str
    then: str

    def second(self, thing: str) -> str:
        """Return the question about the thing that was found."""
        return self.then.replace("{}", thing)


def find_bridge(question: str) -> Bridge | None:
    """Return the two steps of a question, or None if it needs one."""
    plain = " ".join(question.split()).rstrip("?.! ")
    relative = _RELATIVE.search(plain)
    found = relative or _REDUCED.search(plain)
    if found is None:
        return None
    before, clause, behind = plain[: found.start()], found["clause"], ""
    if _AUXILIARY.search(before):
        verb = _LAST_VERB.search(clause)
        if verb is None:
            return None
        clause, behind = clause[: verb.start()], f" {verb['verb']}"
    elif not before.strip() or _BEING.search(before):
        return None  # "What is the drug that ...?" asks for the thing itself
    being = "" if relative else _being_of(found["noun"])
    return Bridge(found["noun"], f"Which {found['noun']} {being}{clause}?", f"{before}{{}}{behind}?")


def _being_of(noun: str) -> str:
    return "were " if re.search(r"[^isu]s$", noun) else "was "


def find_thing(texts: Sequence[str], first: str, known: Sequence[Sequence[str]]) -> str | None:
    """Return the name that answers ``first``, from the sentence that shares most words with it.

    Args:
        texts: The passages that were found, the best first.
        first: The question.
        known: The known names of each passage; where there are none, words with capitals count as names.
    """
    asked = {word.lower() for word in _WORD.findall(first)} - _SMALL
    candidates = []
    for place, text in enumerate(texts):
        for start, end in sentence_spans(text):
            sentence = text[start:end]
            shared = len(asked & {word.lower() for word in _WORD.findall(sentence)})
            if name := _name_in(sentence, first, known[place]):
                candidates.append((shared, -place, -start, name))
    return max(candidates)[-1] if candidates else None


def _name_in(sentence: str, first: str, known: Sequence[str]) -> str | None:
    low, asked = sentence.lower(), first.lower()
    unasked = [name for name in known if name.lower() in low and name.lower() not in asked]
    if unasked or known:
        return min(unasked, key=lambda name: low.index(name.lower())) if unasked else None
    proper = set(names(sentence))
    phrases = (" ".join(word for word in match[0].split() if word in proper) for match in _NAME.finditer(sentence))
    return next((phrase for phrase in phrases if phrase and phrase.lower() not in asked), None)
