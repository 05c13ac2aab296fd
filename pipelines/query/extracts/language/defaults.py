"""What is so by default: recognises questions for it, and texts that say it. The rules are for English."""

from __future__ import annotations

import re
from collections.abc import Iterator

_GIVEN = (
    r"(?:change|choose|chosen|configured?|give|given|pass|passed|provided?|say|said|set|specify|specified|tell|told)"
)
_ASKS = re.compile(
    r"\bdefaults?\b|\bout\s+of\s+the\s+box\b"
    rf"|\bunless\s+(?:(?:i|one|we|you)\s+{_GIVEN}\b|(?:it\s+is\s+)?(?:{_GIVEN}\s+otherwise|otherwise\s+{_GIVEN})\b)",
    re.IGNORECASE,
)
_ASKS_VALUE = re.compile(
    r"^\W*(?:(?:and|but|so)\s+)?(?:how\s+(?:big|large|long|many|much|often)|what(?!\s+(?:can|could|do|happens|if|must|should"
    r"|will)\b)|where|which)\b",
    re.IGNORECASE,
)
_IF_NOT_GIVEN = re.compile(
    rf"\b(?:if|when)\s+(?:(?:i|one|we|you)\s+do(?:es)?(?:\s+not|n['\u2019]t)\s+{_GIVEN}"
    r"(?=\s+(?:a\s+value|any(?:thing)?|it|one|that|them|this)\b|\W*$)"
    rf"|(?:none|nothing)\s+is\s+{_GIVEN}|(?:it|one|that)\s+is(?:\s+not|n['\u2019]t)\s+{_GIVEN}"
    r"|no\s+[\w-]+\s+is\s+(?:configured|given|passed|set|specified))\b",
    re.IGNORECASE,
)
"""For a value that is not given, as in "Which port is used if I don't set one?", but not "if I don't pass the exam"."""
_STATES = re.compile(
    r"\bdefaults?\s*(?:to\b|[:=])|\bdefault\s*\(|\bdefault(?:\s+[^\s.,;:]{1,40}){0,4}?\s+(?:is|are|was)\b|\bby\s+default\b"
    r"|\b(?:is|are)\s+(?:the|a)\s+default\b|\bout\s+of\s+the\s+box\b",
    re.IGNORECASE,
)
_IMPLIES = re.compile(
    r"(?<![_-])default|unless|omitted|automatic|initial|normally|otherwise|typically|usually|standard|preset|unset"
    r"|out\s+of\s+the\s+box|\bleft\s+(?:blank|empty|out)\b|\b(?:if|when|where)\s+(?:it\s+is\s+)?(?:absent|empty|missing)\b"
    r"|\bif\s+not\b|\bnot\s+(?:given|set|specified|provided)\b",
    re.IGNORECASE,
)
_ASSIGNED = re.compile(
    r"^[ \t]*(?:[#;!]\s?)?([\"']?)(?P<name>[A-Za-z_/][\w./-]{0,79})\1\s*(?:=|:(?:\s|$))", re.MULTILINE
)
_NESTED = re.compile(
    r"^([ \t]*)(?:-[ \t]+)?[\"']?(?P<name>[\w./{}-]{1,80})[\"']?:(?:[ \t]+(?P<value>[^\s#])|[ \t]*(?:#|$))",
    re.MULTILINE,
)
"""A key of YAML, with or without a value on its line."""
_BRACKET = re.compile(
    r"(?<!\S)(?:#|//)[^\n]*|\"[^\"\n]*\"|'[^'\n]*'"
    r"|(?P<defined>\b(?:class|constructor|def|fn|func|function)\b[ \t]*[\w.]{0,80}[ \t]*)?\(|\)"
)
"""A bracket, of a definition or of something else; or a remark or a text, in which brackets open nothing."""
_THING = re.compile(
    r"\bdefault\s+(?:[\w-]+\s+){0,3}?([\w-]+)(?=\s+(?:for|in|of)\s)"
    r"|\b(?:how\s+many|what|which)(?:\s+[\w-]+){0,2}?\s+([\w-]+)\s+(?:are|can|did|do|does|has|have|is|will)\b.*\bdefault",
    re.IGNORECASE,
)
_ANY_THING = re.compile(
    r"(?:the|a|an|one|it|action|behaviou?r|choice|configuration|mode|number|option|setting|size|state|type|unit|value)s?"
    r"|do|does|is|are",
    re.IGNORECASE,
)
_SETTING = re.compile(
    r"\bdefault\s+(?:(?:amount|count|number|setting|size|value)s?\s+(?:for|of)\s+|(?:for|of)\s+)?(?:the\s+)?"
    r"([\w-]+(?:\s+[\w-]+){0,4}?)(?:\s+(?:flag|option|parameter|setting|value))?(?=\s+(?:for|in|of|on|when|with)\b|\W*$)",
    re.IGNORECASE,
)
_OWNER = re.compile(
    r"\bdefault\b[^?]{0,80}\s(?:for|in|of|with)\s+(?:an?\s+|the\s+)?([a-z][a-z-]{2,40})\W*$", re.IGNORECASE
)
"""The name of a setting, "max_age", is no such word."""
_STEM, _ENDING = 4, 2


def asks_default(question: str) -> bool:
    """Return whether it is asked what is so by default."""
    is_of_value = _ASKS_VALUE.match(question) is not None and _IF_NOT_GIVEN.search(question) is not None
    return is_of_value or _ASKS.search(question) is not None


def asked_setting(question: str) -> str:
    """Return the setting that a question asks the default of; empty if it names none.

    Whose it is, or what more is said of it, stands before its last word.
    """
    found = _SETTING.search(question)
    return found[1] if found is not None else ""


def asked_owner(question: str) -> str:
    """Return the word at the end of a question that tells of what a default is: "ferries" of "the default of ferries".

    It is empty if there is none.
    """
    found = _OWNER.search(question)
    return found[1].lower() if found is not None else ""


def states_default(text: str) -> bool:
    """Return whether a text says of something that it is the default: "The default is 5", "Default: 5"."""
    return _STATES.search(text) is not None


def implies_default(text: str) -> bool:
    """Return whether a text may say what is so by default, in whatever words: "unless it is set"."""
    return _IMPLIES.search(text) is not None


def settings_in(code: str) -> list[str]:
    """Return the names of the settings that lines of code give values, also where these are turned off."""
    return list(dict.fromkeys(one["name"] for one in _ASSIGNED.finditer(code)))


def defaults_in(code: str) -> Iterator[str]:
    """Yield the names of the settings that code gives values, but for arguments of calls: an example has these."""
    brackets = _BRACKET.finditer(code)
    bracket = next(brackets, None)
    are_calls: list[bool] = []
    calls = 0
    for found in _ASSIGNED.finditer(code):
        while bracket is not None and bracket.start() < found.start():
            if bracket[0] == ")":
                calls -= are_calls.pop() if are_calls else 0
            elif bracket[0].endswith("("):
                are_calls.append(bracket["defined"] is None)
                calls += are_calls[-1]
            bracket = next(brackets, None)
        if not calls:
            yield found["name"]


def paths_in(code: str) -> list[tuple[str, ...]]:
    """Return the settings that lines of YAML give values, each after the keys that it is nested in."""
    paths: list[tuple[str, ...]] = []
    around: list[tuple[int, str]] = []
    for found in _NESTED.finditer(code):
        while around and around[-1][0] >= len(found[1]):
            around.pop()
        around.append((len(found[1]), found["name"]))
        if found["value"]:
            paths.append(tuple(name for _, name in around))
    return paths


def tells_thing(question: str, text: str) -> bool:
    """Return whether a text names what a question asks the default of: the port of "Which port is used by default?".

    The thing is in the text in whatever form; what any setting has, such as a value, need not be.
    """
    thing = default_thing(question)
    return thing[: max(_STEM, len(thing) - _ENDING)] in text.lower()


def default_thing(question: str) -> str:
    """Return the word, in lower case, for what a question asks the default of; empty if it names none, or any."""
    found = _THING.search(question)
    thing = (found[1] or found[2]).lower() if found is not None else ""
    return "" if _ANY_THING.fullmatch(thing) else thing
