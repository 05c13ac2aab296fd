"""HTML: the names of parts that a click unfolds, and questions in bold, are headings of what they hold."""

from __future__ import annotations

import time

import pytest
from block_checks import assert_blocks_fit
from html_pages import html_page

from pipelines.types import ParsedDocument


def titles(document: ParsedDocument) -> list[tuple[int, str]]:
    return [(heading.level, heading.title) for heading in document.headings]


def test_names_of_folded_parts_are_headings_a_level_below_their_section() -> None:
    document = html_page(
        "<h1>Boats</h1><details><summary>May I bring a dog?</summary><p>No.</p></details>\n"
        "<details><summary><b>What do I wear?</b></summary><ul><li>shoes</li></ul>"
        "<details><summary>Which shoes?</summary>Old ones.</details></details><h2>Money</h2><p>Fees are due.</p>"
    )
    assert titles(document) == [
        (1, "Boats"),
        (2, "May I bring a dog?"),
        (2, "What do I wear?"),
        (3, "Which shoes?"),
        (2, "Money"),
    ]
    assert_blocks_fit(document)


@pytest.mark.parametrize(
    "body",
    [
        "<details><summary>More</summary><p>Text.</p></details>",
        "<h1>Boats</h1><details><summary>More</summary><p>Text.</p></details><p>Of all boats.</p>",
        "<h1>Boats</h1><details><summary>More</summary><h2>Oars</h2><p>Text.</p></details>",
        "<h1>Boats</h1><details><p>Text.</p></details>",
    ],
)
def test_other_names_stay_as_they_are(body: str) -> None:
    assert "More" not in [title for _, title in titles(html_page(body))]


def test_questions_in_bold_are_headings_a_level_below_their_section() -> None:
    body = "<h1>Boats</h1><h2>Rules</h2><p><b>May I bring a dog?</b></p><p>No.</p>{}<h2>Money</h2><p>Fees are due.</p>"
    more = "<p><strong>What do I wear?</strong></p><ul><li>shoes</li></ul>"
    asked = [(3, "May I bring a dog?"), (3, "What do I wear?")]
    assert titles(html_page(body.format(more))) == [(1, "Boats"), (2, "Rules"), *asked, (2, "Money")]
    assert titles(html_page(body.format(""))) == [(1, "Boats"), (2, "Rules"), (2, "Money")]


def test_any_number_of_folded_parts_is_read_in_time() -> None:
    started = time.process_time()
    html_page("<h1>a</h1>" + "<details><summary>b</summary>c</details>" * 3_000)
    html_page("<h1>a</h1>" + "<details><summary>b</summary>" * 200 + "c")
    assert time.process_time() - started < 60
