"""Recognises questions for what a command of two or three words does: "git stash", "git stash drop".

Such words mean other things alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pipelines.query.conversation.subjects import is_small
from pipelines.query.extracts.language.absence import is_among, words_of
from pipelines.query.extracts.language.definitions import KINDS, joined
from pipelines.query.verdicts.names import joins

_NO_TOOL = rf"(?:an?|any|each|every|her|his|its|my|not|our|that|the|their|this|your|{KINDS})"
_NO_NAME = rf"(?:actually|also|always|even|now|really|so|then|usually|work|{KINDS})"
_ASKS = re.compile(
    rf"\W*(?i:what\s+does\s+(?:the\s+)?)(?!{_NO_TOOL}\b)(?P<tool>[a-z][\w-]*(?:\s+(?!{_NO_NAME}\b)[a-z][\w-]*)?)\s+(?!{_NO_NAME}\b)(?P<name>[a-z][\w-]*)(?<!ly)"
    rf"(?:\s+(?:{KINDS}))?\s+do\W*$"
)
_SECTION = re.compile(r"\(\d\w?\)")
"""The section behind the name of a page of a manual: "git-stash(1)"."""
_FIRST = re.compile(r"\s*(?:[-*\u2022]\s+)?([\w-]+)")

_PAGE = re.compile(r"([a-z]\w{1,20})[ -]([a-z][\w-]{1,30})")
"""The title of the page of a command: "ebb-furl"."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command of a tool; hyphens are left out of both names.

    Attributes:
        tool: The tool's name, or that with a command: "git", "gitstash".
        name: The command's name: "stash", "drop".
    """

    tool: str
    name: str

    def is_in(self, text: str) -> bool:
        """Return whether both names stand together in a text."""
        return self.tool + self.name in joined(text)

    def begins(self, entry: str, place: str) -> bool:
        """Return whether an entry is that of the command: it begins with its name, and the tool's is in its place."""
        first = _FIRST.match(entry)
        tools = map(joined, _SECTION.sub(" ", place).split())
        return first is not None and joined(first[1]) == self.name and self.tool in tools


def asked_command(question: str) -> Command | None:
    """Return the command that a question asks about, if it has two words or three."""
    asked = _ASKS.match(question)
    return Command(joined(asked["tool"]), joined(asked["name"])) if asked else None


def is_of_other_command(question: str, title: str, told: str) -> bool:
    """Return whether a page is on another command of a program than a question, and does not speak of that one.

    "Which files does ebb furl read?" is not answered on the page "ebb-moor" if that has no word on furling.
    """
    page = _PAGE.fullmatch(title.strip())
    if page is None:
        return False
    named = re.findall(rf"(?<![\w-]){re.escape(page[1])}[ -]([a-z][\w-]{{2,30}})", question.lower())
    others = [one for one in named if not (is_small(one) or joins(one))]
    words = words_of(told) if others else frozenset()
    return bool(others) and not any(one == page[2].lower() or is_among(one, words) for one in others)
