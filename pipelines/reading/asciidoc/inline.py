"""The words of AsciiDoc's text: emphasis, links, macros and attributes as what they show.

Every pattern has an end in sight, so that a file of nothing but openings takes no longer than any other.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping

from pipelines.reading.formulas import formula_text

_CHARACTERS = {
    "nbsp": " ", "zwsp": "", "wj": "", "sp": " ", "empty": "", "blank": "", "apos": "'", "quot": '"', "lsquo": "\u2018",
    "rsquo": "\u2019", "ldquo": "\u201c", "rdquo": "\u201d", "deg": "\u00b0", "plus": "+", "brvbar": "|", "vbar": "|",
    "amp": "&", "lt": "<", "gt": ">", "startsb": "[", "endsb": "]", "caret": "^", "asterisk": "*", "tilde": "~",
    "backslash": "\\", "backtick": "`", "two-colons": "::", "two-semicolons": ";;", "cpp": "C++", "pp": "++",
}  # fmt: skip
_ATTRIBUTE = re.compile(r"\{([\w][\w-]{0,80})\}")
_COUNTER = re.compile(r"\{(?:counter2?|set):[^{}]{0,80}\}")
_LITERAL = re.compile(
    r"pass:[a-z,]{0,10}\[(?P<pass>[^\]]{0,500})\]|\+\+\+(?P<three>.{1,500}?)\+\+\+|`\+(?P<code>[^\n]{1,300}?)\+`"
    r"|(?<![\w+])\+(?P<one>\S(?:[^+\n]{0,300}\S)?)\+(?![\w+])"
)
_KEPT = "\ue000{}\ue001"  # private characters stand for what no other pattern may touch
_KEPT_BACK = re.compile("\ue000(\\d{1,9})\ue001")
_TARGET = r"[^\s\[\]<>]{1,1000}"
_WORDS = r"((?:[^\[\]]|\\\]|\[[^\[\]]{0,200}\]){0,500})"
_LINK = re.compile(rf"(?:link:|mailto:|(?=(?:https?|ftp|irc)://))({_TARGET})\[{_WORDS}\]")
_BARE_LINK = re.compile(r"<((?:https?|ftp)://[^\s<>]{1,1000})>")
_XREF = re.compile(rf"xref:({_TARGET})\[{_WORDS}\]")
_MANUAL = re.compile(r"(?<![\w:`])(?:link[a-z]{1,20}|man[a-z]{0,20}):([\w.-]{1,100})\[([1-9][a-z]{0,2})\]")
"""A page of a manual by its name and section, in a macro of the project's own: "linkebb:ebb-furl[1]"."""
_CROSS = re.compile(r"<<([^<>,]{1,300})(?:,\s*([^<>]{1,500}))?>>")
_NOTE = re.compile(rf"\s?footnote(?:ref)?:[\w-]{{0,80}}\[{_WORDS}\]")
_MENU = re.compile(r"menu:([^\[\]]{1,100})\[([^\[\]]{0,200})\]")
_FORMULA = re.compile(r"latexmath:\[((?:[^\[\]\\]|\\.){0,300})\]")
_SHOWN = re.compile(r"(?:kbd|btn|stem|asciimath):\[((?:[^\[\]\\]|\\.){0,300})\]")
_IMAGE = re.compile(rf"(image|icon)::?({_TARGET})\[{_WORDS}\]")
_UNSEEN = re.compile(
    r"\[\[[^\[\]]{1,200}\]\]|anchor:[^\s\[\]]{1,200}\[[^\[\]]{0,200}\]|\(\(\([^()]{1,300}\)\)\)"
    r"|indexterm:\[[^\[\]]{0,300}\]"
)
_TERM = re.compile(r"\(\(([^()]{1,300})\)\)|indexterm2:\[([^\[\]]{0,300})\]")
_QUOTED = re.compile(r"([\"'])`([^`\n]{1,300})`\1")


def _inside(sign: str) -> str:
    """Return what may stand inside of such signs: also the sign if it joins letters, as in "_max_clients_"."""
    return rf"(?:[^{sign}\n]|(?<=\w){sign}(?=\w))"


_PAIRS = tuple(
    re.compile(rf"(?:\[[^\[\]]{{0,100}}\])?{sign}([^\n]{{1,300}}?){sign}") for sign in (r"\*\*", "__", "``", "##")
)
_SINGLES = tuple(
    re.compile(
        rf"(?<![\w\\{sign}])(?:\[[^\[\]]{{0,100}}\])?{sign}(?=\S)({_inside(sign)}{{1,300}}(?:\n{_inside(sign)}{{1,300}})?)"
        rf"(?<=\S){sign}(?![\w{sign}])"
    )
    for sign in (r"\*", "_", "`", "#")
)
_ARROW = re.compile(r"\s?\^[\u2190-\u21ff\u2b00-\u2bff]+\^")
"""An arrow behind a link, which says that it leads away."""
_RAISED = re.compile(r"(?<!\\)\^(\S{1,80}?)\^")
_LOWERED = re.compile(r"(?<![\\~])~(\S{1,80}?)~")
_ESCAPED = re.compile(r"\\(?=[*_`#^~{<\[+(])")
_BREAK = re.compile(r"[ \t]\+$", re.MULTILINE)
_OPTION = re.compile(r",\s*(?:role|window|opts|id|rel|title)=.*$|\^$")


def shown(text: str, attributes: Mapping[str, str]) -> str:
    """Return the words of a text, with its line breaks."""
    literals: list[str] = []

    def literal(found: re.Match[str]) -> str:
        literals.append(next(filter(None, found.groups()), ""))
        return _KEPT.format(len(literals) - 1)

    text = _LITERAL.sub(literal, _ARROW.sub("", text))
    text = _COUNTER.sub("", text)
    text = _ATTRIBUTE.sub(_value_in(attributes), text)
    for pattern, words in _MACROS:
        text = pattern.sub(words, text)
    text = _without_emphasis(text)
    text = html.unescape(_ESCAPED.sub("", _BREAK.sub("", text)))
    return _KEPT_BACK.sub(lambda found: literals[int(found[1])] if int(found[1]) < len(literals) else "", text)


def _value_in(attributes: Mapping[str, str]) -> Callable[[re.Match[str]], str]:
    def value(found: re.Match[str]) -> str:
        name = found[1].lower()
        return attributes.get(name, _CHARACTERS.get(name, found[0]))

    return value


def _without_emphasis(text: str) -> str:
    text = _QUOTED.sub(lambda found: f"\u201c{found[2]}\u201d" if found[1] == '"' else f"\u2018{found[2]}\u2019", text)
    for pattern in (*_PAIRS, *_SINGLES):
        text = pattern.sub(r"\1", text)
    return _LOWERED.sub(r"\1", _RAISED.sub(r"^\1", text))


def _link(found: re.Match[str]) -> str:
    return _label(found[2]) or found[1]


def _reference(found: re.Match[str]) -> str:
    target = found[1].rpartition("#")[2] or found[1]
    name = target.removesuffix(".adoc").lstrip("_").replace("_", " ").replace("-", " ")
    return _label(found[2] or "") or name


def _label(words: str) -> str:
    first = _OPTION.sub("", words.replace("\\]", "]")).strip()
    return first[1:-1] if len(first) > 1 and first[0] == first[-1] == '"' else first


def _image(found: re.Match[str]) -> str:
    return "" if found[1] == "icon" else _label(found[3].partition(",")[0])


def _menu(found: re.Match[str]) -> str:
    steps = [found[1], *found[2].split(">")]
    return " > ".join(step.strip() for step in steps if step.strip())


_MACROS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (_UNSEEN, lambda found: ""),
    (_TERM, lambda found: found[1] or found[2] or ""),
    (_NOTE, lambda found: f" ({found[1]})" if found[1] else ""),
    (_IMAGE, _image),
    (_MANUAL, lambda found: f"{found[1]}({found[2]})"),
    (_LINK, _link),
    (_BARE_LINK, lambda found: found[1]),
    (_XREF, _reference),
    (_CROSS, _reference),
    (_MENU, _menu),
    (_FORMULA, lambda found: formula_text(found[1].replace("\\]", "]"))),
    (_SHOWN, lambda found: found[1].replace("\\]", "]")),
)
