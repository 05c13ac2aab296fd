from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.query.answer import footnote
from pipelines.query.context import build_context
from pipelines.query.verdicts import Reading, Verifier, Window
from pipelines.query.writing import Policy, Writing
from pipelines.types import Citation, CitationMade, TextWritten
from tests.pipelines.query.hits import hit, terms, words
from tests.pipelines.query.verdicts.test_verifier import BEAGLE, vectors

HITS = (hit(BEAGLE, "a"), hit("Cats sleep a lot and like company.", "b"))
GOOD = "They need 60 minutes of exercise a day [1]."
BAD = "They can fly to the moon [1]."


def cite(number: int, window: Window) -> Citation:
    return footnote(number, window.hit, window.text, window.span, None)


def written(policy: Policy, *pieces: str) -> tuple[Writing, list[Any]]:
    context = build_context("q", HITS, 1000, words, terms)
    writing = Writing(context, Reading(vectors, terms), Verifier(), policy, cite)
    events = [event for piece in pieces for event in writing.feed(piece)]
    return writing, [*events, *writing.finish()]


def text(events: list[Any]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextWritten))


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        ("annotate", f"{GOOD} {BAD}\n- {BAD}\n{GOOD}"),
        ("strike", f"{GOOD} ~~{BAD}~~\n- ~~{BAD}~~\n{GOOD}"),
        ("withhold", f"{GOOD} \n{GOOD}"),
    ],
)
def test_unsupported_sentences_are_kept_struck_or_left_out(policy: Policy, said: str) -> None:
    writing, events = written(policy, f"{GOOD} {BAD}\n- {BAD}\n{GOOD}")
    assert writing.text == text(events) == said
    assert [claim.verdict for claim in writing.claims] == ["supported", "unsupported", "unsupported", "supported"]


def test_withheld_claims_take_no_number() -> None:
    writing, _ = written("withhold", "Rockets orbit distant planets [1].\nCats sleep a lot and like company [2].")
    assert writing.text == "Cats sleep a lot and like company [1]."
    assert [citation.document_id for citation in writing.citations] == ["b"]
    assert [claim.citations for claim in writing.claims] == [(), (1,)]


def test_no_blank_is_sent_for_a_sentence_that_is_withheld_at_the_end() -> None:
    for said in (f"{GOOD} {BAD}", f"{GOOD}\n\n{BAD}\n", f"\n{GOOD} {BAD}"):
        _, events = written("withhold", said)
        assert text(events) == GOOD


def test_a_sentence_is_written_as_soon_as_it_is_judged() -> None:
    writing, _ = written("withhold")
    said = [list(writing.feed(piece)) for piece in (f"{GOOD} ", "Cats", " sleep a lot and like company [2].")]
    assert [text(events).strip() for events in said] == ["", GOOD, ""]


def test_without_verdicts_nothing_waits_and_nothing_is_withheld() -> None:
    context = build_context("q", HITS, 1000, words, terms)
    writing = Writing(context, Reading(vectors, terms), None, "withhold", cite)
    assert text(list(writing.feed(BAD))) == BAD


def test_code_holds_no_claims_and_no_citations() -> None:
    said = "```\nthe third value is values[1] and so on\n```\n"
    for policy in ("annotate", "strike"):
        writing, _ = written(policy, said)  # type: ignore[arg-type]
        assert (writing.text, writing.claims, writing.citations) == (said, [], [])


@pytest.mark.parametrize("policy", ["annotate", "strike", "withhold"])
@pytest.mark.parametrize(
    "before", ["```` md\n```\nshow the third value\n```\n````\n", "Press ` to begin.\n", "```x``` works.\n"]
)
def test_behind_code_each_number_has_its_footnote(policy: Policy, before: str) -> None:
    writing, _ = written(policy, f"{before}Cats sleep a lot and like company [2].\n{GOOD}")
    assert writing.text.endswith(f"Cats sleep a lot and like company [1].\n{GOOD.replace('1', '2')}")
    assert [(one.number, one.document_id) for one in writing.citations] == [(1, "b"), (2, "a")]


def test_a_footnote_quotes_what_its_first_claim_says() -> None:
    writing, _ = written("annotate", f"{GOOD} Beagles come from England [1].")
    assert [citation.quote for citation in writing.citations] == ["They need 60 minutes of exercise a day."]


def test_the_head_of_a_table_is_no_claim() -> None:
    head = "| Breed | Minutes of exercise | Days |\n|---|---|---|\n"
    row, wrong = (
        "| They need | 60 minutes of exercise | a day [1] |",
        "| They need | 90 minutes of exercise | a day [1] |",
    )
    for said in (f"{head}{row}\n{wrong}\n", f"{GOOD}\n\n{head}{row}\n{wrong}\n"):
        writing, _ = written("withhold", said)
        assert writing.text == said.replace(f"{wrong}\n", "")
        assert [claim.withheld for claim in writing.claims][-2:] == [False, True]


LINES = st.lists(
    st.sampled_from(
        [
            GOOD,
            BAD,
            "Cats sleep [2][9].",
            "- [2] Yes.",
            " Beagles howl. [1] ",
            "\n",
            " ",
            "```\n",
            "x [",
            "] y",
            "| a b | c. D e f |\n",
            "90 [1].",
        ]
    ),
    max_size=8,
)


@given(LINES, st.sampled_from(["annotate", "strike", "withhold"]), st.lists(st.integers(0, 300), max_size=10))
def test_an_answer_is_the_same_however_it_arrives(lines: list[str], policy: Policy, cuts: list[int]) -> None:
    whole = "".join(lines)
    edges = sorted({0, len(whole), *(min(cut, len(whole)) for cut in cuts)})
    pieces = [whole[start:end] for start, end in pairwise(edges)]
    at_once, _ = written(policy, whole)
    writing, events = written(policy, *pieces)
    assert (writing.text, text(events)) == (at_once.text, at_once.text.strip())
    assert (writing.claims, writing.citations, writing.removed) == (at_once.claims, at_once.citations, at_once.removed)
    assert [event.citation for event in events if isinstance(event, CitationMade)] == writing.citations
