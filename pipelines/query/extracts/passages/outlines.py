"""Headings or terms that make a list: the sections "Lug sail", "Gaff sail" and "Square sail" are all the sails."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise, takewhile

from pipelines.components.extractors.headings import Outline
from pipelines.components.sentences import word_count
from pipelines.query.extracts.language.definitions import bare_heading
from pipelines.query.extracts.passages.passages import Passage
from pipelines.query.extracts.passages.releases import texts_once
from pipelines.query.extracts.passages.showing import ExtractRenderer
from pipelines.query.extracts.passages.windows import MOST_WORDS, sentences_in
from pipelines.query.question_types import question_form, question_thing
from pipelines.query.terms import Terms
from pipelines.types import Block, Heading, Hit, Span, StoredText

_FEWEST, _MOST = 3, 25
_MOST_CHARS = 15_000
"""From the first of the headings to the last: all of it is quoted."""
_MOST_WORDS = 6
_TASK = re.compile(r"(?:(?-i:[A-Z]?[a-z]+ing)|how|what|when|where|why|about|more|an?|the)\b", re.IGNORECASE)
"""The beginning of a heading that tells of work with a thing, or of all of them, and is no name of one."""
_ARTICLE = re.compile(r"(?:an?|the)\s+(?=\S+\s)", re.IGNORECASE)
_SIGN = re.compile(r"[\W_]")
_GENERIC_TITLE = re.compile(
    r"(?:background|configuration|details|(?:\w+ )?examples?|faq|history|installation|intro(?:duction)?|limitations"
    r"|notes?|overview|parameters|prerequisites|references?|requirements|see also|summary|synopsis|syntax|tips"
    r"|troubleshooting|usage)",
    re.IGNORECASE,
)
"""Headings found on any page, such as "Overview"; they name no thing."""
_GENERIC = re.compile(
    r"\b(?:all|available|built-?in|different|kinds|list|of|possible|reference|supported|the|types)\b", re.IGNORECASE
)
"""Words of a heading that what stands below it are kinds of."""


def outlines_of(
    question: str, hits: Sequence[Hit], texts: Sequence[StoredText | None], terms: Terms
) -> Iterator[Passage]:
    """Yield a passage for each run of headings that name the things of a question; there are none where it asks for
    no things.

    They are called by that name, or stand under it alone.
    """
    thing = question_thing(question)
    if question_form(question) != "list" or not thing:
        return
    beside, known = terms(question) - terms(thing), list(texts_once(hits, texts))
    for hit, stored in known:
        for run in _runs(thing, hit, stored, terms):
            passage = _passage(hit, stored, run)
            above = frozenset[int]() if _are_called(run, thing, terms) else terms(told_above(passage))
            if not _tells_apart(run, beside - above, terms) and not _are_aspects(run, hit, stored, known):
                yield passage
        yield from _of_terms(thing, hit, stored, terms)


def told_above(passage: Passage) -> str:
    """Return what stands above the headings of a passage: its title, the headings there and the name of its file."""
    return " ".join((passage.hit.title, *passage.headings, _SIGN.sub(" ", passage.hit.source)))


def _are_called(run: Sequence[Heading], thing: str, terms: Terms) -> bool:
    """Return whether each of some headings says what it is the name of: "Lug sail", "Gaff sail"."""
    head = terms(thing.rsplit(maxsplit=1)[-1])
    return all(head <= terms(one.title) for one in run)


def _of_terms(thing: str, hit: Hit, stored: StoredText, terms: Terms) -> Iterator[Passage]:
    """Yield a passage for the terms below a heading that names the things, where prose says what each of them is."""
    outline, blocks = Outline(stored.headings), [block for block in stored.blocks if block.level == 0]
    if all(block.kind != "term" for block in blocks):
        return
    starts = [block.span.start for block in blocks]
    ends = (*(one.start for one in stored.headings[1:]), len(stored.text))
    for heading, end in zip(stored.headings, ends, strict=False):  # of a text without headings there is an end alone
        path = tuple(outline.path(heading.start))
        if _names_all(heading.title, thing, terms(" ".join((hit.title, *path))), terms):
            inside = blocks[bisect_left(starts, heading.start) : bisect_left(starts, end)]
            found = _term_list(inside, hit, stored, path, lambda said: terms(thing) <= terms(said))
            yield from (found,) if found is not None else ()


def _term_list(
    inside: Sequence[Block], hit: Hit, stored: StoredText, path: tuple[str, ...], leads_in: Callable[[str], bool]
) -> Passage | None:
    """Return the terms of a section, each with the sentence behind it; a sentence above them may lead into them."""
    entries = [(one, said) for one, said in pairwise(inside) if one.kind == "term" and said.kind == "paragraph"]
    if not _FEWEST <= len(entries) <= _MOST or entries[-1][1].span.end - inside[0].span.start > _MOST_CHARS:
        return None
    renderer = ExtractRenderer(stored.text)
    prose = takewhile(lambda block: block.kind != "term", inside)
    above = (one for block in prose if block.kind == "paragraph" for one in sentences_in(stored.text, block.span))
    lead_in = next((one for one in above if leads_in(renderer.line(one))), None)
    first = [(one.span, sentences_in(stored.text, behind.span)[0]) for one, behind in entries]
    items = [f"- {renderer.line(name)}: {renderer.line(said)}" for name, said in first]
    shown = "\n".join([renderer.line(lead_in), *items] if lead_in is not None else items)
    if word_count(shown) > MOST_WORDS:
        return None
    span = Span((lead_in or entries[0][0].span).start, entries[-1][1].span.end)
    return Passage(hit, "list", span, shown, path, stored, span.start, is_outline=True)


def _runs(thing: str, hit: Hit, stored: StoredText, terms: Terms) -> Iterator[Sequence[Heading]]:
    """Yield the headings of one parent that name the things, where they are most of its headings."""
    wanted, head = terms(thing), terms(thing.rsplit(maxsplit=1)[-1])
    outline = Outline(stored.headings)
    for path, siblings in families(stored.headings, outline):
        places = terms(" ".join((hit.title, *path)))
        called = [one for one in siblings if _is_called(one.title) and head <= terms(one.title.split()[-1])]
        if _is_list(called) and len(called) * 2 > len(siblings) and wanted <= places | terms(called[0].title):
            yield called
        elif path and wanted and _names_all(path[-1], thing, places, terms):
            if any(_names_all(one.title, thing, places, terms) for one in siblings):
                continue  # the things are listed under that sibling: "Sail types" under "Sails"
            named = [one for one in siblings if _is_name(one.title)]
            if _is_list(named) and len(named) * 2 > len(siblings) and not called:
                yield named


def _tells_apart(run: Sequence[Heading], beside: frozenset[int], terms: Terms) -> bool:
    """Return whether one heading names what the question has ``beside`` the things, and another does not: that one's
    section answers "Which knots hold a dinghy?", not the list of it and "Knots for a barge".
    """
    having = [bool(beside & terms(one.title)) for one in run]
    return any(having) and not all(having)


def _are_aspects(run: Sequence[Heading], hit: Hit, stored: StoredText, known: Sequence[tuple[Hit, StoredText]]) -> bool:
    """Return whether documents on other things have these headings too: "Use", "Care" and "Storage" name no sails.

    Another edition of the same document has them under the same heading, or title.
    """
    *_, above = (hit.title, *Outline(stored.headings).path(run[0].start)[:-1])
    others = [(each.title, [one.title for one in other.headings]) for each, other in known if other is not stored]
    titles = frozenset(
        title for name, headings in others if above != name and above not in headings for title in headings
    )
    return sum(one.title in titles for one in run) * 2 >= len(run)


def families(headings: Sequence[Heading], outline: Outline) -> Iterator[tuple[tuple[str, ...], list[Heading]]]:
    """Yield the headings of each parent, with the titles above them."""
    by_parent: dict[int, list[Heading]] = {}
    open_: list[Heading] = []
    for heading in headings:
        while open_ and open_[-1].level >= heading.level:
            open_.pop()
        by_parent.setdefault(open_[-1].start if open_ else -1, []).append(heading)
        open_.append(heading)
    for parent, siblings in by_parent.items():
        yield outline.path(parent), siblings


def _is_name(title: str) -> bool:
    bare = bare_heading(title)
    is_short = bool(bare) and len(bare.split()) <= _MOST_WORDS and bare[-1] not in "?!:"
    return is_short and _TASK.match(bare) is None and _GENERIC_TITLE.fullmatch(bare) is None


def _is_called(title: str) -> bool:
    """Return whether a heading is a name in plain words, also with an article: "moor_boat" is called no boat."""
    return _is_name(_ARTICLE.sub("", title, count=1)) and "_" not in title


def _is_list(headings: Sequence[Heading]) -> bool:
    fits = _FEWEST <= len(headings) <= _MOST
    return fits and headings[-1].start - headings[0].start <= _MOST_CHARS


def _names_all(title: str, thing: str, places: frozenset[int], terms: Terms) -> bool:
    """Return whether a heading is the name of all the things and nothing else: "Available sails".

    What the places above it say it need not say again: "Sails" under "Boats" for boat sails.
    """
    named, things = _bare_terms(title, terms), _bare_terms(thing, terms)
    head = terms(thing.rsplit(maxsplit=1)[-1])
    return named == things or (head <= named < things <= places | named)


def _bare_terms(title: str, terms: Terms) -> frozenset[int]:
    return terms(_GENERIC.sub(" ", bare_heading(title)))


def _passage(hit: Hit, stored: StoredText, run: Sequence[Heading]) -> Passage:
    last = run[-1]
    line_end = stored.text.find("\n", last.start)
    span = Span(run[0].start, line_end if line_end >= 0 else len(stored.text))
    path = tuple(Outline(stored.headings).path(run[0].start))[:-1]
    shown = "\n".join(f"- {one.title}" for one in run)
    return Passage(hit, "list", span, shown, path, stored, span.start, is_outline=True)
