"""Jupyter notebooks: the cells in their order, below each piece of code what it printed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from pipelines.errors import CorruptDocument
from pipelines.reading.draft import Draft
from pipelines.reading.html.parsing import parse_html
from pipelines.reading.html.rendering import render_html
from pipelines.reading.json.document import parse
from pipelines.reading.log import without_escapes
from pipelines.reading.markdown.rendering import render
from pipelines.reading.source import Source
from pipelines.types import ParsedDocument

_LEVELS = ("1", "2", "3", "4", "5", "6")
_MOST_LINES = 20
_MOST_CHARS = 2000
_LONGEST_SOURCE = 200_000
"""Longer pages are drawings with the program that draws them."""
_CLASS = re.compile(r"<[\w.]{1,200} object(?: at 0x[0-9A-Fa-f]{1,20})?>")


def read(source: Source) -> ParsedDocument:
    """Return the cells; of what code printed its first lines, no pictures. The title is the notebook's, or a heading's.

    Raises:
        CorruptDocument: It is not JSON, or has no cells.
    """
    notebook = parse(source.text(), source.format.label)
    cells = _cells(notebook)
    if cells is None:
        raise CorruptDocument(source.format.label, "it has no list of cells; give it its true name")
    draft = Draft()
    for cell in filter(_is_mapping, cells):
        _add_cell(draft, cell)
    metadata = notebook.get("metadata")
    title = metadata.get("title") if isinstance(metadata, dict) else None
    return draft.finish(source.format, title if isinstance(title, str) and title.strip() else draft.first_title())


def _cells(notebook: Any) -> list[Any] | None:
    """Return the cells, which notebooks of before 2015 (nbformat 3) keep in worksheets."""
    if not isinstance(notebook, dict):
        return None
    if isinstance(notebook.get("cells"), list):
        return list(notebook["cells"])
    sheets = notebook.get("worksheets")
    if not isinstance(sheets, list):
        return None
    lists = (sheet.get("cells") for sheet in filter(_is_mapping, sheets))
    return [cell for cells in lists if isinstance(cells, list) for cell in cells]


def _add_cell(draft: Draft, cell: dict[str, Any]) -> None:
    words = _joined(cell.get("source", cell.get("input")))
    match cell.get("cell_type"):
        case "markdown":
            draft.add_markdown(words)
        case "heading":
            level = str(cell.get("level"))
            draft.add_heading(int(level) if level in _LEVELS else 1, words)
        case "code":
            draft.add(words.strip("\n"), "code")
            for output in _outputs(cell.get("outputs")):
                draft.add(output, "code", level=1)
        case _:
            draft.add(words.strip())


def _outputs(outputs: object) -> Iterator[str]:
    for output in filter(_is_mapping, outputs if isinstance(outputs, list) else ()):
        if output.get("output_type") == "error" or "ename" in output:
            yield _joined([f"{output.get('ename', 'Error')}: ", _joined(output.get("evalue"))]).strip()
        else:
            yield _shortened(_joined(output.get("text")) or _result(output.get("data")))


def _result(data: object) -> str:
    """Return the words of the richest form that says something; that of a page where plain text only names a class."""
    if not isinstance(data, dict):
        return ""
    markdown, plain, page = (_joined(data.get(f"text/{kind}")) for kind in ("markdown", "plain", "html"))
    if markdown.strip():
        return render(markdown[:_LONGEST_SOURCE]).text
    if page and (not plain.strip() or _CLASS.fullmatch(plain.strip())) and len(page) <= _LONGEST_SOURCE:
        return render_html(parse_html(page)).text or plain
    return plain


def _shortened(text: str) -> str:
    lines = without_escapes(text).strip("\n").split("\n")
    shown = "\n".join(lines[:_MOST_LINES])[:_MOST_CHARS].rstrip()
    return f"{shown}\n..." if shown and (len(lines) > _MOST_LINES or len(shown) == _MOST_CHARS) else shown


def _joined(text: object) -> str:
    """Return a text, which notebooks write as one or as a list of its lines."""
    parts: Iterable[object] = text if isinstance(text, list) else (text,)
    return "".join(part for part in parts if isinstance(part, str))


def _is_mapping(value: object) -> bool:
    return isinstance(value, dict)
