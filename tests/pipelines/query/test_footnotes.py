from pipelines.query.extracts.extract import Extract
from pipelines.query.footnotes import chunk_numbers, cited_passages
from pipelines.types import Hit, Span, StoredText

TEXT = "Beagles howl. They need exercise. They live long. Pugs snore."
STORED = StoredText(TEXT)
BEAGLE = Hit("a", "d", 1, "t", "s", TEXT[:49], {}, 0.9, {}, Span(0, 49))
PUG = Hit("b", "d", 1, "t", "s", TEXT[50:], {}, 0.8, {}, Span(50, len(TEXT)))


def quote(hit: Hit, said: str, stored: StoredText | None = STORED) -> Extract:
    span = Span(TEXT.index(said), TEXT.index(said) + len(said))
    return Extract(hit, said, span, said, stored=stored)


def test_a_chunk_has_one_number_however_often_it_is_quoted() -> None:
    quotes = [quote(BEAGLE, "They live long."), quote(PUG, "Pugs snore."), quote(BEAGLE, "Beagles howl.")]
    assert chunk_numbers(quotes) == [1, 2, 1]
    assert [one.quote for one in cited_passages(quotes)] == ["They live long.", "Pugs snore."]


def test_a_footnote_quotes_neighbouring_passages_of_its_chunk_as_one() -> None:
    forward = [quote(BEAGLE, "Beagles howl."), quote(BEAGLE, "They need exercise.")]
    (joined,) = cited_passages(forward)
    assert joined.quote == "Beagles howl. They need exercise." == TEXT[joined.span.start : joined.span.end]
    (joined,) = cited_passages(forward[::-1])
    assert joined.quote == "Beagles howl. They need exercise."
    (joined,) = cited_passages([quote(BEAGLE, "They need exercise."), quote(BEAGLE, "They live long."), *forward])
    assert joined.quote == "Beagles howl. They need exercise. They live long."


def test_of_a_text_that_is_gone_the_first_quote_stands() -> None:
    quotes = [quote(BEAGLE, "Beagles howl.", None), quote(BEAGLE, "They need exercise.", None)]
    assert [one.quote for one in cited_passages(quotes)] == ["Beagles howl."]
