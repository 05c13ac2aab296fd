"""The shapes of a slide in the order of reading: what stands below a caption comes before the next caption."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pptx.enum.shapes import PP_PLACEHOLDER

_NEAR = 0.02  # of the width of a caption
_FEWEST = 2  # columns
_MOST_PLACED = 40  # more placeholders than any layout has


def captions_of(shapes: Sequence[Any]) -> dict[int, Any]:
    """Return the captions of columns that stand side by side, as on slides that compare, by the id of what they head.

    A caption is a placeholder for text right above another one that begins and ends where it does.
    """
    placed = [shape for shape in shapes if shape.is_placeholder and shape.width and shape.height]
    if len(placed) > _MOST_PLACED:
        return {}
    captions = [shape for shape in placed if shape.placeholder_format.type == PP_PLACEHOLDER.BODY and _is_short(shape)]
    others = [shape for shape in placed if shape.placeholder_format.type != PP_PLACEHOLDER.BODY]
    found = {other.shape_id: caption for caption in captions for other in others if _heads(caption, other)}
    beside = [caption for caption in found.values() if any(_are_beside(caption, other) for other in found.values())]
    return found if len(found) >= _FEWEST and len(beside) == len(found) else {}


def in_order(shapes: Sequence[Any], captions: dict[int, Any]) -> list[Any]:
    """Return shapes from top to bottom; what a caption heads stands behind it."""
    return sorted(shapes, key=lambda shape: _place(shape, captions.get(shape.shape_id)))


def _place(shape: Any, caption: Any | None) -> tuple[int, int, bool]:
    first = shape if caption is None else caption
    return first.top or 0, first.left or 0, caption is not None


def _is_short(shape: Any) -> bool:
    return len([line for line in shape.text_frame.text.splitlines() if line.strip()]) == 1


def _heads(caption: Any, other: Any) -> bool:
    room = _NEAR * caption.width
    alike = abs(caption.left - other.left) <= room and abs(caption.width - other.width) <= room
    return bool(alike and caption.top < other.top <= caption.top + 2 * caption.height)


def _are_beside(caption: Any, other: Any) -> bool:
    apart = caption.left + caption.width <= other.left or other.left + other.width <= caption.left
    return bool(apart and abs(caption.top - other.top) <= caption.height)
