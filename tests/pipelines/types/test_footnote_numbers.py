"""Sources in the order in which an answer cites them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pipelines.types import (
    Answer,
    AnswerDone,
    AnswerEvent,
    Citation,
    CitationMade,
    Claim,
    Heartbeat,
    Hit,
    SourcesFound,
    Span,
    TextWritten,
)
from pipelines.types.footnote_numbers import cited_first, cited_first_events, cited_names


def hit(chunk_id: str) -> Hit:
    return Hit(chunk_id, "d", 1, "t", "s", "text", {}, 0.5, {}, Span(0, 4))


def citation(number: int, chunk_id: str) -> Citation:
    return Citation(number, "d", 1, chunk_id, "t", "s", "text", Span(0, 4), None, None, ())


def answer(text: str, *citations: Citation) -> Answer:
    sources = (hit("a"), hit("b"), hit("c"))
    return Answer("id", "q", text, False, None, 1.0, citations, (), sources, "m", True, False, 1, {})


def ordered(given: Answer) -> tuple[str, list[str]]:
    text, hits, _ = cited_first(given)
    return text, [one.chunk_id for one in hits]


def test_cited_sources_come_first_in_the_order_of_use() -> None:
    given = answer("One [1]. Two [2].", citation(1, "c"), citation(2, "a"))
    assert ordered(given) == ("One [1]. Two [2].", ["c", "a", "b"])


def test_two_footnotes_of_one_source_have_its_number() -> None:
    given = answer("One [1]. Two [2]. Three [3].", citation(1, "b"), citation(2, "b"), citation(3, "a"))
    assert ordered(given) == ("One [1]. Two [1]. Three [2].", ["b", "a", "c"])


def test_other_brackets_stay() -> None:
    given = answer("See table [9] and a[0] [1].", citation(1, "c"))
    assert ordered(given) == ("See table [9] and a[0] [1].", ["c", "a", "b"])


def test_without_citations_the_sources_stay_as_they_are() -> None:
    assert ordered(answer("Nothing is known.")) == ("Nothing is known.", ["a", "b", "c"])


def streamed(given: Answer, *events: AnswerEvent) -> tuple[str, list[tuple[int, str]]]:
    """The text that the events put together, and their footnotes."""
    renumbered = list(cited_first_events([SourcesFound(given.sources), *events, AnswerDone(given)]))
    assert renumbered[0] == SourcesFound(given.sources)
    assert renumbered[-1] == AnswerDone(given)
    text = "".join(event.text for event in renumbered if isinstance(event, TextWritten))
    made = [event.citation for event in renumbered if isinstance(event, CitationMade)]
    return text, [(one.number, one.chunk_id) for one in made]


def test_a_stream_counts_as_the_whole_answer_does() -> None:
    notes = citation(1, "b"), citation(2, "b"), citation(3, "a")
    given = answer("One [1]. Two [2]. Three [3].", *notes)
    pieces = ("One [1].", " Two [2].", " Three [3].")
    events = [
        event for piece, note in zip(pieces, notes, strict=True) for event in (TextWritten(piece), CitationMade(note))
    ]
    text, made = streamed(given, *events)
    assert text == cited_first(given)[0] == "One [1]. Two [1]. Three [2]."
    assert made == [(1, "b"), (1, "b"), (2, "a")]


def test_a_stream_with_trailing_footnotes_keeps_its_numbers() -> None:
    notes = citation(1, "c"), citation(2, "a")
    given = answer("One [1]. Two [2].", *notes)
    written = [TextWritten(piece) for piece in ("One ", "[1]", ".", " Two ", "[2]", ".")]
    text, made = streamed(given, *written, *map(CitationMade, notes))
    assert text == cited_first(given)[0] == "One [1]. Two [2]."
    assert made == [(1, "c"), (2, "a")]


def test_text_without_a_footnote_does_not_wait() -> None:
    taken: list[str] = []

    def written() -> Iterator[AnswerEvent]:
        for text in ("One", " two"):
            taken.append(text)
            yield TextWritten(text)

    assert next(cited_first_events(written())) == TextWritten("One")
    assert taken == ["One"]


def test_several_answers_cite_files_by_one_numbering() -> None:
    sources = (
        replace(hit("a"), source="one.md"),
        replace(hit("b"), source="two.md"),
        replace(hit("c"), source="one.md"),
    )
    cited = {chunk: replace(citation(0, chunk), source=source) for chunk, source in (("a", "one.md"), ("b", "two.md"))}
    first = answer("It is so [1].", replace(cited["b"], number=1))
    second = answer("One [1][2]. Two [3].", *(replace(cited[c], number=n) for n, c in enumerate("aab", 1)))
    texts, names, claims = cited_names([replace(given, sources=sources) for given in (first, second)])
    assert names == ("two.md", "one.md")
    assert texts == ("It is so [1].", "One [2]. Two [1].")
    assert claims == ()


def test_files_that_nothing_cites_come_last() -> None:
    given = replace(answer("I do not know."), sources=(replace(hit("a"), source="one.md"),))
    assert cited_names([given]) == (("I do not know.",), ("one.md",), ())


def test_claims_have_the_numbers_of_the_text() -> None:
    claims = (Claim("One.", (1, 2), "supported"), Claim("Two.", (3,), "partial"), Claim("Three.", (), "unsupported"))
    notes = citation(1, "b"), citation(2, "b"), citation(3, "a")
    given = replace(answer("One [1][2]. Two [3].", *notes), claims=claims)
    assert [claim.citations for claim in cited_first(given).claims] == [(1,), (2,), ()]
    assert [claim.citations for claim in cited_names([given, given])[2]] == [(1,), (1,), ()] * 2


def test_a_heartbeat_does_not_separate_a_text_from_its_citation() -> None:
    given = answer("One [1]. Two [2].", citation(1, "b"), citation(2, "b"))
    first, second = given.citations
    events = [TextWritten("One [1]."), CitationMade(first), TextWritten(" Two [2]."), Heartbeat(), CitationMade(second)]
    assert streamed(given, *events) == ("One [1]. Two [1].", [(1, "b"), (1, "b")])
