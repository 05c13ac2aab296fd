"""Passages: the stretches of a text that may answer a question, and how each is shown."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import takewhile
from typing import Literal

from pipelines.components.extractors.headings import Outline
from pipelines.components.sentences import word_count
from pipelines.query.extracts.language.kinds_of_change import is_of_changes
from pipelines.query.extracts.passages.cards import card_name, entry_name, named
from pipelines.query.extracts.passages.code_pieces import code_pieces
from pipelines.query.extracts.passages.entries import insides, subtrees
from pipelines.query.extracts.passages.file_names import unsaid_file_name
from pipelines.query.extracts.passages.fillers import (
    is_contents,
    is_filler,
    is_index,
    is_reading_list,
    points_elsewhere,
)
from pipelines.query.extracts.passages.groups import (
    LABEL,
    Group,
    GroupKind,
    groups_around,
    is_caption,
    parts_of_note,
)
from pipelines.query.extracts.passages.labels import is_prose_with_labels
from pipelines.query.extracts.passages.showing import CUT, OTHERS, ExtractRenderer
from pipelines.query.extracts.passages.windows import MOST_WORDS, sentences_in, windows
from pipelines.reading.plain.blocks import plain_blocks
from pipelines.types import Block, Hit, Span, StoredText

PassageKind = Literal["sentences", "list", "item", "table", "row", "code", "definition"]
LISTS: frozenset[PassageKind] = frozenset(("list", "definition", "table"))
"""What has items or rows."""
_LEAST_WORDS = 3
_LEAST_ROW_WORDS = 2
"""Of a row: a name and its value, "Built: 1986"."""
_MOST_TITLE_WORDS = 6
"""Of a table's title that only says what its rows are of; a longer one says more, which a row does not show."""
_KEPT_PLACES = 1_000
_SENTENCE_ENDS = (".", "!", "?")
_WHOLE: dict[GroupKind, PassageKind] = {
    "prose": "sentences",
    "list": "list",
    "table": "table",
    "code": "code",
    "definition": "definition",
}


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a version's text that may answer.

    Attributes:
        hit: The hit that it was found by.
        kind: What it is.
        span: Its place in the version's text.
        shown: What a person is shown of it: a row with the names of its columns, a long list with its items cut short.
        headings: The headings above it, the outermost first.
        stored: That text; the content of the hit where it was deleted since, or never kept.
        group: Where the group that it is of begins in ``stored``.
        offset: What is added to a place in ``stored`` for one in the version's text.
        deleted: Whether ``stored`` is the content of the hit.
        is_inside: Whether it stands inside of an item or entry that is too long to be shown whole, or in a table there.
        is_outline: Whether it shows headings as a list.
        is_brief: Whether it shows terms as a list, with no more than the beginnings of their definitions.
        computed_for: The question that it was computed to answer, such as a row with the highest price. It is scored
            together with that question. Empty for other passages.
    """

    hit: Hit
    kind: PassageKind
    span: Span
    shown: str
    headings: tuple[str, ...]
    stored: StoredText
    group: int
    offset: int = 0
    deleted: bool = False
    is_inside: bool = False
    is_outline: bool = False
    is_brief: bool = False
    computed_for: str = ""

    @property
    def words(self) -> int:
        """How many words are shown."""
        return word_count(self.shown)

    @property
    def words_in_text(self) -> int:
        """How many words its place in the text has; of a list with many items not all are shown."""
        return word_count(self.stored.text[self.span.start : self.span.end])

    @property
    def is_part(self) -> bool:
        """Whether it is an item of a list, or a row of a table."""
        return self.kind in ("item", "row")

    @property
    def in_context(self) -> str:
        """What is shown, behind the title and the headings that it stands under."""
        return self.under_headings(self.shown)

    @property
    def under_own_heading(self) -> str:
        """What is shown, behind the last heading above it."""
        return f"{self.headings[-1] if self.headings else self.hit.title}: {self.shown}"

    def under_headings(self, text: str) -> str:
        """``text`` behind the title and the headings of the passage, and the name of its file where these lack it."""
        place = _place(self.hit.source, (self.hit.title, *self.headings))
        scored = f"{self.computed_for} {text}" if self.computed_for else text
        return f"{place}: {scored}" if place else scored

    def is_of_text(self, other: Passage) -> bool:
        """Return whether the two are of one text."""
        return self.text_key == other.text_key

    def overlaps(self, other: Passage) -> bool:
        """Return whether the two share text."""
        return self.text_key == other.text_key and self.span.start < other.span.end and other.span.start < self.span.end

    def holds(self, other: Passage) -> bool:
        """Return whether the other is a part of this one."""
        return (
            self.text_key == other.text_key
            and self.span != other.span
            and self.span.start <= other.span.start
            and other.span.end <= self.span.end
        )

    @property
    def is_list_inside(self) -> bool:
        """Whether it is an item that leads into a list of its own."""
        blocks = self.stored.blocks
        at = bisect_left(blocks, self.span.start, key=lambda block: block.span.start)
        behind = [block for block in blocks[at + 1 : at + 2] if block.span.end <= self.span.end]
        leads_in = at < len(blocks) and self.stored.text[blocks[at].span.end - 1] == ":"
        return self.kind == "item" and leads_in and any(block.kind == "item" for block in behind)

    @property
    def text_key(self) -> tuple[str, int, int, str]:
        """What tells the text that this is of from others; where only the chunk is known, that is the text."""
        return self.hit.document_id, self.hit.version, self.offset, self.hit.chunk_id if self.deleted else ""


@lru_cache(_KEPT_PLACES)
def _place(source: str, above: tuple[str, ...]) -> str:
    """Return the title and the headings ``above`` a passage, behind the name of its file where these lack it."""
    parts = (unsaid_file_name(source, " ".join(above)), *above)
    return " > ".join(dict.fromkeys(part for part in parts if part))


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a passage: its place in ``stored``, and how it is shown."""

    span: Span
    shown: str

    @property
    def words(self) -> int:
        """How many words it has."""
        return word_count(self.shown)


def sentences_of(passage: Passage) -> list[Sentence]:
    """Return the sentences of a passage of prose, in their order."""
    shower = ExtractRenderer(passage.stored.text)
    return [Sentence(one, shower.line(one)) for one in sentences_in(shower.text, passage.span)]


def passages_of(hits: Sequence[Hit], texts: Sequence[StoredText | None]) -> list[Passage]:
    """Return the passages of the groups that overlap ``hits``, whose texts are ``texts``; None stands for a deleted
    one.
    """
    by_place: dict[tuple[str, int], tuple[StoredText, list[Hit]]] = {}
    deleted: list[Passage] = []
    for hit, stored in zip(hits, texts, strict=True):
        if stored is None:
            deleted += _of_content(hit)
        else:
            by_place.setdefault((hit.document_id, hit.version), (_with_blocks(stored), []))[1].append(hit)
    kept = [passage for stored, found in by_place.values() for passage in _around(stored, found)]
    return kept + deleted


def _around(stored: StoredText, hits: Sequence[Hit]) -> Iterator[Passage]:
    looked_at = _Text(stored)
    for hit, group in groups_around(stored, hits):
        is_long = word_count(stored.text[group.span.start : group.span.end]) > MOST_WORDS
        for part in parts_of_note(stored.text, group) if is_long else (group,):
            yield from _of_group(hit, part, looked_at)
            for names, inside in insides(stored.text, part, MOST_WORDS):
                yield from _of_group(hit, inside, looked_at, names)


def _of_content(hit: Hit) -> list[Passage]:
    """Return the passages of a hit whose document is not kept."""
    stored = StoredText(hit.content, blocks=plain_blocks(hit.content))
    whole = replace(hit, span=Span(0, len(hit.content)))
    return [
        replace(passage, hit=hit, offset=hit.span.start, deleted=True, headings=hit.headings)
        for passage in _around(stored, [whole])
    ]


def _with_blocks(stored: StoredText) -> StoredText:
    """``stored``; that of a version from before blocks were kept gets those that its lines show."""
    return stored if stored.blocks else replace(stored, blocks=plain_blocks(stored.text))


class _Text:
    """A text with what all of its groups need."""

    def __init__(self, stored: StoredText) -> None:
        self.stored = stored
        self.outline = Outline(stored.headings)
        self.shower = ExtractRenderer(stored.text)
        self.titled = frozenset(heading.start for heading in stored.headings)


def _of_group(hit: Hit, group: Group, of: _Text, names: Sequence[str] | None = None) -> Iterator[Passage]:
    """Yield the passages of a group; the names of the entries that it stands in are headings above it."""
    stored, outline, shower = of.stored, of.outline, of.shower
    path = (*outline.path(group.span.start), *filter(None, names or ()))
    place = (hit.title, *path)
    if group.kind == "list" and is_reading_list(_item_texts(group, shower), place, _led_by(group, shower)):
        return
    if is_index(path[-1] if path else "", stored.text[group.span.start : group.span.end]):
        return
    if group.kind == "table" and is_contents(_cells(group, shower), (heading.title for heading in stored.headings)):
        return

    if is_caption(stored.text, group) or all(block.kind == "term" for block in group.blocks):
        return

    caption = _caption(group, shower)
    card = _card_name(group, stored) if names is None else entry_name(stored.text, group.blocks[0], names)

    def passage(kind: PassageKind, span: Span, shown: str) -> Passage:
        # The functions and settings of a file are headings inside of the group.
        above = outline.path(span.start) if group.kind == "code" and names is None else path
        above = (*above, caption) if kind == "row" and caption else above
        begins, is_inside = group.blocks[0].span.start, names is not None
        is_brief = kind == "list" and group.kind == "definition"
        return Passage(hit, kind, span, shown, above, stored, begins, is_inside=is_inside, is_brief=is_brief)

    # One word is enough below a question, and below what was done with it: "Removed".
    answers_heading = bool(path) and (path[-1].rstrip().endswith("?") or is_of_changes(path))
    first_line = shower.line(group.blocks[0].span)
    is_labelled = is_prose_with_labels(stored.text, group)
    stretches = _prose(group.span, shower) if is_labelled else _stretches(group, shower, of.titled)
    for kind, whole, written in _behind_name(card, first_line, stretches):
        span, shown = _without_lead_in(kind, whole, written, shower)
        least = _LEAST_ROW_WORDS if kind == "row" else _LEAST_WORDS
        too_short = word_count(shown) < least and LABEL.fullmatch(shown) is None
        is_word = kind == "sentences" and len(shown.split()) == 1  # "run-all.sh" is one, though it counts as three
        if ((too_short or is_word) and not answers_heading) or shown.rstrip().endswith(":"):
            continue
        if kind == "item" and points_elsewhere(shown):
            continue
        if kind != "sentences" or not is_filler(shown, place):
            yield passage(kind, span, shown)


def _without_lead_in(kind: PassageKind, span: Span, shown: str, shower: ExtractRenderer) -> tuple[Span, str]:
    """Return prose or an item without its last sentence if that leads into what stands below, which is not shown."""
    if kind not in ("sentences", "item") or not shown.rstrip().endswith(":"):
        return span, shown
    *before, last = sentences_in(shower.text, span) or (span,)
    rest = Span(span.start, before[-1].end) if before else span
    if kind == "sentences":
        return rest, shower.line(rest)
    kept = shown.removesuffix(shower.line(last)).rstrip()
    return (rest, kept) if kept.endswith(_SENTENCE_ENDS) else (span, shown)


def _item_texts(group: Group, shower: ExtractRenderer) -> list[str]:
    return [shower.line(block.span) for block in group.blocks if block.kind == "item"]


def _led_by(group: Group, shower: ExtractRenderer) -> str:
    """Return what leads into a list; empty where nothing does."""
    first = group.blocks[0]
    return "" if first.kind == "item" else shower.line(first.span)


def _card_name(group: Group, stored: StoredText) -> str:
    """Return the name of the card that begins with a group; empty for other groups."""
    start = group.blocks[0].span.start
    return card_name(stored.text, stored.blocks, bisect_left(stored.blocks, start, key=lambda block: block.span.start))


def _behind_name(
    card: str, first_line: str, stretches: Iterable[tuple[PassageKind, Span, str]]
) -> Iterator[tuple[PassageKind, Span, str]]:
    """Yield stretches, those that begin with the first line of a card after its name."""
    for kind, span, shown in stretches:
        yield kind, span, named(card, shown) if card and shown.startswith(first_line) else shown


def _caption(group: Group, shower: ExtractRenderer) -> str:
    """Return the short title of a table, which is a heading above its rows; empty where it has none."""
    title = next((shower.line(block.span) for block in group.blocks if block.kind == "caption"), "")
    return title if word_count(title) <= _MOST_TITLE_WORDS else ""


def _cells(group: Group, shower: ExtractRenderer) -> list[list[str]]:
    return [shower.cells(block) for block in group.blocks if block.kind in ("header", "row")]


def _stretches(
    group: Group, shower: ExtractRenderer, titled: Collection[int]
) -> Iterator[tuple[PassageKind, Span, str]]:
    whole = shower.blocks(group.blocks)
    if word_count(whole) <= MOST_WORDS:
        yield _WHOLE[group.kind], group.span, whole
    elif group.kind in ("list", "definition", "table"):
        shortened = shower.shortened(group.blocks, MOST_WORDS)
        if shortened:
            yield "table" if group.kind == "table" else "list", group.span, shortened
    if group.kind == "prose":
        yield from _windows(group.span, shower)
        return
    leading = list(takewhile(lambda block: block.kind == "paragraph", group.blocks))
    if leading[1:]:  # a problem and its cause, before what leads into the steps that help
        yield from _prose(Span(leading[0].span.start, leading[-2].span.end), shower)
    if leading:
        yield from _before_lead_in(leading[-1].span, shower)
    if group.kind in ("list", "definition"):
        yield from _items(group, shower)
    elif group.kind == "table":
        yield from _rows(group, shower)
    elif word_count(whole) > MOST_WORDS or any(block.span.start in titled for block in group.blocks[1:]):
        pieces = code_pieces(group, shower, titled, MOST_WORDS)
        yield from (("code" if has_code else "sentences", span, shown) for has_code, span, shown in pieces)


def _before_lead_in(paragraph: Span, shower: ExtractRenderer) -> Iterator[tuple[PassageKind, Span, str]]:
    """Yield what a paragraph says before its last sentence, which leads into a list, a table or code."""
    *before, _ = sentences_in(shower.text, paragraph) or (paragraph,)
    if before:
        yield from _prose(Span(paragraph.start, before[-1].end), shower)


def _prose(span: Span, shower: ExtractRenderer) -> Iterator[tuple[PassageKind, Span, str]]:
    if word_count(shown := shower.line(span)) <= MOST_WORDS:
        yield "sentences", span, shown
    yield from _windows(span, shower)


def _windows(prose: Span, shower: ExtractRenderer) -> Iterator[tuple[PassageKind, Span, str]]:
    return (("sentences", window, shower.line(window)) for window in windows(shower.text, prose))


def _items(group: Group, shower: ExtractRenderer) -> Iterator[tuple[PassageKind, Span, str]]:
    """Yield each item of a list, or each definition, with what it holds, shown behind the lead-in.

    A lead-in speaks of all items, so the others are hinted at behind it.
    """
    entries = list(subtrees(group.blocks))
    for lead_in, blocks in entries:
        if all(block.kind == "term" for block in blocks):
            continue  # a name without its definition
        shown = shower.blocks(blocks)
        if word_count(shown) > MOST_WORDS:
            shown = shower.entry(blocks) or shower.shortened(blocks, MOST_WORDS) or shower.line(blocks[0].span)
        before = shower.lead_in(lead_in)
        parts = (before, shown, OTHERS if len(entries) > 1 else "") if before else (shown,)
        yield "item", Span(blocks[0].span.start, blocks[-1].span.end), "\n".join(filter(None, parts))


def _rows(group: Group, shower: ExtractRenderer) -> Iterator[tuple[PassageKind, Span, str]]:
    header: Block | None = None
    for block in group.blocks:
        if block.kind == "header":
            header = block
        elif block.kind == "row":
            words = shower.row(block, header).split(" ")
            yield "row", block.span, " ".join(words[:MOST_WORDS]) + (CUT if len(words) > MOST_WORDS else "")
        elif block.kind != "caption":
            yield "sentences", block.span, shower.line(block.span)
