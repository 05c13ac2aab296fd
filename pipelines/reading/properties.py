"""What files say of themselves, when it is worth repeating."""

from __future__ import annotations

import re

# What programs write if no title was given.
_NO_TITLE = re.compile(
    r"\(?(?:anonymous|untitled|unknown|unspecified|(?:no )?title|(?:untitled |word )?document"
    r"|(?:untitled |powerpoint )?presentation|slide|(?:work)?book)[ -]?\d*\)?",
    re.IGNORECASE,
)
_PRINTED_FROM = re.compile(r"^Microsoft (?:Office )?(?:Word|Excel|PowerPoint) - ", re.IGNORECASE)
_FILE_NAME = re.compile(r"\S+\.(?:docx?|xlsx?|pptx?|pdf|rtf|odt|tex|dvi|indd|qxd)", re.IGNORECASE)
_PDF_DATE = re.compile(r"D?:?(\d{4})(\d{2})?(\d{2})?")


def clean_title(title: object) -> str | None:
    """Return a title on one line; None for what a program filled in by itself."""
    cleaned = _PRINTED_FROM.sub("", " ".join(str(title or "").split()))
    return None if _NO_TITLE.fullmatch(cleaned) or _FILE_NAME.fullmatch(cleaned) else cleaned or None


def pdf_date(value: str) -> str:
    """Return a PDF's ``D:20240103...`` as 2024-01-03; empty if it is not a date."""
    found = _PDF_DATE.match(value)
    return "-".join(part for part in found.groups() if part) if found else ""
