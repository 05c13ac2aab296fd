"""Prose with labels behind it, such as "Default: 3" below the description of a setting."""

from __future__ import annotations

from pipelines.query.extracts.passages.groups import LABEL, Group
from pipelines.query.extracts.passages.showing import is_field


def is_prose_with_labels(text: str, group: Group) -> bool:
    """Return whether a group is a paragraph with nothing but fields behind it, and one of them is a label.

    A label says nothing without the paragraph.
    """
    first, *fields = group.blocks
    return (
        first.kind == "paragraph"
        and text[first.span.end - 1] != ":"
        and all(field.kind == "row" and is_field(text, field) for field in fields)
        and any(LABEL.fullmatch(text, field.span.start, field.span.end) for field in fields)
    )
