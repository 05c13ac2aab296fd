"""Recognises the headings and names that a question names: "What is a PEP?", or the setting that is asked about."""

from __future__ import annotations

import re

from pipelines.query.extracts.language.defaults import asked_setting, asks_default
from pipelines.query.extracts.language.definitions import KINDS, bare_heading, joined, joined_words
from pipelines.query.extracts.language.tasks import ANY_OBJECT, asks_what_to_do, says_what_to_do, task_verb
from pipelines.query.identifiers import identifiers
from pipelines.query.question_types import question_form, question_kind
from pipelines.query.terms import Terms
from pipelines.query.verdicts.polarity import negates

_WORD = re.compile(r"[^\W_]{3,}")
_STEM = 4
_NAMED_KIND = re.compile(rf"\b([\w.-]+)\s+(?:{KINDS})s?\b", re.IGNORECASE)
"""What says that the word before it is the name of something: "the engines field"."""
_SIGNED = re.compile(r"`?([\w.$-]*\w)`?\s*(?:\([^()]*\))?`?\s*:?")
"""A name with what it takes or what type it has: "`mixin` (Function):", ".send(data)"."""
_MEMBER = re.compile(r"(?<=\w)\.[^\W\d]\w*")
"""What belongs to a thing: ".send" of "reply.send"."""
_IDENTIFIER = re.compile(r"\w++(?:[-.:/]\w++)+|(?=\w+_\w)\w++|[a-z]+[A-Z]\w*")
"""A name of parts: "tide-age", "tide_age", "tideAge"."""
_LISTING = "code list overview reference summary table"
"""What the heading of a list says beside the names of its things."""
_THINGS_COMPARED = 2
_MOST_BESIDE = 2
"""Terms of a question above its answer that the one asked has not: it tells more of the case."""
_FEWEST_ASKED = 2
_KINDS_APART = 2
_QUESTION_END = re.compile(r"\?\W{0,3}$")
_LONGEST_END = 8
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_READER_ACTS = re.compile(r"\b(?:i|one|we|you)\b", re.IGNORECASE)
_OTHER_ACTS = re.compile(
    r"\b(?:can|could|did|do|does|may|must|should|will|would)\s+(?:an?|each|every|the|this)\s", re.IGNORECASE
)
_AND = re.compile(r"\b(?:and|or|versus|vs)\b|[&/,]", re.IGNORECASE)
_COMPARING = "compared comparison difference differ different distinguish versus vs"


class NamedHeadings:
    """The headings that say what a question asks about, and no more.

    Attributes:
        asks_task: Whether the question asks how to do something.

    Args:
        question: The question.
        terms: The terms of a text.
    """

    def __init__(self, question: str, terms: Terms) -> None:
        self._terms = terms
        self._question = question
        self._asked = terms(question)
        self._stems = tuple(word[:_STEM].lower() for word in _WORD.findall(question))
        self._joined = frozenset(joined_words(question))
        self._identifiers = frozenset(one.lower() for one in identifiers(question))
        self._of_kinds = self._identifiers.union(one.lower() for one in _NAMED_KIND.findall(question))
        self._members = frozenset(map(str.lower, _MEMBER.findall(question)))
        self._setting = self._asked - terms("default value") if asks_default(question) else frozenset()
        setting = asked_setting(question) if asks_default(question) else ""
        self._setting_words, self._last_word = terms(setting), terms(" ".join(setting.split()[-1:]))
        verb = task_verb(question)
        self._task = terms(verb) if verb else frozenset()
        self._any_object = terms(ANY_OBJECT) - self._asked
        self._acts = asks_what_to_do(question)
        self.asks_task = self._acts or bool(self._task)
        self._comparing = terms(_COMPARING)
        self._form = form = question_form(question)
        self._kind, self._negates = question_kind(question), negates(question)
        self._compared = self._asked - self._comparing if form == "comparison" else frozenset()
        self._listing = terms(_LISTING) if form == "list" else frozenset()
        self._known: dict[str, bool] = {}

    def names(self, heading: str) -> bool:
        """Return whether a heading has exactly the terms of the question, or is an identifier that stands in it.

        Where it is asked what to do, so is "First aid". An identifier may be written as words: "fetchRetries" or
        "fetch-retries" as "fetch retries". The number of a heading and the site behind a title do not count.
        """
        known = self._known.get(heading)
        if known is None:
            is_of_act = self._acts and says_what_to_do(heading)
            known = is_of_act or any(map(self._names, {heading, bare_heading(heading)}))
            self._known[heading] = known
        return known

    def compares(self, heading: str) -> bool:
        """Return whether a heading names the two things of which the difference is asked, and nothing else."""
        if len(self._compared) < _THINGS_COMPARED or _AND.search(heading) is None:
            return False
        return self._terms(bare_heading(heading)) - self._comparing == self._compared

    def asks_same(self, heading: str) -> bool:
        """Return whether a heading asks the question, perhaps in other words and with a few more.

        "My sail is torn. How do I mend it?" asks how to mend a torn sail. "Why is it not open?" is not "Why is it
        open?", "When do I pay?" is not "Who pays?", and "Can I let a berth?" is not "Can the harbour let my berth?".
        """
        if len(self._asked) < _FEWEST_ASKED or _QUESTION_END.search(heading[-_LONGEST_END:]) is None:
            return False
        *_, asking = _SENTENCE_END.split(bare_heading(heading))
        of_heading = self._terms(heading)
        is_near = self._asked <= of_heading and len(of_heading - self._asked) <= _MOST_BESIDE
        kinds = {self._kind, question_kind(asking)} - {None}
        is_alike = question_form(asking) == self._form and len(kinds) < _KINDS_APART
        is_other = negates(heading) != self._negates or _acts_otherwise(self._question, asking)
        return is_near and is_alike and not is_other

    def is_of_task(self, heading: str) -> bool:
        """Return whether a heading names the task, perhaps with its object, and nothing else.

        "Installation" answers "How do I install Ebb?", "Creating new routes" answers "How do I create a route in Ebb?".
        """
        if not self._task:
            return False
        of_heading = self._terms(bare_heading(heading)) - self._any_object
        return self._task <= of_heading < self._asked

    def is_setting(self, name: str) -> bool:
        """Return whether a name is that of the setting of which the default is asked for."""
        return bool(self._setting) and (self._terms(name) == self._setting or joined(name) in self._joined)

    def has_identifier(self, name: str) -> bool:
        """Return whether a name is an identifier of the question, or a member of what it names."""
        lowered = name.lower()
        return lowered in self._identifiers or lowered in self._members

    def _names(self, heading: str) -> bool:
        bare = heading.strip(" `()-")
        if bare.lower() in self._of_kinds or (_IDENTIFIER.fullmatch(bare) and joined(bare) in self._joined):
            return True
        signed = _SIGNED.fullmatch(heading)
        if signed is not None and (self._is_written(signed[1]) or self._is_of_setting_words(signed[1])):
            return True
        lowered = heading.lower()
        if not any(stem in lowered for stem in self._stems):
            return False
        of_heading = self._terms(heading)
        return of_heading == self._asked or of_heading == self._listed(of_heading) or self.compares(heading)

    def _is_of_setting_words(self, name: str) -> bool:
        """Return whether a name is the setting that is asked about, or its last words: "level" of "the log level"."""
        of_name = self._terms(name)
        is_short = bool(self._last_word) and self._last_word <= of_name <= self._setting_words
        return is_short or of_name == self._setting

    def _listed(self, of_heading: frozenset[int]) -> frozenset[int]:
        """Return the question's terms, with those of the heading that say it is a list: "Moor states", "Moor state
        codes".
        """
        return self._asked | (of_heading & self._listing)

    def _is_written(self, name: str) -> bool:
        """Return whether a name stands in the question; ".send" does where it has "reply.send"."""
        lowered = name.lower()
        return lowered in self._of_kinds or lowered in self._members


def _acts_otherwise(one: str, other: str) -> bool:
    """Return whether one question asks what the reader does, and the other what something or somebody else does."""
    actors = [(bool(_READER_ACTS.search(text)), bool(_OTHER_ACTS.search(text))) for text in (one, other)]
    return sorted(actors) == [(False, True), (True, False)]
