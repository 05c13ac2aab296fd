"""The pieces of prose with code that is too long to be shown whole."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from textwrap import dedent

from pipelines.components.sentences import word_count
from pipelines.query.extracts.passages.commented_settings import commented_settings
from pipelines.query.extracts.passages.groups import Group
from pipelines.query.extracts.passages.showing import CUT, ExtractRenderer
from pipelines.types import Block, Span

_LED_WORDS = 30
_TITLED_WORDS = 60
"""Of code that is too long to be shown, in its first lines: behind what leads into it, and of one with a heading."""
_COMMENT = re.compile(r"\s*#")
_KEY = re.compile(r"""\s*["']?[\w./{}-]{1,80}["']?:\s*(?:#.*)?$""")
"""A line with nothing but a key, whose settings stand below it."""
Piece = tuple[bool, Span, str]
"""Whether it has code, its place, and how it is shown."""


def code_pieces(group: Group, shower: ExtractRenderer, titled: Collection[int], most_words: int) -> Iterator[Piece]:
    """Yield each block of prose with code, and code with what leads into it.

    Settings are shown below the keys that they are nested in. Of code that is too long itself the first lines are
    shown: they are what a reader types, or begins with. A function or a setting needs no lead-in: it begins at one of
    the ``titled`` places.
    """
    before: Block | None = None
    around: list[tuple[int, str]] = []
    for block in group.blocks:
        shown = shower.block(block)
        if block.kind == "code":
            shown = _below_keys(block, around, shower)
        if block.kind == "code":
            start = before.span.start if before is not None else block.span.start
            pair = f"{shower.line(before.span)}\n{shown}" if before is not None else shown
            if word_count(pair) <= most_words:
                yield True, Span(start, block.span.end), pair
            elif before is not None:
                leads_in = shower.line(before.span) + "\n"
                words = min(_LED_WORDS, most_words - word_count(leads_in))
                yield from _beginning(leads_in, block, start, words, shower)
            elif start in titled:
                yield from _beginning("", block, start, _TITLED_WORDS, shower)
            if word_count(pair) > most_words:
                yield from ((True, span, told) for span, told in commented_settings(shower.text, block.span))
        elif block.kind != "caption" and word_count(shown) <= most_words:
            yield False, block.span, shown
        before = block if block.kind != "code" else None


def _below_keys(code: Block, around: list[tuple[int, str]], shower: ExtractRenderer) -> str:
    """Return code below the keys that it is nested in, by its indentation; its own key joins these.

    Only keys of settings count: nothing else stands on such a line.
    """
    written = shower.text[code.span.start : code.span.end]
    while around and around[-1][0] >= code.level:
        around.pop()
    indent = len(written) - len(written.lstrip())
    keys = [key for _, key in around if len(key) - len(key.lstrip()) < indent]
    shown = dedent("\n".join((*keys, written)))
    key = next((line for line in written.splitlines() if not _COMMENT.match(line)), "")
    if _KEY.match(key):
        around.append((code.level, key))
    return shown


def _beginning(leads_in: str, code: Block, start: int, words: int, shower: ExtractRenderer) -> Iterator[Piece]:
    """Yield the first lines of code behind what leads into it; nothing where that is too long for any."""
    left, shown, end = words, "", code.span.start
    for line in shower.text[code.span.start : code.span.end].splitlines(keepends=True):
        left -= word_count(line)
        if left < 0:
            break
        shown, end = shown + line, end + len(line)
    if shown.strip():
        yield True, Span(start, end), f"{leads_in}{dedent(shown).rstrip()}{CUT}"
