"""Pages stand alone, close what they open, and hold whatever a question or a document may say as text."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

from pipelines.evaluation.compare import Setting, compare
from pipelines.evaluation.comparison_html import comparison_page
from pipelines.evaluation.evaluate import Evaluation, QueryRow
from pipelines.evaluation.html import evaluation_page
from pipelines.types import IngestResult
from tests.pipelines.evaluation.evaluations import evaluation

EVIL = "</title><script>alert(1)</script><img src=x onerror=alert(2)> & \"q\" 'a' \x00\x1b {{ 7 * 7 }}"
VOID = {"meta", "br", "img"}


class Page(HTMLParser):
    """What a page opens and closes, and what it would load."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.loaded: list[str] = []
        self.text = ""
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        self.loaded += [name for name, _ in attrs if name in ("src", "href", "xlink:href", "srcset", "action")]
        assert not any(name.startswith("on") for name, _ in attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def evil() -> Evaluation:
    row = QueryRow(EVIL, EVIL, {"ndcg@10": 0.0}, 1.0, EVIL, None, None)
    lost = IngestResult(EVIL, "failed", reason=EVIL)
    return Evaluation(EVIL, EVIL, None, {"ndcg@10": 0.0}, (row,), {EVIL: ((EVIL, 1.0),)}, (lost,))


def pages() -> list[str]:
    first = evaluation([0.5, 1.0, 0.0] * 10, seed=1, answers=True, unanswerable=5)
    second = evaluation([1.0, 0.5, 0.25] * 10, seed=2, answers=True, unanswerable=5)
    evil_comparison = compare((EVIL, EVIL), (evil(), evil()))
    return [
        evaluation_page(first),
        evaluation_page(evil()),
        evaluation_page(evaluation([])),
        comparison_page(compare(("a.yaml", "b.yaml"), (first, second))),
        comparison_page(evil_comparison),
    ]


@pytest.mark.parametrize("text", pages())
def test_a_page_is_whole_and_loads_and_runs_nothing(text: str) -> None:
    page = Page(text)
    assert page.loaded == []
    assert "script" not in page.seen
    assert "img" not in page.seen
    assert "//" not in text.replace("</", "")
    assert "@import" not in text
    assert "url(" not in text
    assert not any(ord(character) < 32 and character not in "\n\t" for character in text)


def test_a_question_is_shown_as_it_was_asked() -> None:
    assert "<script>alert(1)</script><img src=x onerror=alert(2)> & \"q\" 'a'" in Page(evaluation_page(evil())).text
    assert "{{ 7 * 7 }}" in Page(evaluation_page(evil())).text


def test_a_page_shows_the_measures_a_plot_of_each_kind_and_the_worst_question_first() -> None:
    text = evaluation_page(evaluation([0.5, 0.0, 1.0] * 7, answers=True))
    page = Page(text)
    assert page.seen.count("svg") == 5
    captions = ("Rank of the first", "ndcg@10 of each question", "right, by their confidence", "wrong, of the most")
    for caption in captions:
        assert caption in page.text
    assert page.text.index("What 1?") < page.text.index("What 0?") < page.text.index("What 2?")
    assert "not found" in page.text


def test_a_comparison_shows_verdict_intervals_settings_wins_and_losses() -> None:
    comparison = compare(
        ("a.yaml", "b.yaml"), (evaluation([0.5] * 30, seed=1), evaluation([1.0] * 29 + [0.25], seed=2))
    )
    with_settings = type(comparison)(
        comparison.names,
        comparison.evaluations,
        comparison.differences,
        comparison.changes,
        (Setting("retrieval -> dense_weight", "0.5", "0.7"),),
        comparison.verdict,
    )
    page = Page(comparison_page(with_settings))
    assert comparison.verdict in page.text
    assert "retrieval -> dense_weight" in page.text
    assert page.seen.count("svg") == 3
    assert page.text.index("Where B is better") < page.text.index("Where A is better") < page.text.rindex("What 29?")
    assert "4 more are in per_query.jsonl" in page.text
