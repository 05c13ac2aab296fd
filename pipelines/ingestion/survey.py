"""What a folder of documents holds, before anything is ingested: what `footnote init` proposes a profile from."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path, PurePosixPath
from typing import Any

from pipelines.components.extractors.frontmatter import extract_frontmatter
from pipelines.errors import FootnoteError
from pipelines.filters.values import typed_value
from pipelines.ingestion.folder import scan
from pipelines.ingestion.selection import EVERYTHING, Selection
from pipelines.profile.sections.documents import FieldType, MetadataField
from pipelines.profile.values import is_identifier
from pipelines.reading.encoding import decode
from pipelines.reading.formats import MARKDOWN, by_name, suffix_of
from pipelines.reading.markdown.frontmatter import split_frontmatter
from pipelines.types import ParsedDocument

_HEAD_BYTES = 65_536
"""How much of a file is read: front matter stands at its head."""
_LONGEST = 60
"""Characters of a value; a longer one is prose, which is not filtered on."""
_PROSE = frozenset({"title", "description", "summary", "abstract", "layout", "permalink", "slug", "id"})
_HEADING = re.compile(r"^#{1,2}\s+(.{3,80}?)\s*#*$", re.MULTILINE)
_TYPES: tuple[FieldType, ...] = ("boolean", "integer", "float", "datetime", "keyword")


@dataclass(frozen=True, slots=True)
class ProposedField:
    """A key of the documents' front matter: its type, how many documents have it, and some of its values."""

    type: FieldType
    documents: int
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Survey:
    """What a folder holds.

    Attributes:
        files: How many files it has.
        formats: Files by what people call their format.
        unread: Files by their ending as it is written, of endings that no reader knows.
        folders: The folders at its top.
        fields: What the front matter says, by name.
        headings: Some headings with the paths of their files, for golden questions.
        changed: When the oldest and the newest file was changed; None without files.
    """

    files: int
    formats: Mapping[str, int]
    unread: Mapping[str, int]
    folders: tuple[str, ...]
    fields: Mapping[str, ProposedField]
    headings: tuple[tuple[str, str], ...]
    changed: tuple[date, date] | None


def survey(folder: Path, selection: Selection = EVERYTHING) -> Survey:
    """Survey the documents of ``folder``; only the beginnings of its Markdown files are read.

    Raises:
        OSError: The folder cannot be read.
    """
    found = scan(folder, selection).files
    names = [path for path in found if by_name(path) is not None or not suffix_of(path)]
    known_names = frozenset(names)
    heads = [(path, _head(folder / path)) for path in names if by_name(path) is MARKDOWN]
    times = sorted(stamp.modified_ns for stamp in found.values())
    known = (by_name(path) for path in names)
    return Survey(
        files=len(found),
        formats=_counted(one.label if one is not None else "without an ending" for one in known),
        unread=_counted(PurePosixPath(path).suffix for path in found if path not in known_names),
        folders=tuple(sorted({path.partition("/")[0] for path in found if "/" in path})),
        fields=proposed_fields(_declared(text) for _, text in heads),
        headings=tuple((path, heading) for path, text in heads if (heading := _heading(text))),
        changed=(_day(times[0]), _day(times[-1])) if times else None,
    )


def proposed_fields(documents: Iterable[Mapping[str, Any]]) -> dict[str, ProposedField]:
    """Return the fields to declare for what documents say: those of one type throughout, the most frequent first."""
    values: dict[str, list[Any]] = {}
    for declared in documents:
        for name, value in declared.items():
            values.setdefault(name, []).extend([] if value is None else [value])
    proposed = {name: _proposed(given) for name, given in values.items() if is_identifier(name) and name not in _PROSE}
    usable = {name: field for name, field in proposed.items() if field is not None}
    return dict(sorted(usable.items(), key=lambda item: (-item[1].documents, item[0])))


def _proposed(values: list[Any]) -> ProposedField | None:
    lists = [value for value in values if isinstance(value, list)]
    single = [item for value in values for item in (value if isinstance(value, list) else [value])]
    kind = next((one for one in _TYPES if single and all(_fits(value, one) for value in single)), None)
    if kind is None or (lists and kind != "keyword"):
        return None
    examples = tuple(str(value) for value, _ in Counter(single).most_common(3))
    return ProposedField("keywords" if lists else kind, len(values), examples)


def _fits(value: Any, kind: FieldType) -> bool:
    if kind == "keyword" and (not isinstance(value, str) or not 0 < len(value) <= _LONGEST):
        return False
    try:
        typed_value(value, MetadataField(type=kind))
    except ValueError:
        return False
    return True


def _declared(head: str) -> Mapping[str, Any]:
    """Return what a document says of itself; nothing where that cannot be read: ingestion says why."""
    try:
        written, _ = split_frontmatter(head)
        return extract_frontmatter(ParsedDocument("", MARKDOWN.media_type, frontmatter=written)).metadata
    except FootnoteError:
        return {}


def _head(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            return decode(opened.read(_HEAD_BYTES), MARKDOWN.label).replace("\r\n", "\n")
    except (OSError, FootnoteError):  # it is in an archive, or not text
        return ""


def _heading(head: str) -> str | None:
    found = _HEADING.search(head)
    return found[1] if found else None


def _counted(names: Iterable[str]) -> dict[str, int]:
    return dict(Counter(names).most_common())


def _day(nanoseconds: int) -> date:
    return datetime.fromtimestamp(nanoseconds / 1e9).astimezone().date()
