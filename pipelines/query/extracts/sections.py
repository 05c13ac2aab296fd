"""Finds the sections that a question names: under "What is a PEP?", or under the setting that is asked about.

An entry of a glossary is one too, where the question asks what its term is.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice, takewhile

from pipelines.query.extracts.language.commands import asked_command
from pipelines.query.extracts.language.defaults import settings_in
from pipelines.query.extracts.language.defining import defining_paragraphs, naming_places
from pipelines.query.extracts.language.definitions import (
    KINDS,
    definition_of,
    definition_of_any,
    is_introductory,
    joined,
)
from pipelines.query.extracts.language.named_headings import NamedHeadings
from pipelines.query.extracts.language.tasks import asks_what_to_do, says_what_to_do
from pipelines.query.extracts.passages.beginnings import LEAST_WORDS, begins_document, begins_section
from pipelines.query.extracts.passages.passages import Passage
from pipelines.query.front_pages import is_front_page
from pipelines.query.identifiers import is_entry_of_option
from pipelines.query.makers import asks_who_made, is_of_makers, made_thing
from pipelines.query.short_names import short_name
from pipelines.query.terms import Terms
from pipelines.types import CELL_BREAK, Block, Heading, Hit, Span, StoredText

_READ = 1_500
"""Characters of a section that are read: what a thing is stands at its beginning."""
_LEAST_ENTRY_WORDS = 3
"""Of the paragraph that a section of one thing begins with: "Raise the sail"."""
_TAGLINE = re.compile(
    r"(?!.*[.!?]\s)(?!.*\b(?:am|are|can|do|does|has|have|is|must|should|was|were|will|you|your|we|our|see|please)\b)(?:an?|the)?\s*"
    r"[^\s.!?][^!?]{10,160}(?<=\w)[.!]?",
    re.IGNORECASE,
)
"""What a thing is, without a verb: "A lamp for sailors, made of brass"."""
_ASKS_THING = re.compile(rf"\W*what(?:'s|\s+(?:is|are))\s+(?:an?|the)\s+(?!.*\b(?:{KINDS})s?\b)", re.IGNORECASE)
_OF_SETTING = re.compile(
    r"(?:(?:if|when)\s+(?:this\s+(?:option|setting|variable)\s+is\s+)?(?:set|unset|enabled|disabled)\b"
    r"|this\s+(?:option|parameter|setting|variable)\b)",
    re.IGNORECASE,
)
"""How the description of a setting begins: it is called after the thing, and does not say what that is."""
_MOST_TERM_CHARS = 400
_MOST_MARKS = 4
"""Characters of a heading beside its title, such as signs and line breaks."""
_FIRST_NAME = re.compile(r"\s*(?:[-*•]|\w{1,3}[.)])?\s*([\w.:-]*\w)")
"""The word that an item begins with."""
_SAID_OF = re.compile(
    r"\s{0,10}+(?:[-*•]|\w{1,3}[.)])?\s{0,10}+([^\s\u2013\u2014:][^\n\u2013\u2014:]{1,59}?)\s{0,3}(?:[\u2013\u2014]|\s-\s|:\s)"
)
"""An item that says what a thing is behind its name: "- caulker \u2013 a tool for seams"."""
_NOT_NAME = re.compile(
    r"^(?:async|awaitable|class|classmethod|coroutine|exception|function)\s|[(\[][^()\[\]]*|[)\]]|[=<][^,]*"
)
"""What stands beside the names in a term: "class Rope(length)", "-d, --depth=<depth>"."""
_ASKS_KEY = re.compile(
    r"\W*(?:who|what|when|where)(?:'s|\s+(?:is|are|was|were))\s+(?:(?:an?|the|my|our|your)\s+)?(\w[\w .'-]{0,60}?)\W*$",
    re.IGNORECASE,
)
"""Asks for a value by its name: "Who is the skipper?" is answered by the row "Skipper | Ann"."""
_PARTY = re.compile(
    r"\([^()\"\u201c\u201e]{0,40}[\"\u201c\u201e](?:the\s+)?([^()\"\u201c\u201d]{2,40})[\"\u201c\u201d]\s*\)",
    re.IGNORECASE,
)
"""What a contract calls a party or a thing behind its name: '(hereinafter "the Tenant")'."""


class NamedSections:
    """The sections of documents whose headings say what a question asks about, and no more.

    Args:
        question: The question.
        terms: The terms of a text.
        hits: What was found.
        texts: The texts of ``hits``.
    """

    def __init__(
        self, question: str, terms: Terms, hits: Sequence[Hit] = (), texts: Sequence[StoredText | None] = ()
    ) -> None:
        self._question = question
        self._terms = terms
        self._asked = terms(question)
        self._headings = NamedHeadings(question, terms)
        self._command = asked_command(question)
        self._definition, self._thing = definition_of(question), definition_of_any(question)
        self._asks_thing = _ASKS_THING.match(question) is not None
        self._made = terms(made_thing(question)) if asks_who_made(question) else frozenset()
        key = _ASKS_KEY.fullmatch(question)
        self._short = short_name(question)
        self._key = joined(key[1]) if key else ""
        self._whole = joined(question)
        self._other_cases = _of_other_cases(question, terms, hits, texts)

    def names(self, heading: str) -> bool:
        """See `NamedHeadings`."""
        return self._headings.names(heading)

    def holds(self, passage: Passage) -> bool:
        """Return whether a passage stands right below such a heading, or begins a document that has such a title."""
        heading = passage.headings[-1] if passage.headings else ""
        if passage.kind == "item" and self._begins_with_identifier(passage):
            return True
        if self._is_of_other_case(passage.hit, heading):
            return False
        if self._headings.is_of_task(heading):
            return self._asked <= self._terms(f"{passage.hit.source} {passage.in_context}")
        if self._made and is_of_makers(heading):
            return self._made <= self._terms(passage.in_context)
        return self.names(heading) or (self.names(passage.hit.title) and begins_document(passage))

    def shows_how(self, passage: Passage) -> bool:
        """Return whether it is asked how to do something, and a passage of such a section is code or a list."""
        return self._headings.asks_task and passage.kind in ("code", "list")

    def defines(self, passage: Passage) -> bool:
        """Return whether a passage stands right below the name of what a definition is asked of.

        A heading such as "Purpose" may be between them; the name may be the title.
        """
        if self._definition is None or not passage.headings:
            return False
        *_, above, heading = (passage.hit.title, *passage.headings)
        names = (heading, above) if is_introductory(heading) else (heading,)
        return any(map(self._definition.is_of, names))

    def introduces(self, passage: Passage) -> bool:
        """Return whether a passage begins such a section or a document of that title, or is such an entry or row."""
        if passage.kind in ("row", "code"):
            return self._is_keyed(passage) if passage.kind == "row" else self._is_of_setting(passage)
        if self._key and passage.kind == "sentences" and self._key in map(joined, _PARTY.findall(passage.shown)):
            return True
        if passage.is_inside or (self._asks_thing and _OF_SETTING.match(passage.shown)):
            return False
        if self.defines(passage):
            starts = [heading.start for heading in passage.stored.headings]
            at = bisect_right(starts, passage.span.start)
            start = starts[at - 1] if at else 0
            begins = begins_section(passage, start, _LEAST_ENTRY_WORDS if at else LEAST_WORDS)
            return begins or self._says_what(passage, start)
        return self._definition is not None and (
            self._is_entry(passage)
            or (self._definition.is_of(passage.hit.title) and begins_document(passage))
            or (is_front_page(passage.hit.source) and self._says_what(passage, 0))
        )

    def _says_what(self, passage: Passage, start: int) -> bool:
        """Return whether prose soon after ``start`` begins with the sentence that says what the thing is."""
        is_near = passage.span.start <= start + _READ // 2
        if self._definition is None or passage.kind != "sentences" or not is_near:
            return False
        return self._definition.sentence.match(passage.shown) is not None

    def _is_of_setting(self, code: Passage) -> bool:
        """Return whether code is a function or settings of which one is asked about, and says its value if that is
        asked for.

        Such code has its heading in itself.
        """
        starts = [heading.start for heading in code.stored.headings]
        at = bisect_right(starts, code.span.start) - 1
        is_stanza = bisect_left(starts, code.span.end) - 1 <= at or not starts
        if is_stanza and any(map(self._headings.is_setting, settings_in(code.shown))):
            return True
        names = code.stored.headings[at].title.split(", ") if at >= 0 else []
        return at >= 0 and starts[at] == code.span.start and any(map(self._is_of_thing, names))

    def _is_keyed(self, row: Passage) -> bool:
        """Return whether a row consists of the name that is asked for and its value."""
        name, values = _cells(row.stored.text, row.span)
        is_value = len(values) == 1 and self._key != "" and joined(name) == self._key
        return is_value or self._is_of_short(name, values)

    def is_tagline(self, passage: Passage) -> bool:
        """Return whether a passage is the line below a title that says what the thing is: no name of it, no verb."""
        return (
            self._thing is not None
            and self._thing.is_of(passage.hit.title)
            and not self._thing.heading.search(passage.shown)
            and _TAGLINE.fullmatch(passage.shown) is not None
            and begins_document(passage)
        )

    def replies(self, passage: Passage) -> bool:
        """Return whether a section begins with a passage whose heading is the question, as in an FAQ, or names the
        things to compare.
        """
        heading = _heading_above(passage)
        if heading is None or not (self._is_question(heading) or self._headings.compares(heading.title)):
            return False
        return begins_section(passage, heading.start)

    def begins_reply(self, passage: Passage) -> bool:
        """Return whether a passage is the very beginning of what stands below the question, as in an FAQ."""
        heading = _heading_above(passage)
        if heading is None or passage.kind != "sentences" or not self._is_question(heading):
            return False
        between = passage.stored.text[heading.start : passage.span.start].strip()
        return len(between) <= len(heading.title) + _MOST_MARKS

    def _is_question(self, heading: Heading) -> bool:
        return joined(heading.title) == self._whole or self._headings.asks_same(heading.title)

    def spans(self, stored: StoredText, hit: Hit) -> Iterator[Span]:
        """Return the beginnings of such sections of a text, its own if it has such a title, and what says what the
        thing is.

        Where it is asked what a thing is, a front page begins with what it is about.
        """
        if self.names(hit.title) or (self._definition is not None and is_front_page(hit.source)):
            yield Span(0, min(len(stored.text), _READ))
        starts = [heading.start for heading in stored.headings]
        ends = [*starts[1:], len(stored.text), len(stored.text)]
        for at, heading in enumerate(stored.headings):
            of_makers = self._made and is_of_makers(heading.title)
            named = (
                self.names(heading.title)
                or self._headings.is_of_task(heading.title)
                or self._is_of_thing(heading.title)
            )
            if (named or of_makers) and not self._is_of_other_case(hit, heading.title):
                introduced = at + 1 < len(starts) and is_introductory(stored.headings[at + 1].title)
                yield Span(heading.start, min(ends[at + introduced], heading.start + _READ))
        yield from (block.span for block in stored.blocks if self._is_term(stored.text, block))
        if self._thing is not None:
            yield from defining_paragraphs(stored, self._thing, hit.span)
        if self._short:
            yield from naming_places(stored, self._short)
            rows = (block.span for block in stored.blocks if block.kind == "row")
            yield from (row for row in rows if self._is_of_short(*_cells(stored.text, row)))

    def _is_of_other_case(self, hit: Hit, heading: str) -> bool:
        """Return whether a section says what to do in another case than the one that is asked about."""
        return hit.document_id in self._other_cases and says_what_to_do(heading)

    def _is_of_thing(self, heading: str) -> bool:
        return self._definition is not None and self._definition.is_of(heading)

    def _is_entry(self, passage: Passage) -> bool:
        if passage.kind != "item":
            return False
        if self._begins_with_identifier(passage):
            return True
        text, blocks = passage.stored.text, passage.stored.blocks
        said = _SAID_OF.match(text, passage.span.start, passage.span.end)
        if said is not None and self._is_of_thing(said[1]):
            return True
        at = bisect_left(blocks, passage.span.start, key=lambda block: block.span.start)
        terms = list(takewhile(_is_any_term, islice(blocks, at, None)))
        return any(self._is_term(text, block) for block in terms) or self._is_command(passage, terms)

    def _is_command(self, passage: Passage, terms: Sequence[Block]) -> bool:
        """Return whether an entry is of the command that is asked about: "furl" of "What does ebb furl do?"."""
        if self._command is None or not terms:
            return False
        term = passage.stored.text[terms[0].span.start : terms[0].span.end]
        return self._command.begins(term, " ".join((passage.hit.title, *passage.headings)))

    def _begins_with_identifier(self, passage: Passage) -> bool:
        """Return whether an item begins with an identifier of the question, not with one that only begins like it."""
        written = passage.stored.text[passage.span.start : passage.span.end]
        first = _FIRST_NAME.match(written)
        is_named = first is not None and self._headings.has_identifier(first[1])
        return is_named or is_entry_of_option(self._question, written)

    def _is_of_short(self, name: str, values: Sequence[str]) -> bool:
        """Return whether a row of some values is called by the short name that is asked about."""
        return self._short != "" and bool(values) and joined(name) == joined(self._short)

    def _is_term(self, text: str, block: Block) -> bool:
        """Return whether a block is the term of what a definition is asked of."""
        if block.kind != "term" or block.span.end - block.span.start > _MOST_TERM_CHARS:
            return False
        term = text[block.span.start : block.span.end]
        names = _NOT_NAME.sub("", term).split(", ")
        is_named = self._definition is not None and any(map(self._definition.is_of, names))
        return is_named or is_entry_of_option(self._question, term)


def _cells(text: str, row: Span) -> tuple[str, list[str]]:
    """Return the first cell of a row, and the others."""
    name, *values = text[row.start : row.end].split(CELL_BREAK)
    return name, values


def _heading_above(passage: Passage) -> Heading | None:
    return next((one for one in reversed(passage.stored.headings) if one.start <= passage.span.start), None)


def _of_other_cases(
    question: str, terms: Terms, hits: Sequence[Hit], texts: Sequence[StoredText | None]
) -> frozenset[str]:
    """Return the ids of the documents that say what to do and mention fewer terms of the question than another one.

    There are none if it is not asked what to do.
    """
    if not asks_what_to_do(question):
        return frozenset()
    asked, mentioned = terms(question), dict[str, int]()
    for hit, stored in zip(hits, texts, strict=True):
        if hit.document_id in mentioned or stored is None:
            continue
        if any(says_what_to_do(heading.title) for heading in stored.headings):
            mentioned[hit.document_id] = len(asked & terms(stored.text))
    most = max(mentioned.values(), default=0)
    return frozenset(document_id for document_id, count in mentioned.items() if count < most)


def with_sections(
    sections: NamedSections, hits: Sequence[Hit], texts: Sequence[StoredText | None]
) -> tuple[list[Hit], list[StoredText | None]]:
    """Return hits and their texts, and behind them the named sections of the documents that were found."""
    documents: dict[tuple[str, int], tuple[Hit, StoredText | None]] = {}
    for hit, stored in zip(hits, texts, strict=True):
        documents.setdefault((hit.document_id, hit.version), (hit, stored))
    further = [
        (replace(hit, span=span), stored)
        for hit, stored in documents.values()
        if stored is not None
        for span in sections.spans(stored, hit)
    ]
    return [*hits, *(hit for hit, _ in further)], [*texts, *(stored for _, stored in further)]


def _is_any_term(block: Block) -> bool:
    return block.kind == "term"
