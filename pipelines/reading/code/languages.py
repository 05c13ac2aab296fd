"""How programs begin a definition, language by language: one line tells it, without a parser for each."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

LONGEST_LINE = 300
"""So much of a line is looked at; generated code has lines of megabytes."""

_MODIFIERS = (
    "public|private|protected|internal|static|final|abstract|sealed|open|override|virtual|async|export|default|declare"
    "|partial|data|inline|suspend|case|implicit|lazy|readonly|unsafe|extern|fileprivate|mutating|required|convenience"
    "|synchronized|native|companion|enum|annotation|inner|value|tailrec|operator|infix|const"
)
_BEFORE = rf"(?:(?:{_MODIFIERS})\s+)*"


@dataclass(frozen=True, slots=True)
class Definition:
    """What a line defines; ``holds``: it may hold definitions of its own, as a class does."""

    title: str
    holds: bool = False


@dataclass(frozen=True, slots=True)
class Language:
    """Patterns of lines: a type's has the groups ``kind`` and ``name``, a function's ``name``."""

    types: re.Pattern[str] | None = None
    functions: tuple[re.Pattern[str], ...] = ()

    def definition(self, line: str) -> Definition | None:
        """Return what a line without its indentation defines."""
        shown = line[:LONGEST_LINE]
        found = self.types.match(shown) if self.types else None
        if found:
            return Definition(f"{found['kind'].lower()} {' '.join(found['name'].split())}", holds=True)
        for pattern in self.functions:
            found = pattern.match(shown)
            if found and found["name"] not in _STATEMENTS:
                return Definition(f"{found['name']}()")
        return None


# What stands before a parenthesis and calls or names no function.
_STATEMENTS = frozenset({
    "if", "for", "while", "switch", "catch", "return", "do", "else", "with", "foreach", "lock", "using",
    "synchronized", "when", "match", "sizeof", "new", "throw", "assert", "await", "yield", "case", "elif", "except",
    "function", "super", "this",
})  # fmt: skip


def _types(words: str, name: str = r"[\w$]+(?:(?:\.|::)[\w$]+)*") -> re.Pattern[str]:
    return re.compile(rf"{_BEFORE}(?P<kind>{words})\s+(?P<name>{name})")


def _functions(*patterns: str) -> tuple[re.Pattern[str], ...]:
    return tuple(map(re.compile, patterns))


# A return type, a name and parameters, without the semicolon of a call or a declaration.
_TYPED = rf"{_BEFORE}(?:<[^<>]*>\s*)?(?:[\w.:<>,\[\]?*&]+\s+){{1,4}}[*&]*(?P<name>[\w:~]+)\s*\([^;]*$"
_CONSTRUCTOR = r"(?:public|private|protected|internal)\s+(?P<name>\w+)\s*\([^;]*$"
_KEYWORD = rf"{_BEFORE}(?:fun|func|def|function)\s+(?:<[^<>]*>\s*)?(?:[\w<>?]+\.)?(?P<name>[\w$`]+)"
_SCRIPT = Language(
    _types("class|interface|enum|namespace|module|type"),
    _functions(
        rf"{_BEFORE}function\s*\*?\s*(?P<name>[\w$]+)",
        rf"{_BEFORE}(?:const|let|var)\s+(?P<name>[\w$]+)\s*(?::[^=]*)?=\s*(?:async\s*)?(?:function\b|\(.*=>|\w+\s*=>|\($)",
        r"(?:(?:static|async|get|set|public|private|protected|readonly|override|abstract)\s+)*[*#]?(?P<name>[\w$]+)"
        r"\s*(?:<[^<>()]*>)?\([^;]*\{\s*$",
    ),
)
_C = Language(
    re.compile(r"(?:typedef\s+)?(?P<kind>struct|union|enum|class|namespace)\s+(?P<name>[\w:]+)[^;()]*$"),
    _functions(_TYPED, r"#define\s+(?P<name>\w+)\("),
)
_JVM = Language(_types(r"class|interface|enum|record|@interface|struct|namespace"), _functions(_TYPED, _CONSTRUCTOR))
_KOTLIN = Language(_types("class|interface|object|trait|enum|struct|protocol|extension|actor"), _functions(_KEYWORD))

LANGUAGES: Mapping[str, Language] = {
    "Python": Language(_types("class"), _functions(r"(?:async\s+)?def\s+(?P<name>\w+)")),
    "JavaScript": _SCRIPT,
    "TypeScript": _SCRIPT,
    "Java": _JVM,
    "C#": _JVM,
    "Kotlin": _KOTLIN,
    "Scala": _KOTLIN,
    "Swift": _KOTLIN,
    "Go": Language(_types("type"), _functions(r"func\s+(?:\([^()]*\)\s*)?(?P<name>\w+)")),
    "Rust": Language(
        re.compile(
            r"(?:pub(?:\([^()]*\))?\s+)?(?:unsafe\s+)?(?P<kind>struct|enum|trait|mod|union|type|impl)\b\s*"
            r"(?:<[^{}]{0,80}?>\s+)?(?P<name>\w[^{;(=]*)"
        ),
        _functions(
            r"(?:pub(?:\([^()]*\))?\s+)?(?:(?:async|unsafe|const|default)\s+|extern\s+\"[^\"]*\"\s+)*fn\s+(?P<name>\w+)",
            r"macro_rules!\s+(?P<name>\w+)",
        ),
    ),
    "C": _C,
    "C++": _C,
    "Ruby": Language(_types("class|module"), _functions(r"def\s+(?P<name>(?:self\.)?[\w?!=]+)")),
    "PHP": Language(_types("class|interface|trait|enum"), _functions(rf"{_BEFORE}function\s+&?(?P<name>\w+)")),
    "Perl": Language(_types("package"), _functions(r"sub\s+(?P<name>\w+)")),
    "Lua": Language(
        None,
        _functions(r"(?:local\s+)?function\s+(?P<name>[\w.:]+)", r"(?:local\s+)?(?P<name>[\w.:]+)\s*=\s*function\b"),
    ),
    "R": Language(None, _functions(r"(?P<name>[\w.]+)\s*(?:<-|=)\s*function\b")),
    "shell script": Language(
        None, _functions(r"(?:function\s+)?(?P<name>[\w:-]+)\s*\(\)", r"function\s+(?P<name>[\w-]+)")
    ),
    "SQL": Language(
        re.compile(
            r"(?:create|alter)\s+(?:or\s+(?:replace|alter)\s+)?(?:(?:unique|temp|temporary|materialized|global)\s+)*"
            r"(?P<kind>table|view|function|procedure|index|trigger|type|schema|sequence)\s+(?:if\s+(?:not\s+)?exists\s+)?"
            r"(?P<name>[\w.\"`\[\]]+)",
            re.IGNORECASE,
        )
    ),
}  # fmt: skip
