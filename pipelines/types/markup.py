"""HTML for Jupyter, built so that every text is escaped: a document may hold a script."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from markupsafe import Markup, escape

Cell = str | Markup | None
_LEFT = "text-align:left;vertical-align:top"
_FAINT = "opacity:.65"
_SHORT = 280  # characters


def table(head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Markup:
    """Return a table, or nothing where there are no rows."""
    lines = [_row("td", cells) for cells in rows]
    if not lines:
        return Markup()
    body = Markup().join(lines)
    return Markup("<table><thead>{}</thead><tbody>{}</tbody></table>").format(_row("th", head), body)


def paragraph(*parts: Cell) -> Markup:
    """Return a paragraph that keeps the line breaks of its text."""
    return Markup('<p style="white-space:pre-line">{}</p>').format(join(parts))


def faint(text: str) -> Markup:
    """Return text that stands back."""
    return Markup('<span style="{}">{}</span>').format(_FAINT, text)


def bold(text: str) -> Markup:
    """Return text that stands out."""
    return Markup("<b>{}</b>").format(text)


def join(parts: Iterable[Cell], between: str = "") -> Markup:
    """Return the parts in a row; those without a text are left out."""
    return escape(between).join(part for part in parts if part)


def lines(*parts: Cell) -> Markup:
    """Return the parts below each other; those without a text are left out."""
    return Markup("<br>").join(part for part in parts if part)


def shorten(text: str, most: int = _SHORT) -> str:
    """``text`` on one line, at most ``most`` characters of it."""
    whole = " ".join(text.split())
    return whole if len(whole) <= most else f"{whole[: most - 1].rstrip()}…"


def count(number: int, noun: str) -> str:
    """Return a number with its noun: ``1 hit``, ``2 hits``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _row(kind: str, cells: Sequence[Cell]) -> Markup:
    cell = Markup('<{0} style="{1}">{2}</{0}>')
    return Markup("<tr>{}</tr>").format(Markup().join(cell.format(kind, _LEFT, text or "") for text in cells))
