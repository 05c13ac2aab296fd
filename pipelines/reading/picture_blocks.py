"""The blocks that stand for pictures in a text, and a text whose blocks of pictures say something else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pipelines.reading.edits import EditedText
from pipelines.types import Heading, Page, ParsedDocument, PlacedPicture, Span

_ENDS = (".", "!", "?", ":", "…")


def placed_on(index: int, caption: str) -> str:
    """Return what a reader writes for a picture that has no number yet; `caption_of` reads it."""
    return f"{index} {' '.join(caption.split())}".rstrip()


def caption_of(written: str) -> tuple[int, str]:
    """Return the index and the caption of what `placed_on` wrote."""
    index, _, caption = written.partition(" ")
    return int(index), caption


def shown_text(number: int, *parts: str) -> str:
    """Return the text of a picture's block: its number, and each of ``parts`` as sentences."""
    said = [part if part.endswith(_ENDS) else f"{part}." for part in parts if part]
    return f"Picture {number}: {' '.join(said)}" if said else f"Picture {number}."


def with_texts(
    document: ParsedDocument, texts: Sequence[str], shown: Sequence[tuple[int, str]] | None = None
) -> ParsedDocument:
    """Return a document whose blocks of pictures have other texts, in their order; "" takes a block out.

    Args:
        document: The document, whose other places move with the text.
        texts: One for each block of a picture.
        shown: The number and media type of each picture that is left; None: those that ``document.placed`` has.
    """
    blocks = [block for block in document.blocks if block.kind == "picture"]
    gone = {id(block) for block, text in zip(blocks, texts, strict=True) if not text}
    edited = EditedText(document.text, [(block.span, text) for block, text in zip(blocks, texts, strict=True)])
    left = tuple(replace(block, span=edited.span(block.span)) for block in document.blocks if id(block) not in gone)
    spans = [block.span for block in left if block.kind == "picture"]
    return replace(
        document,
        text=edited.text,
        pages=tuple(Page(page.number, edited.span(page.span), page.label) for page in document.pages),
        headings=tuple(Heading(one.level, one.title, edited.at(one.start)) for one in document.headings),
        blocks=left,
        placed=_placed(document, spans, shown),
    )


def _placed(
    document: ParsedDocument, spans: Sequence[Span], shown: Sequence[tuple[int, str]] | None
) -> tuple[PlacedPicture, ...]:
    if shown is None:
        return tuple(replace(one, span=span) for one, span in zip(document.placed, spans, strict=True))
    return tuple(PlacedPicture(number, kind, span) for (number, kind), span in zip(shown, spans, strict=True))
