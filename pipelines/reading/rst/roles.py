"""What Sphinx's and docutils' roles show, such as ``filter()`` for ``:meth:`~models.QuerySet.filter```."""

from __future__ import annotations

import re
from collections.abc import Callable

from pipelines.reading.formulas import formula_text

_CALLED = frozenset({"func", "function", "meth", "method"})
_LABELS = frozenset({"ref", "numref"})
_PLACES = frozenset({"doc", "download"})
_NUMBERED = {"pep": "PEP ", "rfc": "RFC ", "cve": "CVE-", "cwe": "CWE-", "ticket": "#", "issue": "#", "gh": "#"}
# Their "<", "~" or "!" is text.
_VERBATIM = frozenset({"abbr", "code", "file", "guilabel", "kbd", "literal", "math", "menuselection", "regexp", "samp"})
_INDEX_ENTRY = re.compile(r"^(?:single|pair|triple|see|seealso):\s*")
_BRACES = re.compile(r"\{([^{}]*)\}")
_ACCELERATOR = re.compile(r"&(.)", re.DOTALL)
_SEPARATORS = re.compile(r"[-_/\s]+")
_OF_SECTION = re.compile(r"^(?:chap|ch|fig|sect|sec|s|tbl)-(?:[a-z]-){0,2}(?=\w{2})", re.IGNORECASE)
_SUPERSCRIPTS = str.maketrans("0123456789+-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻")


def words(role: str, text: str) -> str:
    """Return what a role shows of a text; see `label_of` for references to labels."""
    name = last_part(role)
    if name in _VERBATIM:
        return _VERBATIM_WORDS[name](text) if name in _VERBATIM_WORDS else text
    title, target = _split(text)
    if title is not None:
        return title
    if name in _NUMBERED:
        return _numbered(_NUMBERED[name], target)
    if name in _PLACES:
        return readable(_last_step(target))
    if name in _LABELS:
        return readable(target)
    return _OTHER_WORDS[name](target) if name in _OTHER_WORDS else _object_name(name, target)


def label_of(role: str, text: str) -> str | None:
    """Return the label whose title a reference shows; None where a role is no reference or has words of its own."""
    title, target = _split(text)
    return target if last_part(role) in _LABELS and title is None else None


def last_part(role: str) -> str:
    """Return a role's or directive's name without its domain: ``func`` for ``py:func``."""
    return role.lower().rpartition(":")[2]


def readable(label: str) -> str:
    """Return the words of a label or a path, such as "custom user models" for ``auth-custom-user_models``.

    What says that it is a section is no word of its title: "Homepage" for ``s-f-Homepage``.
    """
    last = label.rpartition(":")[2] or label
    return _SEPARATORS.sub(" ", _OF_SECTION.sub("", last)).strip()


def _split(text: str) -> tuple[str | None, str]:
    """Return the title and the target of ``title <target>``; no title where there is only a target."""
    cleaned = " ".join(text.split())
    before, opening, target = cleaned[:-1].rpartition("<") if cleaned.endswith(">") else ("", "", "")
    if opening and before.strip():
        return before.strip(), target
    return None, cleaned.removeprefix("!")


def _last_step(path: str) -> str:
    steps = [step for step in path.split("/") if step not in ("", ".", "..", "index")]
    return steps[-1] if steps else path


def _numbered(prefix: str, target: str) -> str:
    number, _, anchor = target.partition("#")
    section = anchor.replace("section-", " Section ") if anchor.startswith("section-") else ""
    return f"{prefix}{number}{section}" if number[:1].isdigit() else target


def _object_name(role: str, target: str) -> str:
    shown = target.lstrip(".")
    if shown.startswith("~"):
        shown = shown[1:].rpartition(".")[2]
    called = role in _CALLED and shown and not shown.startswith("@") and not shown.endswith(")")
    return f"{shown}()" if called else shown


def _superscript(text: str) -> str:
    raised = text.translate(_SUPERSCRIPTS)
    return raised if all(char not in text for char in raised) else text


_VERBATIM_WORDS: dict[str, Callable[[str], str]] = {
    "file": lambda text: _BRACES.sub(r"\1", text),
    "guilabel": lambda text: _ACCELERATOR.sub(r"\1", text),
    "math": formula_text,
    "menuselection": lambda text: _ACCELERATOR.sub(r"\1", text).replace("-->", ">"),
    "samp": lambda text: _BRACES.sub(r"\1", text),
}
_OTHER_WORDS: dict[str, Callable[[str], str]] = {
    "index": lambda text: _INDEX_ENTRY.sub("", text),
    "sup": _superscript,
    "superscript": _superscript,
}
