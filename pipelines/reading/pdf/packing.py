"""Pages of a PDF as bytes, one line of JSON each, so that another process may read them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple
from io import BytesIO
from typing import Any

from pipelines.reading.pdf.glyphs import Word
from pipelines.reading.pdf.lines import Piece
from pipelines.reading.pdf.page import Bar, PdfPageParts
from pipelines.reading.pdf.rules import Box, Grid, Rule
from pipelines.reading.scans import Layer


def packed(pages: Iterable[tuple[Layer, PdfPageParts]]) -> bytes:
    """Return pages as bytes; numbers and characters, lone surrogates too, stay what they are."""
    return "\n".join(_line(layer, parts) for layer, parts in pages).encode()


def unpacked(data: bytes) -> Iterator[tuple[Layer, PdfPageParts]]:
    """Yield the pages that were packed."""
    for line in BytesIO(data):  # which copies no more than one
        lacking, pieces, grids, boxes, bars, aside, top, bottom = json.loads(line)
        parts = PdfPageParts(
            pieces=_pieces(pieces),
            grids=tuple(Grid(_rules(lying), _rules(standing)) for lying, standing in grids),
            boxes=tuple(Box(*box) for box in boxes),
            bars=tuple(Bar(*bar) for bar in bars),
            aside=_pieces(aside),
            top=top,
            bottom=bottom,
        )
        yield Layer(parts.letters, lacking), parts


def _line(layer: Layer, parts: PdfPageParts) -> str:
    pieces, aside = ([(piece.words, piece.led) for piece in each] for each in (parts.pieces, parts.aside))
    drawn = [list(map(astuple, each)) for each in (parts.grids, parts.boxes, parts.bars)]
    return json.dumps((layer.lacking, pieces, *drawn, aside, parts.top, parts.bottom), separators=(",", ":"))


def _pieces(packed_pieces: Sequence[Any]) -> tuple[Piece, ...]:
    return tuple(Piece(tuple(map(Word._make, words)), led) for words, led in packed_pieces)


def _rules(packed_rules: Sequence[Any]) -> tuple[Rule, ...]:
    return tuple(Rule(*rule) for rule in packed_rules)
