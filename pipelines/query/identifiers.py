"""The names of settings, options and other things of programs that a question asks about."""

from __future__ import annotations

import re
from collections.abc import Iterator

_IDENTIFIER = re.compile(
    r"(?<!\w)(?:[A-Za-z]\w*(?:[:_]\w+)+|[a-z]+[A-Z]\w*"
    r"|(?:Alt|Cmd|Command|Control|Ctrl|Meta|Option|Shift)(?:[+-](?:[A-Z][a-z]+|\S))+(?!\w))"
)
_DECORATOR = re.compile(r"(?<![\w.@])@[A-Za-z_][\w.]*\w(?![\w@-]|\.\w)")
"""As in "@property"; an address of mail has something before the sign."""
_OPTION = re.compile(r"(?<![\w.-])--?[A-Za-z][\w-]*")
_OPTION_ENTRY = re.compile(r"\s*(?:[-*\u2022]\s+)?-[^:\n]{1,120}")
"""The names of an option at the beginning of its entry: "-d DEPTH, --depth=DEPTH"."""
_ASKS_EFFECT = re.compile(
    r"\W*what\s+(?:does|do)\s.{1,80}\b(?:do|mean)\b(?:\s+(?:for|in|to|with)\s.{1,40})?", re.IGNORECASE
)
_COMPOUND = re.compile(r"(?<![\w./-])[a-z][a-z\d]*(?:-[a-z\d]+){2,}(?![\w/-])")
_PLAIN = re.compile(
    r"-(?:a|an|and|as|at|based|by|day|days|for|free|from|hoc|hour|hours|in|is|it|like|month|months|of|old|on|or|out|per"
    r"|related|specific|term|than|the|time|to|up|vs|week|weeks|wide|with|year|years|you)(?![a-z])"
)
_JOINED = r"(?<![\w./-])[a-z][a-z\d]*(?:[.-][a-z\d]+)+(?![\w/-])"
_SETTING = (
    r"(?:attribute|configuration|directive|field|flag|key|keyword|option|parameter|property|setting|switch|variable)"
)
_NAMED_SETTING = (
    re.compile(rf"\bthe\s+({_JOINED})\s+(?:\w+\s+)?{_SETTING}\b", re.IGNORECASE),
    re.compile(rf"\b{_SETTING}\s+({_JOINED})", re.IGNORECASE),
    re.compile(rf"\bdefault(?:\s+value)?\s+(?:for|of)\s+(?:the\s+)?({_JOINED})", re.IGNORECASE),
    re.compile(rf"\b(?:[Ww]hat|[Hh]ow)\s+does\s+(?:the\s+)?({_JOINED})\s+\w+\W*$"),
)
_SIGNS = r"[=<>!~&|^%+*?:@#$\\/]"
_SIGN_WORDS = r"(?:character|operator|prefix|sign|symbol)s?"
_OPERATORS = (
    re.compile(rf"(?<![^\s`'\"(])({_SIGNS}{{2,4}})(?=[\s`'\")])"),
    re.compile(rf"(?<![^\s`'\"(])({_SIGNS})[`'\")]?\s+{_SIGN_WORDS}\b", re.IGNORECASE),
    re.compile(rf"\b{_SIGN_WORDS}\s+[`'\"(]?({_SIGNS})(?![^\s`'\")?])", re.IGNORECASE),
)
_PROTOCOL = re.compile(r"(?<![\w/.])(?!(?:TCP|UDP)/)([A-Z]{2,10})/(\d{1,2})(?![\w/-]|\.\d)")
"""A protocol with its version, as in "HTTP/2"; "TCP/80" has a port."""
_ASKED_NAMES = (
    (
        re.compile(r"\b(?:what|which)\s+(?:(?:are|is)\s+the\s+)?(?:\w+\s+)?environment\s+variables?\b", re.IGNORECASE),
        re.compile(r"(?<![\w.])[A-Z][A-Z\d]*_[A-Z\d_]+\b|\$\{?[A-Z][A-Z\d_]*|%[A-Z][A-Z\d_]*%|\b[A-Z]{4,40}\b"),
    ),
    (
        re.compile(r"\b(?:what|which)\s+(?:\w+\s+)?exceptions?\b.{0,80}\b(?:rais|thr[eo]w)\w*", re.IGNORECASE),
        re.compile(
            r"\b(?:[A-Z][a-z\d]+){2,8}\b|\b[A-Z]{2,9}[a-z]\w*|\b\w{1,60}_(?:error|exception)\b|\bE[A-Z]{3,20}\b"
        ),
    ),
)
"""Questions for what programs name in a form of its own, and that form."""
_LETTER_OF = r"(?:code|column|flag|key|letter|option|permission|privilege|right|status|switch)"
_LETTERS = (
    re.compile(rf"\b{_LETTER_OF}\s+[`'\"]?([b-hj-zB-HJ-Z])[`'\"]?(?![\w.'\u2019])"),
    re.compile(rf"(?<![\w.'\u2019-])([b-hj-zB-HJ-Z])[`'\"]?\s+{_LETTER_OF}\b"),
)
"""Names of one letter, as in "the flag x"; "a" and "I" are words."""
_GIVEN_NAME = re.compile(
    r"\b(?:had|has|have|with)\s+(?:an?|the)\s+(?:abbreviation|code|id|identifier|symbol|tag)\s+[`'\"]?([\w-]{2,30})[`'\"]?\W*$",
    re.IGNORECASE,
)
"""The name at the end of a question by which a thing goes: "Which boat has the code teal?"."""
_LONG_OPTION = 4
_JOINT = re.compile(r"[.-]")
_ANY_JOINT = r"[\s._-]?"
_BELOW_SECTION = 1_500
"""Characters from the name of a section to a key in it, at most."""


def identifiers(text: str) -> list[str]:
    """Return what programs call things, such as ``read:fees`` or ``maxTide``; of ``tide.max_height`` the last part."""
    return _IDENTIFIER.findall(text)


def options(text: str) -> list[str]:
    """Return the options of commands, such as ``-f`` or ``--force``."""
    return _OPTION.findall(text)


def is_entry_of_option(question: str, entry: str) -> bool:
    """Return whether an entry begins with the names of an option, and one of them stands in a question."""
    asked = options(question)
    names = _OPTION_ENTRY.match(entry) if asked else None
    return names is not None and not set(asked).isdisjoint(options(names[0]))


def asks_effect_of_option(question: str) -> bool:
    """Return whether it is asked what one option does: "What does -d do in ebb?"."""
    return len(options(question)) == 1 and _ASKS_EFFECT.fullmatch(question.rstrip(" ?")) is not None


def lacks_identifier(question: str, text: str) -> bool:
    """Return whether an identifier, a decorator, an option, an operator, the name of a setting, a letter that names a
    flag, a code by which a thing goes, or a protocol of some version in a question is not in a text.

    It is not in a longer one. The letters of an option may be large or small, and then mean something else. A heading
    names an option without its hyphens.
    """
    named = [_bounded(re.escape(one), re.IGNORECASE) for one in identifiers(question)]
    named += [_bounded(re.escape(one[1:]), re.IGNORECASE) for one in _DECORATOR.findall(question)]
    named += [re.compile(f"{_bounded(re.escape(one)).pattern}|{_headed(one)}", re.M) for one in options(question)]
    named += [_whole(one) for one in _settings(question)]
    # In "Has it a code lock?" that is the word for a thing, which may be in the plural.
    named += [_bounded(rf"{re.escape(name)}(?:e?s)?", re.IGNORECASE) for name in _GIVEN_NAME.findall(question)]
    named += [_bounded(letter, re.IGNORECASE) for asks in _LETTERS for letter in asks.findall(question)]
    named += [_bounded(rf"{name}s?[ /-]?v?{version}", re.IGNORECASE) for name, version in _PROTOCOL.findall(question)]
    operators = (one for asks in _OPERATORS for one in asks.findall(question))
    named += [re.compile(rf"(?<!{_SIGNS}){re.escape(one)}(?!{_SIGNS})") for one in operators]
    return any(one.search(text) is None for one in named)


def lacks_asked_name(question: str, text: str) -> bool:
    """Return whether a question asks for an environment variable or an exception, and a text names none of its own."""
    names = next((names for asks, names in _ASKED_NAMES if asks.search(question)), None)
    return names is not None and all(found[0] in question for found in names.finditer(text))


def _settings(question: str) -> Iterator[str]:
    """Yield the names with hyphens or dots that cannot be plain English: "max-tide-age", or "the tide-age setting".

    English has compounds of three words too, but most hold a word such as "to": "up-to-date".
    """
    named = (found for pattern in _NAMED_SETTING for found in pattern.findall(question))
    yield from (one for one in (*_COMPOUND.findall(question), *named) if not _PLAIN.search(one))


def _headed(option: str) -> str:
    """Return what finds a line that is the name of a long option: "depth" of "--depth"."""
    return rf"^{re.escape(option[2:])}$" if option.startswith("--") and len(option) > _LONG_OPTION else "(?!)"


def _bounded(pattern: str, flags: int = 0) -> re.Pattern[str]:
    around = r"[^\W\d]|-" if pattern.startswith((r"\-", "-")) else r"\w"
    return re.compile(rf"(?<!{around}){pattern}(?!{around})", flags)


def _whole(setting: str) -> re.Pattern[str]:
    """Return what finds a setting, however its words are joined, but not as a part of a longer name.

    The first word of "lamp.wick" may stand above the other as the name of a section: ``[lamp]``, or a heading.
    """
    words = _ANY_JOINT.join(map(re.escape, _JOINT.split(setting)))
    whole = rf"(?<![\w-]){words}(?!\w|[.-]\w)"
    section, dot, key = setting.partition(".")
    if dot and not _JOINT.search(key):
        line = rf"^[^\w\n]{{0,3}}{re.escape(section)}[^\w\n]{{0,3}}$"
        named = rf"(?<![\w-]){re.escape(section)}[\"'`\]]{{0,2}}:?\s"
        behind = rf"(?:{named}[-*]?\s?[\"'`]?|{line}[\s\S]{{0,{_BELOW_SECTION}}}?(?<![\w.-])){re.escape(key)}(?![\w-])"
        whole = f"{whole}|{behind}"
    return re.compile(whole, re.IGNORECASE | re.MULTILINE)
