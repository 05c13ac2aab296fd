"""Prose with the code before or behind it that shows what it says."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import chain, islice, takewhile

from pipelines.components.sentences import word_count
from pipelines.query.extracts.passages.groups import joined
from pipelines.query.extracts.passages.passages import Passage
from pipelines.query.extracts.passages.showing import OTHERS, ExtractRenderer
from pipelines.types import Block, Span

_OF_CODE_ABOVE = re.compile(
    r"(?:(?:this|that|these|the)\s+(?:[\w-]+\s+)?(?:call|code|command|example|line|program|script|snippet)s?\b"
    r"|(?:running|executing|entering)\s+(?:this|that|these|the)\b|[^.!?\n]{1,80}?\bdo\s+(?:so|that|this)\b|(?-i:and|or|then|which)\s"
    r"|[^.!?\n]{1,80}?\bin\s+(?:this|that|the\s+(?:above|previous))\s+(?:call|code|command|example|program|script|snippet)\b)",
    re.IGNORECASE,
)
"""The beginning of prose that speaks of the code above it, or goes on with the sentence that led into it."""
_IS_DONE = re.compile(r"(?:it|that|this)\s+(?:can|may|might)\s+(?:also\s+|easily\s+)?be\s+\w+", re.IGNORECASE)
"""The beginning of what leads into the code for what stands above it: "This can be done by hand:"."""
_LEAD_IN = re.compile(r"[^.!?:]{1,120}:")
_NEAR = 20
"""Blocks around code among which other code is looked for."""
_MOST_BETWEEN = 1
"""Paragraphs between prose and the only code of its section: more of them tell of something else."""


def shows_code(passage: Passage) -> bool:
    """Return whether a passage is shown with some of the code that it holds."""
    return any(_are_shown(passage))


def leaves_out_code(passage: Passage) -> bool:
    """Return whether a passage, such as a long list with its items cut short, is shown without code that it holds."""
    return not all(_are_shown(passage))


def _are_shown(passage: Passage) -> Iterator[bool]:
    """Yield for each piece of code in the place of a passage whether it begins in what is shown."""
    blocks, text = passage.stored.blocks, passage.stored.text
    at = bisect_left(blocks, passage.span.start, key=lambda block: block.span.start)
    within = takewhile(lambda block: block.span.start < passage.span.end, islice(blocks, at, None))
    codes = (text[block.span.start : block.span.end].strip() for block in within if block.kind == "code")
    return (code.split("\n", 1)[0] in passage.shown for code in codes)


def with_code_behind(passage: Passage, span: Span, shown: str, most_words: int) -> tuple[Span, str]:
    """Return a stretch of prose with the code right behind it, if it goes on to its end and the code is short.

    A last sentence that only leads into the code may stand between them: "Then do this:".
    """
    blocks, renderer = passage.stored.blocks, ExtractRenderer(passage.stored.text)
    at = bisect_left(blocks, span.end, key=lambda block: block.span.start)
    if passage.kind != "sentences" or at in (0, len(blocks)) or blocks[at].kind != "code":
        return span, shown
    code, rest = renderer.block(blocks[at]), Span(span.end, max(span.end, blocks[at - 1].span.end))
    lead_in = renderer.line(rest).strip()
    is_apart = blocks[at - 1].span.start > span.end or (lead_in and not _LEAD_IN.fullmatch(lead_in))
    if is_apart or word_count(code) > most_words:
        return span, shown
    return Span(span.start, blocks[at].span.end), f"{shown} {lead_in}".rstrip() + f"\n{code}"


def with_end_of_sentence(passage: Passage, span: Span, shown: str, most_words: int) -> tuple[Span, str]:
    """Return code with the rest of the sentence that it stands in: "If you see: ..., then turn the key.".

    A list that this leads into comes with it.
    """
    blocks, shower = passage.stored.blocks, ExtractRenderer(passage.stored.text)
    at = bisect_left(blocks, span.end, key=lambda block: block.span.start)
    if passage.kind != "code" or not (0 < at < len(blocks)) or blocks[at - 1].span.end != span.end:
        return span, shown
    if blocks[at].kind != "paragraph" or not shower.text[blocks[at].span.start].islower():
        return span, shown
    behind = range(at + 1, min(at + _NEAR, len(blocks)))
    end = next((index for index in behind if not joined(shower.text, blocks[index - 1], blocks[index])), behind.stop)
    rest = shower.blocks(blocks[at:end])
    if word_count(rest) > most_words or rest.rstrip().endswith(":"):
        return span, shown
    return Span(span.start, blocks[end - 1].span.end), f"{shown}\n{rest}"


def with_only_code(passage: Passage, span: Span, shown: str, most_words: int) -> tuple[Span, str]:
    """Return a stretch of prose with the only code of its section, or the code below what refers back to the prose, if
    that stands soon behind it and is short.

    What is between them is left out, but for the sentence that leads into the code; "…" stands for it.
    """
    blocks = passage.stored.blocks
    at = bisect_left(blocks, span.end, key=lambda block: block.span.start)
    if passage.kind != "sentences" or passage.is_inside or at == 0:
        return span, shown
    behind = _up_to_code(blocks, at)
    if behind is None:
        return span, shown
    shower, code = ExtractRenderer(passage.stored.text), blocks[behind]
    leads_in = blocks[behind - 1] if joined(shower.text, blocks[behind - 1], code) else None
    is_meant = leads_in is not None and _IS_DONE.match(shower.text, leads_in.span.start) is not None
    if not (is_meant or _is_only_code(blocks, behind)) or word_count(shower.block(code)) > most_words:
        return span, shown
    lead_in, between = shower.lead_in(leads_in), shower.text[span.end : code.span.start].strip()
    lines = (shown, "" if between == lead_in else OTHERS, lead_in, shower.block(code))
    return Span(span.start, code.span.end), "\n".join(filter(None, lines))


def _up_to_code(blocks: Sequence[Block], at: int) -> int | None:
    """Return the index of the code behind a few paragraphs that begin at ``at``; None if other blocks come first."""
    ahead = range(at, min(at + _MOST_BETWEEN + 1, len(blocks)))
    found = next((index for index in ahead if blocks[index].kind != "paragraph"), None)
    return found if found is not None and found > at and blocks[found].kind == "code" else None


def _is_only_code(blocks: Sequence[Block], at: int) -> bool:
    """Return whether no other code stands near a piece of code between the headings around it."""
    before = takewhile(_is_no_heading, reversed(blocks[max(at - _NEAR, 0) : at]))
    behind = takewhile(_is_no_heading, blocks[at + 1 : at + 1 + _NEAR])
    return all(block.kind != "code" for block in chain(before, behind))


def _is_no_heading(block: Block) -> bool:
    return block.kind != "heading"


def with_code_before(passage: Passage, span: Span, shown: str, most_words: int) -> tuple[Span, str]:
    """Return a stretch with the code right before it, if it speaks of that code and the code is short.

    What leads into the code comes with it.
    """
    blocks = passage.stored.blocks
    at = bisect_left(blocks, span.start, key=lambda block: block.span.start)
    if not (0 < at < len(blocks)) or passage.is_part or blocks[at].span.start != span.start:
        return span, shown
    code, shower = blocks[at - 1], ExtractRenderer(passage.stored.text)
    if code.kind != "code" or not _OF_CODE_ABOVE.match(shown) or word_count(shower.block(code)) > most_words:
        return span, shown
    leads_in = at > 1 and blocks[at - 2].kind == "paragraph" and joined(shower.text, blocks[at - 2], code)
    before = blocks[at - 2 : at] if leads_in else (code,)
    return Span(before[0].span.start, span.end), f"{shower.blocks(before)}\n{shown}"
