"""HTML: the names of parts that a click unfolds, and questions in bold, are headings of what they hold."""

from __future__ import annotations

import time

import pytest

from pipelines.types import ParsedDocument
from tests.pipelines.reading.block_checks import assert_blocks_fit
from tests.pipelines.reading.html.html_pages import html_page


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


def test_a_long_question_in_bold_is_a_heading_as_a_short_one_is() -> None:
    asked = "May several boats of the same owner lie at one berth at once if none of them is longer than six metres?"
    body = f"<h1>Boats</h1><p><b>May I bring a dog?</b></p><p>No.</p><p><b>{asked}</b></p><p>Two of them may.</p>"
    assert titles(html_page(body))[1:] == [(2, "May I bring a dog?"), (2, asked)]
    assert titles(html_page(body.replace("metres?", "metres")))[1:] == [(2, "May I bring a dog?")]


@pytest.mark.parametrize(
    "asked",
    [
        "<p><b>May I bring a dog?</b><br>No.</p><p><b>What do I wear?</b><br/><br>Old<br>shoes.</p>",
        "<div><b>May I bring a dog?</b><br>No.<br><br> <strong>What do I wear?</strong><br>Old<br>shoes.</div>",
    ],
)
def test_questions_in_bold_on_a_line_above_their_answers_are_headings(asked: str) -> None:
    document = html_page(f"<h1>Boats</h1><h2>Rules</h2>{asked}")
    assert titles(document)[2:] == [(3, "May I bring a dog?"), (3, "What do I wear?")]
    assert document.text.endswith("May I bring a dog?\n\nNo.\n\nWhat do I wear?\n\nOld\nshoes.")


@pytest.mark.parametrize(
    "asked",
    [
        "<p><b>May I bring a dog?</b><br>No.</p>",
        "<p><b>May I?</b> No.</p><p><b>May he?</b> No.</p>",
        "<p><b>May I?</b><br><b>May he?</b><br></p>",
        "<ul><li><b>May I?</b><br>No.</li><li><b>May he?</b><br>No.</li></ul>",
    ],
)
def test_other_lines_in_bold_stay_as_they_are(asked: str) -> None:
    assert len(titles(html_page(f"<h1>Boats</h1><h2>Rules</h2>{asked}"))) == 2


_RULE = "<p>Dogs sail free.</p>"


@pytest.mark.parametrize(
    "folded",
    [
        f"<div class=faq><h3><button aria-expanded=false>Dogs</button></h3><div class=text hidden>{_RULE}</div></div>",
        "<div class=accordion><div class=item><h3><button aria-expanded=false>Dogs</button></h3>"
        f"<div class=wide><div hidden>{_RULE}</div></div></div></div>",
        f"<h3><button aria-expanded=false aria-controls=d>Dogs</button></h3><p></p><div id=d hidden>{_RULE}</div>",
        "<div class=part><div class=title role=button aria-controls=d aria-expanded=false>Dogs</div>"
        f"<div id=d aria-hidden=true>{_RULE}</div></div>",
        f"<p><a href='#d' aria-expanded=false aria-controls=d>Dogs</a></p><div id=d hidden>{_RULE}</div>",
        "<div role=tablist><h3 role=tab aria-controls=d aria-expanded=false><span aria-hidden=true>+</span>Dogs</h3>"
        f"<div id=d role=tabpanel aria-hidden=true>{_RULE}</div></div>",
        f"<button class=accordion>Dogs</button><div class=panel style='display:none'>{_RULE}</div>",
        f"<div class=faq><div><button aria-expanded=false>Dogs</button></div><div>{_RULE}</div></div>",
        f"<button aria-expanded=false>Dogs</button><section hidden>{_RULE}<button aria-controls=d>x</button></section>",
    ],
)
def test_what_a_click_unfolds_stands_below_the_words_that_are_clicked(folded: str) -> None:
    document = html_page(f"<h1>Ferries</h1><h2>Rules</h2><div>{folded}</div>")
    assert document.text == "Ferries\n\nRules\n\nDogs\n\nDogs sail free."
    assert titles(document)[2:] == [(3, "Dogs")]


@pytest.mark.parametrize(
    "hidden",
    [
        "<button aria-expanded=false>Menu</button><ul hidden><li><a href=/>Home</a><li><a href=/fees>Fees</a></ul>",
        "<button aria-expanded=false>Words</button><div hidden><button>English</button><button>Dansk</button></div>",
        "<button aria-expanded=false>Find</button><div hidden><form><p>Find a ferry</p></form></div>",
        "<button aria-expanded=false>Menu</button><div class=logo><p>Harbour Line</p></div>",
        "<div id=d hidden><p>Window<p><button aria-expanded=true aria-controls=d>Close</button></div>",
    ],
)
def test_menus_that_fold_have_no_title(hidden: str) -> None:
    text = html_page(f"{hidden}<h1>Ferries</h1><p>They sail.</p>").text
    assert not any(word in text for word in ("Menu", "Words", "Find", "Close", "Home", "English"))


def test_a_restaurant_s_menu_is_none() -> None:
    menu = "<button aria-expanded=false aria-controls=menu-lunch>Lunch</button><div id=menu-lunch hidden>Soup £5</div>"
    assert html_page(f"<h1>Pier café</h1>{menu}").text == "Pier café\n\nLunch\n\nSoup £5"


def test_any_number_of_folded_parts_is_read_in_time() -> None:
    started = time.process_time()
    html_page("<h1>a</h1>" + "<details><summary>b</summary>c</details>" * 1_000)
    html_page("<h1>a</h1>" + "<details><summary>b</summary>" * 200 + "c")
    html_page("<h1>a</h1>" + "<div class=accordion><button aria-expanded=false>b</button><div hidden>c</div>" * 150)
    html_page("<h1>a</h1><p>" + "<b>b?</b><br>c<br>" * 1_500)
    html_page("<h1>a</h1>" + "<button aria-expanded=false>b</button><p hidden>c</p>" * 1_500)
    assert time.process_time() - started < 20
