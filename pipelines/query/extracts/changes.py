"""What changed in a version: what a text such as a changelog has under the heading of that version."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pipelines.components.extractors.headings import Outline
from pipelines.components.sentences import word_count
from pipelines.query.extracts.passages.passages import Passage
from pipelines.query.extracts.passages.releases import (
    has_version,
    of_named_product,
    says_when,
    texts_once,
    version_of,
)
from pipelines.query.extracts.passages.showing import CUT, ITEM_MARK, OTHERS, ExtractRenderer
from pipelines.query.terms import Terms
from pipelines.query.verdicts.names import names
from pipelines.types import Block, Hit, Span, StoredText

_ASKS = re.compile(
    r"^\W*(?:what|which(?!\s+(?:release|version)))\b.*\b(?:new|chang(?:ed?|es)|added|fix(?:ed|es)|removed|dropped"
    r"|deprecated|introduced|improved|features?|bugs?)\b",
    re.IGNORECASE,
)
_KINDS = tuple(
    (re.compile(asks, re.IGNORECASE), re.compile(told, re.IGNORECASE))
    for asks, told in (
        (r"\b(?:fix(?:ed|es)|bugs?)\b", r"\b(?:bug|fix|resolve)"),
        (r"\b(?:removed|dropped)\b", r"\b(?:remov|drop|delet)"),
        (r"\bdeprecated\b", r"\bdeprecat"),
        (r"\b(?:added|introduced|features?)\b", r"\b(?:add|new|feature|enhance|introduce|support)"),
    )
)
"""What asks for one kind of change, and the first word of what tells of it: features may be removed, too."""
_NO_WORDS = re.compile(r"\W*")
_CHANGES = (
    "what which is are was were has have been did in of for the new change changes changed added fix fixes fixed"
    " removed dropped deprecated introduced improved feature features bug bugs release released version"
)
_MOST_WORDS = 110
_LEAST_WORDS = 8
"""Of an entry: cut shorter, it says too little."""
_LONGEST_LABEL = 4
_MOST_CHARS = 15_000
"""All of a section is quoted."""


@dataclass(slots=True)
class _Group:
    """Entries under one label, such as "Fixed"; the label of those under the version's heading itself is empty."""

    label: str
    entries: list[Block] = field(default_factory=list)


def with_changes(
    question: str, passages: Sequence[Passage], hits: Sequence[Hit], texts: Sequence[StoredText | None], terms: Terms
) -> list[Passage]:
    """Return the passages, and what stands under the version that a question asks the changes of, instead of its parts.

    Each text gives one passage. If there are many changes, each is cut short. If the question asks for one kind of
    change, the passage has only that kind. If it asks about one thing in a version, the passages stay as they are.
    """
    version = version_of(question) if _ASKS.match(question) else ""
    if not version:
        return list(passages)
    found = (_section(question, version, hit, stored) for hit, stored in texts_once(hits, texts))
    told = of_named_product(question, [one for one in found if one is not None and _is_all(question, one, terms)])
    return [*told, *(one for one in passages if not any(whole.overlaps(one) for whole in told))]


def _is_all(question: str, section: Passage, terms: Terms) -> bool:
    """Return whether a question names nothing but changes, the version and a product."""
    place = (section.hit.title, section.hit.source, *section.headings)
    return terms(question) <= terms(" ".join((*place, *names(question), _CHANGES)))


def _section(question: str, version: str, hit: Hit, stored: StoredText) -> Passage | None:
    shower = ExtractRenderer(stored.text)
    at = next((at for at, one in enumerate(stored.blocks) if _begins(one, version, shower)), None)
    groups = _asked(question, list(_groups(stored.blocks[at:], shower)), shower) if at is not None else []
    if not groups:
        return None
    span = Span(groups[0].entries[0].span.start, groups[-1].entries[-1].span.end)
    if span.end - span.start > _MOST_CHARS:
        return None
    path = Outline(stored.headings).path(span.start)
    return Passage(hit, "list", span, _shown(groups, shower), path, stored, span.start, computed_for=question)


def _begins(block: Block, version: str, shower: ExtractRenderer) -> bool:
    return block.kind == "heading" and has_version(shower.line(block.span), version)


def _groups(blocks: Sequence[Block], shower: ExtractRenderer) -> Iterator[_Group]:
    """Yield the groups of entries under the heading that ``blocks`` begin with, those without entries left out."""
    first, *rest = blocks
    group = _Group("")
    for block, behind in zip(rest, [*rest[1:], first], strict=True):
        if block.kind == "heading" and block.level <= first.level:
            break
        line = shower.line(block.span)
        if block.kind == "paragraph" and says_when(line):
            continue
        leads = block.kind == "paragraph" and behind.kind == "item" and word_count(line) <= _LONGEST_LABEL
        if block.kind == "heading" or leads:
            if group.entries:
                yield group
            group = _Group(line.rstrip(":"))
        elif block.kind == "paragraph" or (block.kind == "item" and not _is_inside(block, group)):
            group.entries.append(block)
    if group.entries:
        yield group


def _is_inside(block: Block, group: _Group) -> bool:
    """Return whether an item is of a list inside of an entry."""
    return bool(group.entries) and group.entries[0].kind == "item" and block.level > group.entries[0].level


def _asked(question: str, groups: list[_Group], shower: ExtractRenderer) -> list[_Group]:
    """Return the groups that tell of the kind of change asked for; of a group without a label, the entries that do."""
    told = next((told for asks, told in _KINDS if asks.search(question)), None)
    if told is None:
        return groups
    labelled = [group for group in groups if _labels(group.label, told)]
    unlabelled = [one for group in groups if not group.label for one in group.entries]
    entries = [one for one in unlabelled if told.match(_NO_WORDS.sub("", _entry(one, shower), count=1))]
    return [_Group("", entries), *labelled] if entries else labelled


def _labels(label: str, told: re.Pattern[str]) -> bool:
    """Return whether a label is one of changes of a kind; "Removed features" are none that were added."""
    *others, (_, added) = _KINDS
    if told is added and any(other.search(label) for _, other in others):
        return False
    return told.search(label) is not None


def _shown(groups: Sequence[_Group], shower: ExtractRenderer) -> str:
    """Return the groups with their labels, in so many words that they can be read at a glance."""
    entries = sum(len(group.entries) for group in groups)
    each = max(_MOST_WORDS // entries, _LEAST_WORDS)
    most = max(_MOST_WORDS // each // len(groups), 1)
    lines = []
    for group in groups:
        lines += [f"{group.label}:"] if group.label else []
        kept = group.entries if entries * each <= _MOST_WORDS else group.entries[:most]
        lines += [f"- {_cut(_entry(one, shower), each)}" for one in kept]
        lines += [OTHERS] if len(kept) < len(group.entries) else []
    return "\n".join(lines)


def _entry(block: Block, shower: ExtractRenderer) -> str:
    return ITEM_MARK.sub("", shower.line(block.span))


def _cut(text: str, most: int) -> str:
    return text if word_count(text) <= most else " ".join(text.split()[:most]) + CUT
