from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.query.citations import CitationParser, Mark, Piece
from pipelines.query.claims import sentences_of


def said(line: str) -> list[tuple[str, tuple[int, ...]]]:
    parser = CitationParser(9)
    return [(one.text, one.sources) for one in sentences_of([*parser.feed(line), *parser.finish()])]


@pytest.mark.parametrize(
    "line",
    [
        "Beagles need an hour [1]. Cats sleep a lot [2].",
        "Beagles need an hour. [1] Cats sleep a lot. [2]",
        "Beagles need an hour.[1] Cats sleep a lot.[2]",
        "[1] Beagles need an hour. [2] Cats sleep a lot.",
    ],
)
def test_a_citation_belongs_to_its_sentence_wherever_it_stands(line: str) -> None:
    assert said(line) == [("Beagles need an hour.", (1,)), ("Cats sleep a lot.", (2,))]


def test_a_sentence_lists_its_sources_once_in_order() -> None:
    assert said("Beagles [3] need an hour [1][3].") == [("Beagles need an hour.", (3, 1))]


def test_a_list_item_that_begins_with_its_citation_keeps_it() -> None:
    assert said("- [2] Cats sleep a lot.") == [("- Cats sleep a lot.", (2,))]


@pytest.mark.parametrize(
    "line",
    ["## What beagles need every day", "Here is what they need:", "Is that so for you?", "Sure.", "", "| --- | --- |"],
)
def test_headings_questions_and_lead_ins_are_not_claims(line: str) -> None:
    assert not any(one.is_claim for one in sentences_of([line]))


@pytest.mark.parametrize(
    ("line", "is_claim", "is_short"),
    [
        ("# Beagles need an hour [1]", True, False),
        ("## 3 things that beagles need", False, False),
        ("Beagles need 60 minutes a day [1]:", True, False),
        ("They need the following [1]:", False, False),
        ("Yes.", False, True),
        ("**60 minutes**", False, True),
        ("Rex [1].", False, True),
        ("| Beagle | 60 |", False, True),
        ("Sure!", False, False),
        ("| Breed | Minutes |", False, False),
        ("Is 60 enough?", False, False),
    ],
)
def test_what_cites_or_answers_in_few_words_is_checked_too(line: str, is_claim: bool, is_short: bool) -> None:
    parser = CitationParser(9)
    (sentence,) = sentences_of([*parser.feed(line), *parser.finish()])
    assert (sentence.is_claim, sentence.is_short_claim) == (is_claim, is_short)


@pytest.mark.parametrize("line", ["小猎犬每天需要运动。", "ビーグルは吠えます。", "สุนัขต้องออกกำลังกาย"])
def test_sentences_without_blanks_are_claims_too(line: str) -> None:
    (sentence,) = sentences_of([line])
    assert sentence.is_claim
    assert not any(one.is_claim for one in sentences_of(["是。"]))


PIECES = st.lists(
    st.one_of(st.sampled_from(["A b. ", "C d", ".", " ", "e.g. x. Y z! "]), st.just(Mark((1,)))), max_size=12
)


@given(PIECES)
def test_the_pieces_of_the_sentences_are_those_of_the_line(line: list[Piece]) -> None:
    def flat(pieces: Iterable[Piece]) -> str:
        return "".join(piece if isinstance(piece, str) else "<1>" for piece in pieces)

    assert flat(piece for one in sentences_of(line) for piece in one.pieces) == flat(line)
