"""The pages of `make bench ONLY=answers`: a vector of one question must be of no use to another."""

from pipelines.components.sentences import sentence_spans
from tests.performance.answers import pages


def test_no_sentence_stands_on_two_pages() -> None:
    texts = [page.content for group in (0, 1) for page in pages(group)]
    said = [text[start:end] for text in map(str, texts) for start, end in sentence_spans(text)]
    prose = [one for one in said if not one.startswith("#") and len(one.split()) > 3]
    assert len(prose) > 100
    assert len(prose) == len(set(prose))
