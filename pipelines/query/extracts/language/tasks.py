"""Questions for how to do something, and headings that name what is done. The rules are for English."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from pipelines.query.extracts.language.absence import is_among, words_of
from pipelines.query.paraphrases import with_paraphrases
from pipelines.query.question_types import KEPT_QUESTIONS
from pipelines.query.verdicts.names import names

_TASK = re.compile(
    r"\bhow\s+(?:to|(?:do|can|could|should|would)\s+(?:i|we|you|one|people|users?)|does\s+one)\s+(\w+)", re.IGNORECASE
)
"""What is to be done: "install" of "How do I install Ebb?"."""
_ANY_TASK = re.compile(
    r"add|avoid|be|check|deal|do|ensure|find|get|give|go|have|keep|know|let|look|make|need|prevent|put|see|set|show|start"
    r"|stop|take|tell|try|turn|use|want|work|write",
    re.IGNORECASE,
)
"""Verbs for which instructions mostly say another one."""
_ASKS_WHAT_TO_DO = re.compile(
    r"\bwhat\s+(?:(?:do|should|must|can|shall)\s+(?:i|we|you|one)|to)\s+(?:have\s+to\s+)?do\b", re.IGNORECASE
)
_SAYS_WHAT_TO_DO = re.compile(
    r"\bwhat\s+(?:to|you\s+(?:can|should))\s+do\b|\bfirst\s+aid\b|\bemergency\s+(?:help|steps)\b", re.IGNORECASE
)
_PURPOSE = re.compile(r"(?:^|[.!?:]\s+|\n)(?:[-*\u2022]\s+)?(?:in\s+order\s+)?to\s+([^,.:;!?\n]{3,100})", re.IGNORECASE)
"""What an instruction is for: "trim the sail" of "To trim the sail, pull the sheet."."""
_WAYS = re.compile(
    r"[^\n]{0,200}\b(?:different|following|many|multiple|several|various|two|three|four|five|six|\d)\s+(?:[\w-]{1,20}\s+)?"
    r"(?:approaches|means|methods|options|possibilities|techniques|ways)\b[^\n]{0,80}:\n",
    re.IGNORECASE,
)
"""What leads into a list of the ways in which something is done: "A sail can be raised in several ways:"."""
_MOST_UNSAID = 1
"""Terms of a task that neither the lead-in of a list of ways nor the headings above it say."""
_PLAIN = re.compile(r"[^\W\d_]+")
_ARTICLE = re.compile(r"an?|the|my|our|all|new|own|some", re.IGNORECASE)
_NAME = re.compile(r"[^\W\d][\w-]*")
_JOINT = re.compile(r"[_-]")
_MOST_BESIDE = 2
"""Terms of a purpose beside those of the task; with more it is the purpose of something narrower."""
ANY_OBJECT = "change existing new own your"
"""What the heading of a task says beside its verb and its thing: "Opening an existing route", "Push changes"."""


def task_verb(question: str) -> str:
    """Return the verb of the task that a question asks how to do; empty if it asks for none."""
    task = _TASK.search(question)
    return task[1] if task else ""


def is_for_task(question: str, text: str, above: str, terms: Callable[[str], frozenset[int]]) -> bool:
    """Return whether an instruction in a text is for the task that a question asks how to do.

    It has the verb and one more word of the task; the title and the headings ``above`` have the other words, apart from
    names.
    """
    verb = terms(task_verb(question))
    task = terms(question) - terms(" ".join(names(question)))
    if not verb or len(task) <= len(verb):
        return False
    purposes = (terms(with_paraphrases(question, found)) for found in _PURPOSE.findall(text))
    place = terms(above)
    return any(
        verb <= said and len(said & task) > len(verb) and task <= said | place and len(said - task) <= _MOST_BESIDE
        for said in purposes
    )


def names_task(question: str, code: str) -> bool:
    """Return whether code has a name made of the words of the task: "trimsail" of "How do I trim the sails?"."""
    task = _TASK.search(question)
    words = [word for word in _PLAIN.findall(question[task.start(1) :]) if not _ARTICLE.fullmatch(word)] if task else []
    asked = "".join(words[:2]).lower().removesuffix("s") if len(words) > 1 else ""
    return asked != "" and any(_JOINT.sub("", name).lower().removesuffix("s") == asked for name in _NAME.findall(code))


def lists_ways(question: str, shown: str, above: str, terms: Callable[[str], frozenset[int]]) -> bool:
    """Return whether a list is led into as the ways in which the task can be done that a question asks about."""
    led = _WAYS.match(shown)
    task = terms(question) if led is not None else frozenset()
    unsaid = task - terms(f"{above} {shown[: led.end()]}") if led is not None else task
    return len(task) > len(unsaid) and len(unsaid) <= _MOST_UNSAID


def leads_into_ways(shown: str) -> bool:
    """Return whether a list is led into as ways in which something can be done."""
    return _WAYS.match(shown) is not None


def lacks_task(question: str, told: str) -> bool:
    """Return whether a question asks how to do something, and a text lacks the verb: "caulk" of "How do I caulk it?".

    ``told`` includes the title and the headings above the text.
    """
    verb = task_verb(question).lower()
    if not verb or _ANY_TASK.fullmatch(verb):
        return False
    said = with_paraphrases(question, told)
    return not is_among(verb, words_of(said)) and _in_other_form(verb).search(said) is None


@lru_cache(KEPT_QUESTIONS)
def _in_other_form(verb: str) -> re.Pattern[str]:
    """Return what finds a verb as a noun or in another tense: "booking", "payment", "planned", "removal"."""
    stem = re.escape(verb.removesuffix("e"))
    last = re.escape(verb[-1])
    many = rf"|\b{re.escape(verb[:-1])}ie[ds]\b" if verb.endswith("y") else ""
    return re.compile(
        rf"\b{stem}(?:e?[ds]|es|{last}?(?:ed|ing)|e?rs?|e?ments?|als?|(?:at)?ions?)\b{many}", re.IGNORECASE
    )


def asks_what_to_do(question: str) -> bool:
    """Return whether it is asked what to do, as in an emergency."""
    return _ASKS_WHAT_TO_DO.search(question) is not None


def says_what_to_do(heading: str) -> bool:
    """Return whether a heading is of what to do: "First aid"."""
    return _SAYS_WHAT_TO_DO.search(heading) is not None
