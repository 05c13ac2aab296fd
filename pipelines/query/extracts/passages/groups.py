"""Blocks that belong together: a paragraph, a lead-in with its list, a term with its definition, a table."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from pipelines.query.extracts.passages.cards import is_of_card
from pipelines.query.extracts.passages.cases import is_of_case
from pipelines.query.extracts.passages.displayed import goes_on
from pipelines.reading.marks import mark_of
from pipelines.types import Block, Hit, Span, StoredText

GroupKind = Literal["prose", "list", "table", "code", "definition"]
_INNER: dict[str, GroupKind] = {
    "item": "list",
    "header": "table",
    "row": "table",
    "code": "code",
    "term": "definition",
    "definition": "definition",
}
_FOLLOWS_A_COLON = frozenset({"code", "item", "header", "row", "quote", "term", "definition", "caption"})
_ENTRIES = frozenset({"item", "term"})
_PARTS = _ENTRIES | {"row"}
_OF_OTHERS = frozenset({"item", "header", "row"})
"""What a list or table without a lead-in is made of; a term behind it begins another list."""
LABEL = re.compile(
    r"(?:[-*•]\s+)?(?:(?:the )?default(?: values?)?|(?:value |data )?types?|required|optional"
    r"|(?:allowed |possible |valid )?values|(?:valid )?range|units?|minimum|maximum|format|environment variables?)"
    r"\s*:\s*\S[^\n]{0,80}",
    re.IGNORECASE,
)
"""A line or item that says one thing of what the prose beside it describes, such as the default of a setting."""
_ANY_LABEL = re.compile(r"(?:[-*•]\s+)?[^\W\d_](?:[\w-]| (?! )){0,30}:\s+[^\s:][^\n]{0,60}")
"""An item that may say one thing too, such as "Reloadable: yes": it does beside items that are labels."""
_MOST_LABELS = 8
"""Items of a list of labels."""
_BARE_ANSWER = re.compile(r"(?:answer\s*:\s*)?(?:yes|no)\b[^\n.]{0,20}[.!]", re.IGNORECASE)
"""A one-word reply to the question above; the next paragraph explains it."""
_TAB = re.compile(r"(?!(?:fig(?:ure|\.)|image|picture|photo|illustration|screenshot)\b)\S+(?: \S+){0,3}", re.IGNORECASE)
"""A caption that names what the prose below it is about; other captions are of figures, and speak of these alone."""
_SENTENCE = re.compile(r"[.!?:][^\w\s]*$")
"""The end of what is more than a title; the place searched in ends there."""
_SENTENCES = re.compile(r"[.!?]\s+[^\W_a-z].*[.!?]\s+[^\W_a-z]", re.DOTALL)
"""Three sentences or more."""
_TELLS_OF_TABLE = re.compile(r"\b(?:columns?|follow(?:s|ing)|rows?|tables?)\b|\bbelow\b(?!\s+\d)", re.IGNORECASE)
_MOST_ANNOUNCING = 200
"""Characters of a paragraph that leads into a list without a colon."""
_ANNOUNCES = re.compile(
    r"\b(?:following|listed\s+(?:below|here)|here\s+(?:is|are)|are\s+(?:below|these))\b", re.IGNORECASE
)
_SPEAKS_OF_LIST = re.compile(
    rf"{_ANNOUNCES.pattern}|\b(?:below|as\s+follows|these)\b"
    r"|\b(?:a\s+few|several|some|two|three|four|five|six)\s+(?:[\w-]+\s+)?[\w-]+s\b",
    re.IGNORECASE,
)
"""What the end of a long paragraph says that leads into a numbered list, such as "Two steps are left."."""
_GOES_ON = re.compile(
    r"(?:[:,;\u2013\u2014-]|\b(?:and|are|as|by|either|for|from|has|have|if|in|include|is|may|must|not|of|on|or|shall|should"
    r"|that|to|unless|was|were|when|where|which|who|will|with|would))\Z",
    re.IGNORECASE,
)
"""The end of a sentence that the items below it end."""
_LEAST_PREAMBLE = 120
"""Characters of a paragraph that may only stand above a numbered list; what leads into one is shorter."""
_MOST_MARK = 20
"""Characters among which the mark of an item is looked for."""
_MOST_BLOCKS = 200
"""Of one group that are read at a time: of a longer list or table those around a hit, behind what leads into it."""


@dataclass(frozen=True, slots=True)
class Group:
    """Blocks of one document that belong together, in their order.

    Attributes:
        blocks: The blocks.
        begins: Where a part of a long group begins, after what leads into it; None for a group that is whole.
    """

    blocks: tuple[Block, ...]
    begins: int | None = None

    @property
    def span(self) -> Span:
        """From the first block to the last; of a part of a long group without what leads into it."""
        return Span(self.blocks[0].span.start if self.begins is None else self.begins, self.blocks[-1].span.end)

    @property
    def kind(self) -> GroupKind:
        """What the blocks are, but for what leads into them, and for labels above prose."""
        if self.blocks[-1].kind == "paragraph" and self.blocks[-1].level == 0:
            return "prose"
        return next((_INNER[block.kind] for block in self.blocks if block.kind in _INNER), "prose")


def groups_around(stored: StoredText, hits: Sequence[Hit]) -> Iterator[tuple[Hit, Group]]:
    """The groups of a text that overlap hits in it, each once, with the first hit that it overlaps; of long ones the
    parts that do.
    """
    seen: set[int] = set()
    for hit in hits:
        for first, last in _ranges(stored, hit.span):
            head, starts = _parts(stored.blocks, first, last, hit.span)
            for start in starts:
                if start not in seen:
                    seen.add(start)
                    end = min(last + 1, start + _MOST_BLOCKS)
                    blocks = stored.blocks[first:head] + stored.blocks[max(start, head) : end]
                    begins = stored.blocks[start].span.start if start > head else None
                    ends = end == last + 1 and _is_last_label(stored.text, stored.blocks, last)
                    yield hit, Group((*blocks[:-1], replace(blocks[-1], level=1)) if ends else blocks, begins)


def parts_of_note(text: str, note: Group) -> Iterator[Group]:
    """Yield what a note is made of, as groups of their own: its paragraphs, and its lists with their lead-ins.

    What is only its title goes with the first of them. A group that does not begin with a note is its only part.
    """
    first, *inner = note.blocks
    if first.kind != "note" or not inner:
        yield note
        return
    raised = [first, *(replace(block, level=block.level - 1) for block in inner)]
    begins = 0
    for index in range(1, len(raised)):
        of_title = index == 1 and not _SENTENCE.search(text, first.span.start, first.span.end)
        if not of_title and not joined(text, raised[index - 1], raised[index]):
            yield Group(tuple(raised[begins:index]))
            begins = index
    yield Group(tuple(raised[begins:]))


def is_further_name(blocks: Sequence[Block], index: int) -> bool:
    """Return whether a term names what the term before it names, as "--force" behind "-f": one definition follows."""
    if index == 0 or blocks[index].kind != "term" or blocks[index - 1].kind != "term":
        return False
    behind = next((block for block in blocks[index + 1 :] if block.kind != "term"), None)
    return behind is not None and behind.kind == "definition" and blocks[index - 1].level == blocks[index].level


def is_caption(text: str, group: Group) -> bool:
    """Return whether a group is nothing but captions that are no sentences."""
    return all(
        block.kind == "caption" and not _SENTENCE.search(text, block.span.start, block.span.end)
        for block in group.blocks
    )


def _ranges(stored: StoredText, within: Span) -> Iterator[tuple[int, int]]:
    """Yield the first and last index of the blocks of each group that overlaps ``within``; headings are in none."""
    blocks, text = stored.blocks, stored.text
    index = max(bisect_right(blocks, within.start, key=lambda block: block.span.start) - 1, 0)
    while index > 0 and (_is_joined(text, blocks, index) or _is_last_label(text, blocks, index)):
        index -= 1
    while index < len(blocks) and blocks[index].span.start < within.end:
        last = _last(text, blocks, index)
        if blocks[index].kind != "heading" and blocks[last].span.end > within.start:
            yield index, last
        index = last + 1


def _parts(blocks: Sequence[Block], first: int, last: int, within: Span) -> tuple[int, range]:
    """Return where what leads into a group ends, and the first blocks of its parts that overlap ``within``.

    A group that is not long is its only part.
    """
    if last - first < _MOST_BLOCKS:
        return first, range(first, first + 1)
    head = next((at for at in range(first, last + 1) if blocks[at].kind in _PARTS), first)
    begins = max(bisect_right(blocks, within.start, key=lambda block: block.span.start) - 1, head)
    ends = max(bisect_left(blocks, within.end, key=lambda block: block.span.start), begins + 1)
    aligned = head + (begins - head) // _MOST_BLOCKS * _MOST_BLOCKS
    return head, range(aligned, min(ends, last + 1), _MOST_BLOCKS)


def _last(text: str, blocks: Sequence[Block], first: int) -> int:
    """Return the index of the last block of the group that begins at ``first``."""
    last, level = first, 0
    for index in range(first + 1, len(blocks)):
        block = blocks[index]
        is_entry = block.kind in _ENTRIES
        if not _is_joined(text, blocks, index) or (is_entry and block.level < level):
            break
        if (
            not level
            and block.kind == "term"
            and blocks[first].kind == "paragraph"
            and blocks[index - 1].kind == "code"
        ):
            break  # the prose leads into the code alone
        if is_entry and not level and blocks[first].kind not in _ENTRIES:
            level = block.level  # of the list that the first block leads into; entries outside of it are of another
        last += 1
    return last + 1 if _is_last_label(text, blocks, last + 1) else last


def _is_joined(text: str, blocks: Sequence[Block], index: int) -> bool:
    """Return whether a block belongs to the one before it, is of its card, or describes what its labels are of."""
    is_joined = joined(text, blocks[index - 1], blocks[index])
    return is_joined or _is_behind_labels(text, blocks, index) or is_of_card(text, blocks, index)


def _is_behind_labels(text: str, blocks: Sequence[Block], index: int) -> bool:
    """Return whether prose follows a short list below a heading that has a label, and else items in the same form."""
    if blocks[index].kind != "paragraph" or blocks[index].level > 0:
        return False
    first = index
    while first > 0 and blocks[first - 1].kind == "item" and index - first <= _MOST_LABELS:
        first -= 1
    items = [block.span for block in blocks[first:index]]
    is_below = first == 0 or blocks[first - 1].kind == "heading"
    are_labels = all(_ANY_LABEL.fullmatch(text, one.start, one.end) for one in items)
    return is_below and are_labels and any(LABEL.fullmatch(text, one.start, one.end) for one in items)


def _is_last_label(text: str, blocks: Sequence[Block], index: int) -> bool:
    """Return whether a label ends a section behind a list: "Default: auto" behind the values of a setting."""
    if not 0 < index < len(blocks) or blocks[index].kind != "paragraph" or blocks[index - 1].kind != "item":
        return False
    ends = index + 1 == len(blocks) or blocks[index + 1].kind == "heading"
    return ends and LABEL.fullmatch(text, blocks[index].span.start, blocks[index].span.end) is not None


def _continues(before: Block, block: Block) -> bool:
    """Return whether an item or a term goes on with the outermost list that the block before it is of."""
    if block.kind == "term":
        of_another = before.kind in _OF_OTHERS and before.level == block.level + 1
        return before.kind == "term" or (before.level > block.level and not of_another)
    return block.kind == "item" and (before.kind == "item" or before.level > block.level)


def joined(text: str, before: Block, block: Block) -> bool:
    """Return whether a block belongs to the one before it or to what that belongs to."""
    is_apart = _begins_clauses(text, before, block) or _begins_apart(text, before, block)
    if is_apart or "heading" in (before.kind, block.kind):
        return False
    if block.kind == "paragraph" and before.kind == "item" and block.level == 0:
        return LABEL.fullmatch(text, before.span.start, before.span.end) is not None
    if before.kind == block.kind == "paragraph" and before.level == block.level:
        labelled = (LABEL.fullmatch(text, one.span.start, one.span.end) for one in (before, block))
        answers = _BARE_ANSWER.fullmatch(text, before.span.start, before.span.end) is not None
        stretches = ((one.span.start, one.span.end) for one in (before, block))
        is_one = is_of_case(text, *stretches) or goes_on(text, before.span, block.span)
        return block.level > 0 or answers or any(labelled) or is_one
    if block.level > 0 or _continues(before, block) or (block.kind == "row" and before.kind in ("header", "row")):
        return True
    if before.kind == "caption":
        return block.kind != "paragraph" or _TAB.fullmatch(text, before.span.start, before.span.end) is not None
    return block.kind in _FOLLOWS_A_COLON and _leads_into(text, before, block)


def _begins_apart(text: str, before: Block, block: Block) -> bool:
    """Return whether a list or a table begins behind code, or a table behind a list or prose that says nothing of it.

    A table with a title says itself what it is of.
    """
    if block.kind == "header" and before.kind == "item":
        return block.level <= before.level and text[before.span.end - 1] != ":"
    if block.level != 1 or before.level > 0:
        return False
    if before.kind == "code":
        return block.kind in ("item", "header", "caption")
    if before.kind != "paragraph" or block.kind not in ("header", "caption") or text[before.span.end - 1] == ":":
        return False
    said = text[before.span.start : before.span.end]
    is_of_table = _TELLS_OF_TABLE.search(said) is not None or _announces(text, before)
    return not is_of_table and (block.kind == "caption" or _SENTENCES.search(said) is not None)


def _begins_clauses(text: str, before: Block, block: Block) -> bool:
    """Return whether a block is the first numbered clause of a text, and the one before it does not lead into it.

    That is the preamble of a contract, the head of minutes, or the end of the section before.
    """
    if block.kind != "item" or before.kind != "paragraph" or before.level > 0:
        return False
    if before.span.end - before.span.start < _LEAST_PREAMBLE:
        return False
    mark = mark_of(text[block.span.start : block.span.start + _MOST_MARK])
    if mark is None or mark.style == "bullet":
        return False
    said = text[max(before.span.start, before.span.end - _MOST_ANNOUNCING) : before.span.end]
    return _GOES_ON.search(said) is None and _SPEAKS_OF_LIST.search(said) is None


def _leads_into(text: str, before: Block, block: Block) -> bool:
    """Return whether a block ends with a colon, announces a list, or is a sentence that the code behind it ends."""
    ending = text[before.span.end - 1]
    goes_on = block.kind == "code" and before.kind == "paragraph" and ending.isalnum()
    return goes_on or ending == ":" or _announces(text, before)


def _announces(text: str, block: Block) -> bool:
    """Return whether a short paragraph says that a list follows it: "Here is a list of all boats."."""
    said = text[block.span.start : block.span.end] if block.kind == "paragraph" else ""
    return len(said) <= _MOST_ANNOUNCING and _ANNOUNCES.search(said) is not None
