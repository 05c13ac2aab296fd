"""How commands print: wrapped text for people, or one JSON document."""

from __future__ import annotations

import json
import re
import shutil
import sys
import textwrap
from collections.abc import Callable, Collection, Iterable
from datetime import datetime
from typing import Any, TypeVar

from pydantic import BaseModel

from app.native.schemas.documents import ChunkSchema
from app.native.schemas.search import CitationSchema
from pipelines.types.page_names import page_name

Model = TypeVar("Model", bound=BaseModel)
_WIDEST = 100
_LEAST = 20
_WIDEST_CELL = 60
_OWN_LINE = re.compile(r"\s*(?:#{1,6}\s|\||[-*+•]\s|\d{1,3}[.)]\s|>)")
_HEADING = re.compile(r"#{1,6}\s+")
_TABLE_RULE = re.compile(r"\s*\|[\s:|-]+\|\s*")
_CONTROLS = {code: None for code in (*range(32), *range(127, 160)) if chr(code) not in "\t\n"}


def print_json(value: BaseModel | dict[str, Any], indent: int | None = 2) -> None:
    """Print one JSON document; on one line where ``indent`` is None."""
    plain = value.model_dump(mode="json") if isinstance(value, BaseModel) else value
    print(json.dumps(plain, ensure_ascii=sys.stdout.encoding.lower() != "utf-8", indent=indent))


def say(found: Model, as_json: bool, write: Callable[[Model], None]) -> None:
    """Print ``found`` as JSON, or let ``write`` print it for people."""
    if as_json:
        print_json(found)
    else:
        write(found)


def when(moment: datetime) -> str:
    """Return a moment in the time of this machine, to the minute."""
    return moment.astimezone().strftime("%Y-%m-%d %H:%M")


def safe(text: str) -> str:
    """Return the text without control characters: a document must not be able to steer the terminal."""
    return text.translate(_CONTROLS)


def wrapped(text: str, indent: str = "") -> str:
    """Return the text's lines, each wrapped to the terminal: items of lists, rows and code stay lines of their own."""
    width = min(shutil.get_terminal_size().columns, _WIDEST)
    lines = safe(text).strip("\n").split("\n")
    return "\n".join(textwrap.fill(line, width, initial_indent=indent, subsequent_indent=indent) for line in lines)


def excerpt(text: str, characters: int) -> str:
    """Return the beginning of a text, on one line."""
    return textwrap.shorten(safe(text), characters, placeholder=" ...")


def passage(text: str, headings: Collection[str], characters: int, indent: str) -> str:
    """Return the beginning of a chunk, wrapped, without ``headings``; list items, table rows and others keep their
    lines.
    """
    kept = (line for line in safe(text).splitlines() if _HEADING.sub("", line.strip(), count=1) not in headings)
    shown: list[str] = []
    for line in _lines(kept):
        if characters < _LEAST:
            shown += [] if shown[-1].endswith(" ...") else ["..."]
            break
        shown.append(excerpt(line, characters))
        characters -= len(line)
    return "\n".join(wrapped(line, indent) for line in shown)


def _lines(lines: Iterable[str]) -> list[str]:
    """Return paragraphs as one line each; what Markdown gives a line of its own keeps it, but for the rules of
    tables.
    """
    joined: list[str] = []
    goes_on = False
    for line in lines:
        own, blank = bool(_OWN_LINE.match(line)), not line.strip()
        if blank or _TABLE_RULE.fullmatch(line):
            goes_on = goes_on and not blank
        elif goes_on and not own:
            joined[-1] += f" {line.strip()}"
        else:
            joined.append(line.strip().strip("|").strip())
            goes_on = not line.lstrip().startswith(("#", "|"))
    return joined


def place(found: ChunkSchema | CitationSchema) -> str:
    """Return where a chunk or a quote stands: title, headings, page, line, source."""
    headings = [heading for heading in found.headings if heading != found.title]
    page = page_name(found.page, found.page_label)
    line = f"line {found.line}" if isinstance(found, CitationSchema) and found.line is not None else ""
    known = ", ".join(part for part in (found.title, " > ".join(headings), page, line) if part)
    return safe(f"{known} ({found.source})".strip())


def columns(rows: Iterable[tuple[str, ...]]) -> str:
    """Return rows with their cells under each other. A long cell moves the rest of its own row alone."""
    cells = [tuple(safe(cell) for cell in row) for row in rows]
    lengths = [[len(cell) for cell in column] for column in zip(*cells, strict=True)]
    widths = [max((length for length in column if length <= _WIDEST_CELL), default=0) for column in lengths]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells
    )
