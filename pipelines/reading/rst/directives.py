"""What the directives of docutils and Sphinx show, as nodes of docutils' tree."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from docutils import nodes
from docutils.parsers.rst import Directive, DirectiveError, states
from docutils.parsers.rst.directives import body, misc, tables

from pipelines.reading.badges import is_badge
from pipelines.reading.formulas import formula_text
from pipelines.reading.prompts import are_typed
from pipelines.reading.rst.calls import Call

_ESCAPED = re.compile(r"\\(.)")
_WARNING = 2
_LOOK_AHEAD = 50
_PARAMETER_WORDS = 5
"""Of the argument of a directive that nobody knows: more are prose."""


def run(call: Call) -> list[nodes.Node]:
    """Return the nodes of what a directive shows."""
    if call.full_name.lower() == "class" and not _is_python_class(call):
        return []
    handler = _HANDLERS.get(call.full_name.lower()) or _HANDLERS.get(call.name)
    if handler is not None:
        return handler(call)
    if not call.title and are_typed(call.lines[call.content_start :]):
        return _code(call)
    return _nothing(call) if _is_parameter(call) else _content(call)


def _is_parameter(call: Call) -> bool:
    """Return whether a directive that nobody knows has nothing but what it is to work on: ``.. youtube:: Lm7o8``."""
    if not call.title or any(line.strip() for line in call.lines[call.content_start :]):
        return False
    words = " ".join(line.strip() for line in call.argument).split()
    return len(words) <= _PARAMETER_WORDS and words[-1][-1] not in ".!?"


def _is_python_class(call: Call) -> bool:
    """Return whether ``class`` describes one, as in Sphinx; in docutils it names a class of HTML."""
    has_content = call.content_start < len(call.lines)
    return has_content or any(char.isupper() or char in "._(" for char in call.title)


def _nothing(call: Call) -> list[nodes.Node]:
    return []


def _content(call: Call) -> list[nodes.Node]:
    """Return the argument as a paragraph, and the content."""
    node = nodes.compound()
    call.parse(node, 0, call.argument_end)
    inner = nodes.compound(deeper=bool(node.children))
    call.parse(inner, call.content_start)
    return [node, inner]


def _content_alone(call: Call) -> list[nodes.Node]:
    node = nodes.compound()
    call.parse(node, call.content_start)
    return [node]


def _note(call: Call, label: str) -> list[nodes.Node]:
    node = nodes.admonition("", label=label)
    node.line = call.lineno
    call.parse(node, 0, call.argument_end)
    call.parse(node, call.content_start)
    return [node]


def _titled_note(call: Call) -> list[nodes.Node]:
    node = nodes.admonition("")
    node.line = call.lineno
    node += nodes.title("", "", *call.parse_title(call.argument))
    call.parse(node, call.content_start)
    return [node]


def _change(call: Call, label: str) -> list[nodes.Node]:
    """Return a note of what changed; its argument is a version, and may be followed by words."""
    version, _, words = " ".join(line.strip() for line in call.argument).partition(" ")
    node = nodes.admonition("", label=f"{label} {version}".strip() + ":")
    node.line = call.lineno
    if words:
        paragraph = nodes.paragraph("", "", *call.parse_title([words]))
        paragraph.line = call.lineno
        node += paragraph
    call.parse(node, call.content_start)
    return [node]


def _release(call: Call) -> list[nodes.Node]:
    """Return the changes of a release, as Sphinx's extension "changelog" has them, below its version and date."""
    version, released = call.options.get("version", ""), call.options.get("released", "")
    if not version:
        return _content_alone(call)
    words = f"{version} ({released})" if released else version
    title = nodes.title(words, words)
    title.line = call.lineno
    section = nodes.section("", title)
    call.parse(section, call.content_start)
    return [section]


def _change_of_release(call: Call) -> list[nodes.Node]:
    item = nodes.list_item()
    item.line = call.line(call.content_start)
    call.parse(item, call.content_start)
    return [nodes.bullet_list("", item)]


def _code(call: Call) -> list[nodes.Node]:
    """Return code; what follows the name of its language without a blank line is code as well."""
    found: list[nodes.Node] = []
    if call.options.get("caption"):
        caption = nodes.caption("", "", *call.parse_title([call.options["caption"]]))
        caption.line = call.lineno
        found.append(caption)
    start = call.content_start
    if start == call.argument_end > 0 or (call.argument_end > 1 and start >= len(call.lines)):
        start = 1
    return found + _verbatim(call, start)


def _verbatim(call: Call, start: int) -> list[nodes.Node]:
    text = "\n".join(call.lines[start:]).strip("\n")
    node = nodes.literal_block(text, text)
    node.line = call.line(start)
    return [node] if text.strip() else []


def _verbatim_all(call: Call) -> list[nodes.Node]:
    return _verbatim(call, 0 if call.title else call.content_start)


def _formula(call: Call) -> list[nodes.Node]:
    """Return formulas, each a paragraph; blank lines part them."""
    text = "\n".join((*call.argument, "", *call.lines[call.content_start :]))
    formulas = (formula_text(one) for one in re.split(r"\n\s*\n", text) if one.strip())
    found = [nodes.paragraph(one, one) for one in formulas]
    for node in found:
        node.line = call.line(0)
    return list(found)


def _object(call: Call, prefix: str = "") -> list[nodes.Node]:
    """Return the description of a class, a function, a setting or the like: its signatures, and its body."""
    item = nodes.definition_list_item()
    term: nodes.term | None = None
    begun = ""
    for at, line in enumerate(call.argument):
        begun += line.strip()
        if begun.endswith("\\"):
            begun = begun[:-1]
            continue
        term = nodes.term("", prefix + _ESCAPED.sub(r"\1", begun))
        term.line = call.line(at)
        item += term
        begun = ""
    default = call.options.get("default") if call.name == "confval" else None
    if default and term is not None:
        term += [nodes.Text(" (default: "), *call.parse_title([default]), nodes.Text(")")]
    definition = nodes.definition()
    call.parse(definition, call.content_start)
    item += definition
    return [nodes.definition_list("", item, describes=True)]


def _block_quote(call: Call) -> list[nodes.Node]:
    node = nodes.block_quote()
    call.parse(node, 0)
    return [node]


def _rubric(call: Call) -> list[nodes.Node]:
    node = nodes.paragraph("", "", *call.parse_title(call.argument))
    node.line = call.lineno
    return [node]


def _image(call: Call) -> list[nodes.Node]:
    node = nodes.image("", alt="" if is_badge(call.title) else call.options.get("alt", ""))
    node.line = call.lineno
    return [node]


def _figure(call: Call) -> list[nodes.Node]:
    """Return the caption and the legend of a figure; without a caption what the picture shows."""
    inner = nodes.compound()
    call.parse(inner, call.content_start)
    first = inner.children[0] if inner.children else None
    if not isinstance(first, nodes.paragraph):
        return [*_image(call), inner]
    caption = nodes.caption("", "", *first.children)
    caption.line = first.line
    inner.children[0] = caption
    return [inner]


def _role(call: Call) -> list[nodes.Node]:
    """Hide the text of a role that is made for raw markup."""
    name, _, base = call.title.partition("(")
    if base.strip(" )").lower() == "raw":
        call.state.inliner.hidden_roles.add(name.strip().lower())
    return []


def _delegated(call: Call, directive: type[Directive]) -> list[nodes.Node]:
    """Return what docutils' own directive makes of it; its content where that fails."""
    try:
        arguments, options, content, content_offset = call.state.parse_directive_block(
            call.lines[:], call.offset, directive, call.presets if "alt" in (directive.option_spec or {}) else {}
        )
        ready = directive(
            call.name, arguments, options, content, call.lineno, content_offset,
            "\n".join(call.lines), call.state, call.state.state_machine,
        )  # fmt: skip
        found = list(ready.run())
    except (states.MarkupError, DirectiveError):
        return _content_alone(call)
    failed = any(isinstance(node, nodes.system_message) and node["level"] > _WARNING for node in found)
    if failed:
        return _content_alone(call)
    if directive is tables.CSVTable:
        _number_rows(call, found)
    return found


def _number_rows(call: Call, found: list[nodes.Node]) -> None:
    """Note the line of each row of CSV: docutils counts the lines of its cells from 1."""
    at = call.content_start
    for row in (row for node in found for row in node.findall(nodes.row)):
        word = next(iter(row.astext().split()), "")
        place = next(
            (index for index in range(at, min(at + _LOOK_AHEAD, len(call.lines))) if word in call.lines[index]), None
        )
        row["line"] = call.lineno if place is None else call.line(place)
        at = at if place is None else place + 1


_NOTES = {
    "note": "Note:", "warning": "Warning:", "tip": "Tip:", "hint": "Hint:", "important": "Important:",
    "caution": "Caution:", "danger": "Danger:", "error": "Error:", "attention": "Attention:",
    "seealso": "See also:", "canonical-doc": "Historical document, superseded by:",
    "canonical-typing-spec": "Historical document, superseded by:",
    "canonical-pypa-spec": "Historical document, superseded by:",
}  # fmt: skip
_CHANGES = {
    "versionadded": "New in version", "versionchanged": "Changed in version", "deprecated": "Deprecated since version",
    "versionremoved": "Removed in version", "deprecated-removed": "Deprecated since version",
}  # fmt: skip
_OBJECTS = {
    "class": "class ", "exception": "exception ", "classmethod": "classmethod ", "staticmethod": "static ",
    "struct": "struct ", "union": "union ", "enum": "enum ", "enum-class": "enum class ",
    "enum-struct": "enum struct ", "django-admin": "django-admin ", "abstractmethod": "abstractmethod ",
    **dict.fromkeys(("coroutinefunction", "coroutinemethod"), "coroutine "),
    **dict.fromkeys(("awaitablefunction", "awaitablemethod"), "awaitable "),
    **dict.fromkeys((
        "function", "method", "attribute", "property", "data", "decorator", "decoratormethod", "macro", "var", "type",
        "member", "enumerator", "namespace", "setting", "templatetag", "templatefilter", "fieldlookup", "option",
        "django-admin-option", "envvar", "confval", "event", "cmdoption", "describe", "object", "opcode", "pdbcommand",
        "rst:directive", "rst:role", "program-option", "cpp:concept", "c:alias", "cpp:alias", "cfunction", "cmember",
        "cmacro", "ctype", "cvar",
    ), ""),
}  # fmt: skip
_CODES = (
    "code", "code-block", "sourcecode", "console", "snippet", "code-tab", "prompt", "terminal", "testcode",
    "testoutput", "ipython", "jupyter-execute", "code-cell", "command-output",
)  # fmt: skip
_VERBATIMS = ("doctest", "productionlist")
_HIDDEN = (
    "toctree", "index", "highlight", "currentmodule", "currentclass", "default-domain", "default-role", "contents",
    "sectnum", "header", "footer", "target-notes", "meta", "raw", "include", "literalinclude", "title", "date",
    "tabularcolumns", "sectionauthor", "moduleauthor", "codeauthor", "redirect-from", "program", "todo", "todolist",
    "graphviz", "graph", "digraph", "inheritance-diagram", "uml", "mermaid", "testsetup", "testcleanup",
    "rst-class", "cssclass", "autosummary", "bibliography", "restructuredtext-test-directive",
    "c:namespace", "cpp:namespace", "namespace-push", "namespace-pop",
)  # fmt: skip
_CONTENTS = (
    "only", "ifconfig", "module", "container", "compound", "glossary", "tabs", "hlist", "acks", "grid", "tab-set",
    "card-carousel",
    "automodule", "autoclass", "autofunction", "automethod", "autodata", "autoexception",
)  # fmt: skip
_DELEGATED: dict[str, type[Directive]] = {
    "table": tables.RSTTable, "csv-table": tables.CSVTable, "list-table": tables.ListTable,
    "replace": misc.Replace, "unicode": misc.Unicode, "line-block": body.LineBlock,
    "parsed-literal": body.ParsedLiteral,
}  # fmt: skip

_HANDLERS: dict[str, Callable[[Call], list[nodes.Node]]] = {
    **{name: partial(_note, label=label) for name, label in _NOTES.items()},
    **{name: partial(_change, label=label) for name, label in _CHANGES.items()},
    **{name: partial(_object, prefix=prefix) for name, prefix in _OBJECTS.items()},
    **dict.fromkeys(_CODES, _code),
    **dict.fromkeys(_VERBATIMS, _verbatim_all),
    **dict.fromkeys(_HIDDEN, _nothing),
    **dict.fromkeys(_CONTENTS, _content_alone),
    **{name: partial(_delegated, directive=directive) for name, directive in _DELEGATED.items()},
    **dict.fromkeys(("epigraph", "highlights", "pull-quote"), _block_quote),
    "admonition": _titled_note,
    "changelog": _release,
    "change": _change_of_release,
    "math": _formula,
    "rubric": _rubric,
    "centered": _rubric,
    "image": _image,
    "figure": _figure,
    "role": _role,
}
