"""Versions in headings: "2.1.0 - 2024-05-17" says when 2.1.0 came out, and since when that is so which stands below."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import takewhile

from pipelines.components.extractors.headings import Outline
from pipelines.components.sentences import word_count
from pipelines.query.citations import without_citations
from pipelines.query.extracts.language.kinds_of_change import kind_of_change, tells_only_when
from pipelines.query.extracts.passages.passages import Passage
from pipelines.query.question_types import names_new
from pipelines.query.verdicts.names import names, unknown
from pipelines.types import Block, Hit, Span, StoredText

_ASKS = re.compile(
    r"\b(?:when|(?:what|which)\s+(?:date|day|month|year))\b.*\b(?:released?|published|shipped|launched|out|available"
    r"|release\s+date)\b"
    r"|\brelease\s+date\b",
    re.IGNORECASE,
)
_ASKS_LATEST = re.compile(
    r"^\W*(?:(?:what|which)(?:['\u2019]s|\s+(?:is|was))|when\s+(?:did|was))\s+the\s+(?:current|last|latest|most\s+recent|newest)"
    r"\s+(?:stable\s+)?(?:\w+\s+)?(?:release|version)\b"
    r"(?!\s+(?:before|for|in\s+which|on|supporting|that|to|where|which|with|without|working)\b)",
    re.IGNORECASE,
)
"""The last version for or with something need not be the latest."""
_MOST_DATE_WORDS = 8
_FEWEST = 2
"""Headings with versions and dates in a text that lists releases."""
_CHANGED = r"(?:add|chang|deprecat|dropp?|first|fix|introduc|remov|renam|support)\w*"
_ALL_SUPPORTED = (
    r"(?!s\s+(?:are|can|does|do)\b.*\bsupport|\s+(?:can|does)\s+(?:(?!gain|get)[\w.+#-]+\s+){1,2}support\W*$)"
)
"""What does not follow: "Which Rust versions does Ebb support?" asks for all of them, not since which one."""
_ASKS_SINCE = re.compile(
    rf"\b(?:what|which)\s+(?:\w+\s+)?(?:release|version){_ALL_SUPPORTED}s?\b.*\b{_CHANGED}"
    r"|\bsince\s+(?:what|when|which)\b"
    rf"|\bwhen\s+(?:did|was|were)\b.*\b{_CHANGED}"
    r"|\b(?:what|which)\s+(?:is|was)\s+the\s+first\s+(?:\w+\s+)?(?:release|version)\b",
    re.IGNORECASE,
)
_FARTHEST = 5_000
"""Characters from a heading to what stands below it, if both are quoted."""
_MOST_BLOCKS = 50
"""Of a section, before a passage and behind it, that a note on all of it is looked for among."""
_VERSION = re.compile(r"(?<![\d.])\d+(?:\.\d+)+(?:-?(?:alpha|beta|rc|[ab])\.?\d+)?(?!\.?\d)", re.IGNORECASE)


def version_of(question: str) -> str:
    """Return the version that a question names, in lower case; empty if it names none or several."""
    versions = _VERSION.findall(question)
    return versions[0].lower() if len(versions) == 1 else ""


def has_version(text: str, version: str) -> bool:
    """Return whether a text names a version; it does not name it by a longer one."""
    return version in map(str.lower, _VERSION.findall(text))


def says_when(line: str) -> bool:
    """Return whether a line says little more than a date."""
    return word_count(line) <= _MOST_DATE_WORDS and names_new("date", line, "")


def release_headings(question: str, hits: Sequence[Hit], texts: Sequence[StoredText | None]) -> Sequence[Passage]:
    """Return the headings with a date and the version that a question asks the release of, or the latest version.

    All headings of the texts are looked at: the hits may be other versions' sections.
    """
    version = version_of(question) if _ASKS.search(question) else ""
    asks_latest = _ASKS_LATEST.search(question) is not None and not _VERSION.search(question)
    if not version and not asks_latest:
        return ()
    found: list[Passage] = []
    for hit, stored in texts_once(hits, texts):
        dated = list(_headings(question, hit, stored))
        if asks_latest and len(dated) >= _FEWEST:
            found.append(max(dated, key=_newness))
        found += (one for one in dated if version and has_version(one.shown, version))
    return of_named_product(question, found)


def lacks_release(question: str, passages: Sequence[Passage]) -> bool:
    """Return whether a question asks when a version came out that no passage speaks of: another one's date is wrong."""
    version = version_of(question) if _ASKS.search(question) else ""
    if not version:
        return False
    told = (found.lower() for one in passages for found in _VERSION.findall(f"{one.hit.source} {one.in_context}"))
    return not any(found == version or found.startswith(f"{version}.") for found in told)


def asks_since(question: str) -> bool:
    """Return whether it is asked since which version something is so."""
    return _ASKS_SINCE.search(question) is not None


def with_releases(question: str, passages: Sequence[Passage]) -> list[Passage]:
    """Return the passages; where a question asks since when something is so, each with the version it stands under.

    That is the note or the heading of the version, and the kind of change: the passage itself may only repeat the
    question.
    """
    return list(map(_with_release, passages)) if asks_since(question) else list(passages)


def _with_release(passage: Passage) -> Passage:
    if passage.is_outline or passage.computed_for:
        return passage
    note = _note_of(passage)
    return _under_version(passage) if note is None else _with_note(passage, note)


def _note_of(passage: Passage) -> Block | None:
    """Return the one block of the passage's section that says since when all of it is so: "New in version 2.4."."""
    blocks = passage.stored.blocks
    at = bisect_right(blocks, passage.span.start, key=lambda block: block.span.start)
    near = [*takewhile(partial(_is_near, passage), reversed(blocks[max(at - _MOST_BLOCKS, 0) : at]))]
    near += takewhile(partial(_is_near, passage), blocks[at : at + _MOST_BLOCKS])
    level = min((one.level for one in near if passage.span.start <= one.span.start < passage.span.end), default=0)
    notes = [one for one in near if one.level <= level and tells_only_when(_line(passage.stored, one))]
    return notes[0] if len(notes) == 1 else None


def _is_near(passage: Passage, block: Block) -> bool:
    """Return whether a block may be of the section that a passage stands in."""
    is_far = block.span.end < passage.span.start - _FARTHEST or block.span.start > passage.span.end + _FARTHEST
    return block.kind != "heading" and not is_far


def _with_note(passage: Passage, note: Block) -> Passage:
    if passage.span == note.span and not note.level:
        return _below_heading(passage, passage.headings[-1:])
    if passage.span.start <= note.span.start < passage.span.end:
        return passage
    span = Span(min(note.span.start, passage.span.start), max(note.span.end, passage.span.end))
    lines = (_line(passage.stored, note), passage.shown)
    return replace(passage, span=span, shown="\n".join(lines if note.span.start == span.start else reversed(lines)))


def _line(stored: StoredText, block: Block) -> str:
    return without_citations(" ".join(stored.text[block.span.start : block.span.end].split()))


def _under_version(passage: Passage) -> Passage:
    titles = [title for title in passage.headings if _VERSION.search(title)]
    is_told = titles and any(has_version(passage.shown, one.lower()) for one in _VERSION.findall(titles[-1]))
    if is_told:
        return passage
    kind = [one for one in passage.headings[-1:] if kind_of_change(one) is not None]
    return _below_heading(passage, titles[-1:], *kind)


def _below_heading(passage: Passage, titles: Sequence[str], *between: str) -> Passage:
    """Return the passage with the last of the titles of its headings above it, and the lines between the two."""
    above = (one for one in reversed(passage.stored.headings) if one.start < passage.span.start)
    heading = next((one for one in above if one.title in titles[-1:]), None)
    if heading is None or passage.span.end - heading.start > _FARTHEST:
        return passage
    shown = "\n".join((*map(without_citations, (heading.title, *between)), passage.shown))
    return replace(passage, span=Span(heading.start, passage.span.end), shown=shown)


def of_named_product(question: str, passages: Sequence[Passage]) -> Sequence[Passage]:
    """Return the passages whose texts have the names in a question, or all if none has them."""
    named = [one for one in passages if not unknown(names(question), " ".join((one.hit.source, one.in_context)))]
    return named or passages


def texts_once(hits: Sequence[Hit], texts: Sequence[StoredText | None]) -> Iterator[tuple[Hit, StoredText]]:
    """Yield each text that was kept, with the first of its hits."""
    seen: set[tuple[str, int]] = set()
    for hit, stored in zip(hits, texts, strict=True):
        if stored is not None and (hit.document_id, hit.version) not in seen:
            seen.add((hit.document_id, hit.version))
            yield hit, stored


def _headings(question: str, hit: Hit, stored: StoredText) -> Iterator[Passage]:
    """Yield the headings with a version and a date; the date may be in a short line below: "Released 17 May 2024"."""
    outline = Outline(stored.headings)
    for block, below in zip(stored.blocks, [*stored.blocks[1:], None], strict=True):
        if block.kind != "heading" or not _VERSION.search(stored.text, block.span.start, block.span.end):
            continue
        title = " ".join(stored.text[block.span.start : block.span.end].split())
        span, shown = block.span, title
        if below is not None and below.kind == "paragraph" and not names_new("date", title, question):
            line = " ".join(stored.text[below.span.start : below.span.end].split())
            if says_when(line):
                span, shown = Span(span.start, below.span.end), f"{title}\n{line}"
        if names_new("date", shown, question):
            path = outline.path(block.span.start)[:-1]
            yield Passage(
                hit, "sentences", span, without_citations(shown), path, stored, span.start, computed_for=question
            )


def _newness(heading: Passage) -> tuple[list[int], bool]:
    """Return what orders headings by their versions; a version comes after what leads up to it, such as "rc1"."""
    version = _VERSION.findall(heading.shown)[0]
    numbers, *leading = re.split(r"-?[a-z]", version, maxsplit=1, flags=re.IGNORECASE)
    return [int(part) for part in numbers.split(".")], not leading
