"""The shortcodes of Hugo, such as ``{{< note >}}``, as what they show.

A shortcode becomes words in its line, or lines of its own in the syntax that `directives` knows: ``:::note`` to begin a
note and ``:::`` to end it.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from pipelines.reading.markdown.fences import Fences, NumberedLine, content_indent

_LONGEST = 2000
_MOST_LINES = 10
_START = re.compile(r"\{\{([<%])")
_NAME = re.compile(r"\s*(/?)\s*([\w.-]+)(.*)", re.DOTALL)
_CLOSED = re.compile(r"\{\{[<%]\s*/\s*([\w.-]+)")
_PARAMETER = re.compile(r"([\w-]+)\s*=\s*(?:\"([^\"]*)\"|`([^`]*)`|([^\s\"`]+))|\"([^\"]*)\"|`([^`]*)`|(\S+)")
_SHOWN = re.compile(r"/\*\s?(.*?)\s?\*/", re.DOTALL)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NOTES = {name: name for name in ("note", "tip", "info", "important", "warning", "caution", "danger", "hint")} | {
    "alert": "note",
    "admonition": "note",
    "callout": "note",
    "notice": "note",
}
_CODE = frozenset({"highlight", "mermaid", "code", "code-toggle"})
_SECTIONS = {
    "prerequisites": "Before you begin",
    "whatsnext": "What's next",
    "cleanup": "Cleaning up",
    "seealso": "See also",
    "envvars": "Environment variables",
    "parentoptions": "Options inherited from parent commands",
}
_VALUES = frozenset({"skew", "param"})
# What stands for something in another file, which cannot be shown.
_ELSEWHERE = frozenset({"glossary_definition", "include", "readfile", "thirdparty-content", "toc", "youtube", "gist"})
_TITLED = frozenset({"tab", "table", "details", "expand"})
_FILES = frozenset({"code", "code_sample", "codenew", "example", "code-file"})
"""Shortcodes that show a file of another place; "code" with an end holds its code itself."""
_VERSIONS = {"new-in": "New in version", "deprecated-in": "Deprecated in version"}


@dataclass(frozen=True, slots=True)
class _Shortcode:
    name: str
    closing: bool
    alone: bool
    named: Mapping[str, str]
    positional: tuple[str, ...]

    def first(self, *keys: str) -> str:
        """Return the first of these parameters that says something, else the first that has no name."""
        found = (self.named.get(key, "") for key in keys)
        return next(filter(None, found), self.positional[0] if self.positional else "")


def without_shortcodes(lines: Iterable[NumberedLine]) -> Iterator[NumberedLine]:
    """Yield lines of Markdown in which shortcodes are what they show."""
    numbered = list(lines)
    expander = _Expander(frozenset(name for _, line in numbered for name in _CLOSED.findall(line)))
    for number, line in _whole_shortcodes(numbered):
        for shown in expander.expand(line):
            yield number, shown


def _whole_shortcodes(lines: Iterable[NumberedLine]) -> Iterator[NumberedLine]:
    """Yield lines, those of a shortcode that goes over several as one."""
    waiting: list[NumberedLine] = []
    for number, line in lines:
        joined = " ".join([*(text for _, text in waiting), line]) if waiting else line
        if _is_open(joined) and len(waiting) < _MOST_LINES and len(joined) < _LONGEST:
            waiting.append((number, line))
        elif waiting and _is_open(joined):
            yield from (*waiting, (number, line))
            waiting = []
        else:
            yield (waiting[0][0] if waiting else number), joined
            waiting = []
    yield from waiting


def _is_open(line: str) -> bool:
    start = max(line.rfind("{{<"), line.rfind("{{%"))
    return start >= 0 and line.find("}}", start) < 0


@dataclass(slots=True)
class _Expander:
    """Replaces the shortcodes of one line after the other; ``_closed`` are the names of those that have an end."""

    _closed: frozenset[str]
    _fences: Fences = field(default_factory=Fences)
    _code_until: str = ""  # the shortcode whose end closes the code that another one began

    def expand(self, line: str) -> Iterator[str]:
        """Yield the lines that a line shows."""
        if self._code_until:
            yield from self._in_code(line)
        elif self._fences.inside(line) or "{{" not in line:
            yield _values_only(line) if "{{" in line else line
        else:
            yield from self._split(line)

    def _in_code(self, line: str) -> Iterator[str]:
        ending = re.search(rf"\{{\{{[<%]\s*/\s*{re.escape(self._code_until)}\s*[%>]\}}\}}", line)
        if not ending:
            yield line
            return
        self._code_until = ""
        if line[: ending.start()].strip():
            yield line[: ending.start()]
        yield from ("```", "", line[ending.end() :])

    def _split(self, line: str) -> Iterator[str]:
        indent = " " * content_indent(line)
        text = ""
        for part in _parts(line):
            own = self._own_lines(part) if isinstance(part, _Shortcode) else None
            if own is None:
                text = _joined(text, part)
                continue
            if text.strip():
                yield text
            yield from (f"{indent}{each}" if each else "" for each in own)
            text = indent
        if text.strip() or text == line:
            yield text

    def _own_lines(self, code: _Shortcode) -> list[str] | None:
        """Return the lines that a shortcode is, None where it is words in its line."""
        name, file = code.name, code.named.get("file") or ("" if code.name == "code" else code.first("file"))
        if name in _NOTES:
            return ["", ":::" if code.closing else f":::{_NOTES[name]} {code.named.get('title', '')}", ""]
        if name == "comment":
            return ["-->", ""] if code.closing else ["", "<!--"]
        if name in _FILES and file and not (name in _CODE and name in self._closed):
            return ["", "```", file, "```", ""]
        return None if code.closing else self._beginning(code)

    def _beginning(self, code: _Shortcode) -> list[str] | None:
        """Return the lines with which a shortcode begins that has an end, or is a picture."""
        if code.name == "figure":
            return ["", ". ".join(_captions(code)) or code.named.get("alt", ""), ""]
        if code.name in _TITLED:
            return ["", *self._captioned(code)]
        if code.name in _CODE and not code.alone:
            self._code_until = code.name
            return ["", *self._captioned_file(code), f"```{code.first('lang', 'language')}"]
        return None

    def _captioned_file(self, code: _Shortcode) -> Iterator[str]:
        file = code.named.get("file", "")
        if "/" in file or "." in file:
            yield from (f"<figcaption>{html.escape(file)}</figcaption>", "")

    def _captioned(self, code: _Shortcode) -> Iterator[str]:
        caption = ". ".join(_captions(code)) or (code.positional[0] if code.positional else "")
        if caption:
            yield from (f"<figcaption>{html.escape(caption)}</figcaption>", "")
        if code.name == "tab" and "codelang" in code.named:
            self._code_until = "tab"
            yield f"```{code.named['codelang']}"


def _captions(code: _Shortcode) -> list[str]:
    parts = (code.named.get(key, "") for key in ("title", "name", "summary", "caption"))
    return [part.rstrip(".") for part in parts if part]


def _parts(line: str) -> Iterator[str | _Shortcode]:
    """Yield the text of a line and the shortcodes in it."""
    place = 0
    while found := _START.search(line, place):
        start = found.start()
        end = line.find(f"{'>' if found[1] == '<' else '%'}}}}}", found.end())
        if end < 0:
            break
        yield line[place:start]
        written = line[start : end + 3]
        code = _parsed(line[start + 3 : end], written)
        quoted = line[start - 1 : start] == "`" == line[end + 3 : end + 4]
        spoken_of = quoted and isinstance(code, _Shortcode) and code.name not in _SPECIAL
        yield written if spoken_of else code
        place = end + 3
    yield line[place:]


def _parsed(inner: str, whole: str) -> str | _Shortcode:
    shown = _SHOWN.fullmatch(inner.strip())
    if shown:
        return f"{whole[:3]} {shown[1]} {whole[-3:]}"
    found = _NAME.fullmatch(inner)
    if not found:
        return ""
    named, positional = {}, []
    for parameter in _PARAMETER.finditer(found[3].rstrip("/ ")):
        values = [value for value in parameter.groups()[1:] if value is not None]
        if parameter[1]:
            named[parameter[1]] = values[0]
        else:
            positional.append(values[0])
    return _Shortcode(found[2], bool(found[1]), found[3].rstrip().endswith("/"), named, tuple(positional))


def _joined(text: str, part: str | _Shortcode) -> str:
    if isinstance(part, str):
        return text + part
    if text.endswith("]("):
        return text + "#"
    words = "" if part.closing else _words(part)
    if part.name in _VALUES:
        text = text[:-1] if text.endswith("v") and not text[-2:-1].isalnum() else text
    return text + words


def _values_only(line: str) -> str:
    """Return a line of code with the shortcodes that stand for a version."""
    text = ""
    for part in _parts(line):
        if isinstance(part, _Shortcode) and part.name not in _VALUES:
            return line
        text += part if isinstance(part, str) else _words(part)
    return text


def _words(code: _Shortcode) -> str:
    """Return what a shortcode shows within a line."""
    name = code.name
    if name in _ELSEWHERE:
        return ""
    if name in _VERSIONS:
        return f"{_VERSIONS[name]} {code.first('version')}"
    special = _SPECIAL.get(name)
    return special(code) if special else code.first("text", "title", "caption", "alt")


def _section(code: _Shortcode) -> str:
    key = code.first("name")
    return _SECTIONS.get(key, key.capitalize())


def _feature_state(code: _Shortcode) -> str:
    gate, state = code.named.get("feature_gate_name"), code.named.get("state")
    if gate and not state:
        return f"Feature gate: {gate}"
    version = code.named.get("for_k8s_version")
    return f"Feature state: {f'Kubernetes {version}, ' if version else ''}{state or code.first('state')}"


def _value(code: _Shortcode) -> str:
    key = code.first("name")
    return f"({_CAMEL.sub(' ', key).lower()})" if key else ""


def _page(code: _Shortcode) -> str:
    return code.named.get("text") or code.first("page", "path").rstrip("/").rpartition("/")[2]


_SPECIAL: Mapping[str, Callable[[_Shortcode], str]] = {
    "heading": _section,
    "feature-state": _feature_state,
    "skew": _value,
    "param": _value,
    "api-reference": _page,
    "glossary_tooltip": lambda code: code.first("text", "term_id"),
}
