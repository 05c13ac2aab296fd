"""HTML: names that alternate with their descriptions are terms with definitions."""

from __future__ import annotations

import pytest

from tests.pipelines.reading.block_checks import assert_blocks_fit, shown_blocks
from tests.pipelines.reading.html.html_pages import html_page

LONG_TERM = "the lamp over the old oak table near the door"
NAME = "<ul><li><p><code>{}</code></p></li></ul>"


def test_lists_of_one_item_that_alternate_with_paragraphs_are_terms() -> None:
    document = html_page(
        f"<p>The kettle knows these:</p>{NAME.format('--boil')}\n<!-- hot --><p>Boils <b>water</b>.</p>\n"
        f"<ul class=simple>\n<li>--keep <em>DEGREES</em></li>\n</ul><blockquote><p>Keeps it warm.</p></blockquote>"
        "<p>It is switched off at night.</p>"
    )
    assert shown_blocks(document) == [
        ("paragraph", 0, "The kettle knows these:"),
        ("term", 1, "--boil"),
        ("definition", 2, "Boils water."),
        ("term", 1, "--keep DEGREES"),
        ("definition", 2, "Keeps it warm."),
        ("paragraph", 0, "It is switched off at night."),
    ]
    assert_blocks_fit(document)


def test_paragraphs_of_one_option_are_terms() -> None:
    document = html_page(
        "<p><code>-w</code>, <code>--warm</code></p><p>Warms the pot.</p>"
        f"{NAME.format('-c')}<p>Cools the pot.</p><p>--quiet</p><p>- nothing is said -</p>"
    )
    assert [kind for kind, _, _ in shown_blocks(document)] == ["term", "definition"] * 3


@pytest.mark.parametrize(
    "body",
    [
        "<ul><li>tea</li></ul><p>There is no coffee.</p><p>There is water.</p>",
        "<ul><li>Boil water.</li></ul><p>Then wait.</p><ul><li>Pour it.</li></ul><p>Then drink.</p>",
        "<p>One is:</p><ul><li>tea</li></ul><p>Another is:</p><ul><li>milk</li></ul><p>Both are warm.</p>",
        "<ol><li>tea</li></ol><p>It is warm.</p><ol start=2><li>milk</li></ol><p>It is cold.</p>",
        "<ul><li>tea</li><li>milk</li></ul><p>Warm.</p><ul><li>ice</li><li>water</li></ul><p>Cold.</p>",
        f"<ul><li>{LONG_TERM}</li></ul><p>It is red.</p><ul><li>{LONG_TERM}s</li></ul><p>It is blue.</p>",
        "<ul><li>tea<br>milk</li></ul><p>Warm.</p><ul><li>ice<br>water</li></ul><p>Cold.</p>",
    ],
)
def test_other_lists_of_one_item_stay_lists(body: str) -> None:
    kinds = {kind for kind, _, _ in shown_blocks(html_page(body))}
    assert kinds == {"item", "paragraph"}


def test_paragraphs_that_do_not_begin_with_an_option_stay_paragraphs() -> None:
    document = html_page("<p>Tea</p><p>It is warm.</p><p>Milk</p><p>It is cold.</p>")
    assert {kind for kind, _, _ in shown_blocks(document)} == {"paragraph"}


def test_deep_markup_in_a_paragraph_is_read() -> None:
    document = html_page(f"<p>{'<i>' * 900}deep{'</i>' * 900}</p><p>Flat.</p>")
    assert "deep" in document.text
