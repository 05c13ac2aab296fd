"""What tests of reStructuredText share."""

from __future__ import annotations

import textwrap

from pipelines.reading import read
from pipelines.types import ParsedDocument
from tests.pipelines.reading.block_checks import assert_blocks_fit, shown_blocks


def rst(text: str) -> ParsedDocument:
    document = read(textwrap.dedent(text), name="a.rst")
    assert_blocks_fit(document)
    return document


def shown(text: str) -> str:
    return rst(text).text


def blocks(text: str) -> list[tuple[str, int, str]]:
    return shown_blocks(rst(text))
