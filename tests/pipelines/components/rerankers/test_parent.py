import re
from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from llama_index.core.schema import QueryBundle

from pipelines.components.rerankers.parent import Parent
from pipelines.components.splitters import build_splitter
from pipelines.profile.schema import Profile
from pipelines.profile.sections.chunking import Chunking
from pipelines.types import Heading, Hit, LegScore, Page, Span, StoredText

TEXT = "One is first. Two follows one. Three comes next. Four is even. Five is odd. Six is even. Seven ends it."
SENTENCES = [Span(0, 13), Span(14, 30), Span(31, 48), Span(49, 62), Span(63, 75), Span(76, 88), Span(89, 103)]
STORED = StoredText(TEXT, pages=(Page(1, Span(0, 40), "i"), Page(2, Span(40, 103), "ii")))
LEFT, RIGHT, WHOLE = Span(0, 48), Span(49, 103), Span(0, 103)


def hit(sentence: int | Span, score: float, *parents: Span, document: str = "doc", version: int = 1) -> Hit:
    span = sentence if isinstance(sentence, Span) else SENTENCES[sentence]
    chunk = f"{document}-{version}-{span.start}"
    scores = {"fused": LegScore(1, score)}
    content = TEXT[span.start : span.end]
    return Hit(chunk, document, version, "", "", content, {}, score, scores, span, 1, "i", (), parents)


def stage(stored: StoredText | None = STORED, **section: object) -> Parent:
    hierarchical = section.get("method") == "merge"
    chunking = {"splitter": "hierarchical" if hierarchical else "sentence"}
    profile = Profile.model_validate({"chunking": chunking, "rerank": [{"type": "parent", **section}]})
    return Parent(profile.rerank[0], "parent", profile, lambda keys: dict.fromkeys(keys, stored) if stored else {})


def ranked(hits: Sequence[Hit], stored: StoredText | None = STORED, **section: object) -> list[Hit]:
    found = [one for one, score in stage(stored, **section).rank(QueryBundle("?"), hits)]
    for one in found:
        assert one.content == TEXT[one.span.start : one.span.end]
    return found


def spans(hits: Sequence[Hit], **section: object) -> list[Span]:
    return [one.span for one in ranked(hits, **section)]


def test_a_parent_takes_the_place_of_its_chunks_at_the_best_one_s() -> None:
    hits = [hit(4, 0.9, RIGHT), hit(0, 0.8, LEFT), hit(1, 0.7, LEFT), hit(2, 0.6, LEFT)]
    found = ranked(hits, method="merge", share=0.5)
    assert [one.span for one in found] == [SENTENCES[4], LEFT]
    assert (found[1].chunk_id, found[1].score, found[1].scores) == (hits[1].chunk_id, 0.8, hits[1].scores)
    assert found[0] == hits[0]


def test_a_parent_of_which_too_little_was_found_is_left() -> None:
    hits = [hit(0, 0.9, LEFT), hit(1, 0.8, LEFT)]
    assert spans(hits, method="merge", share=0.6) == [LEFT]
    assert spans(hits, method="merge", share=0.7) == SENTENCES[:2]


def test_text_that_two_chunks_share_counts_once() -> None:
    hits = [hit(Span(0, 24), 0.9, LEFT), hit(Span(14, 30), 0.8, LEFT)]
    assert spans(hits, method="merge", share=0.65) == [Span(0, 24), Span(14, 30)]
    assert spans(hits, method="merge", share=0.6) == [LEFT]


def test_merged_parents_count_towards_their_own_parent() -> None:
    hits = [hit(0, 0.9, LEFT, WHOLE), hit(2, 0.8, LEFT, WHOLE), hit(6, 0.7, RIGHT, WHOLE)]
    assert spans(hits, method="merge", share=0.6) == [WHOLE]  # the chunks alone hold 45 of 103 characters
    assert spans(hits, method="merge", share=0.62) == [LEFT, SENTENCES[6]]


def test_only_the_first_candidates_decide_and_none_is_repeated() -> None:
    hits = [hit(0, 0.9, LEFT), hit(1, 0.8, LEFT), hit(5, 0.7, RIGHT), hit(2, 0.6, LEFT), hit(4, 0.5, RIGHT)]
    assert spans(hits, method="merge", depth=2, share=0.6) == [LEFT, SENTENCES[5], SENTENCES[4]]


def test_chunks_of_other_documents_and_versions_are_other_texts() -> None:
    hits = [hit(0, 0.9, LEFT), hit(1, 0.8, LEFT, document="other"), hit(2, 0.7, LEFT, version=2)]
    assert ranked(hits, method="merge", share=0.5) == hits


def test_a_window_holds_the_sentences_around() -> None:
    assert spans([hit(3, 0.9)], sentences=1) == [Span(31, 75)]
    assert spans([hit(3, 0.9)], sentences=2) == [Span(14, 88)]
    assert spans([hit(0, 0.9), hit(6, 0.8)], sentences=1) == [Span(0, 30), Span(76, 103)]


def test_a_chunk_inside_a_better_one_s_window_is_not_listed_again() -> None:
    assert spans([hit(3, 0.9), hit(4, 0.8), hit(6, 0.7)], sentences=1) == [Span(31, 75), Span(76, 103)]


def test_a_window_stays_under_its_heading_and_a_merged_parent_has_its_start() -> None:
    headings = (Heading(1, "Top", 0), Heading(2, "Middle", 31), Heading(2, "End", 76))
    stored = StoredText(TEXT, pages=STORED.pages, headings=headings)
    (window,) = ranked([hit(3, 0.9)], stored, sentences=9)
    assert (window.span, window.headings) == (Span(31, 75), ("Top", "Middle"))
    (parent,) = ranked([hit(5, 0.9, RIGHT), hit(4, 0.8, RIGHT)], stored, method="merge", share=0.4)
    assert (parent.page, parent.page_label, parent.headings) == (2, "ii", ("Top", "Middle"))


def test_a_window_in_a_text_without_sentences_ends_somewhere() -> None:
    text = "x" * 50_000 + " The hit is here. " + "y" * 50_000
    span = Span(50_001, 50_017)
    stored = StoredText(text)
    (found,) = stage(stored).rank(QueryBundle("?"), [hit(span, 0.9)])
    assert found[0].span == span


def test_a_chunk_with_deleted_text_stays_as_it_is() -> None:
    hits = [hit(0, 0.9, LEFT), hit(5, 0.8, RIGHT)]
    assert ranked(hits, None, method="window") == hits
    assert ranked(hits, None, method="merge", share=0.1) == hits


@pytest.mark.parametrize("method", ["merge", "window"])
def test_no_hits_stay_no_hits(method: str) -> None:
    assert ranked([], method=method) == []


@given(
    st.text(alphabet="ab .\n!#|。\u00a0é\U0001f415", min_size=1, max_size=900),
    st.fixed_dictionaries(
        {
            "method": st.sampled_from(["merge", "window"]),
            "depth": st.integers(1, 12),
            "share": st.floats(0.1, 1.0),
            "sentences": st.integers(1, 3),
        }
    ),
    st.randoms(use_true_random=False),
)
def test_for_any_text_a_hits_content_matches_its_span_without_repetition(
    text: str, section: dict[str, object], random: Random
) -> None:
    headings = tuple(Heading(1, "x", match.start()) for match in re.finditer("#", text))
    stored = StoredText(text, (Page(1, Span(0, len(text))),), headings)
    chunking = Chunking(splitter="hierarchical", unit="character", size=20, overlap=6, parents=(160, 48))
    pieces = build_splitter(chunking, lambda _: pytest.fail("tokens"), lambda _: pytest.fail("vectors")).pieces(text)
    random.shuffle(pieces)
    hits = [
        replace(hit(piece.span, 1 / rank, *piece.parents), content=text[piece.span.start : piece.span.end])
        for rank, piece in enumerate(pieces, 1)
    ]
    found = [one for one, _ in stage(stored, **section).rank(QueryBundle("?"), hits)]
    chunks = {one.chunk_id: one.span for one in hits}
    for number, one in enumerate(found):
        own = chunks[one.chunk_id]
        assert one.content == text[one.span.start : one.span.end]
        assert one.span.start <= own.start < own.end <= one.span.end
        assert not any(better.span.start <= own.start and own.end <= better.span.end for better in found[:number])
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    left_out = chunks.keys() - {one.chunk_id for one in found}
    assert all(
        any(one.span.start <= chunks[x].start and chunks[x].end <= one.span.end for one in found) for x in left_out
    )
