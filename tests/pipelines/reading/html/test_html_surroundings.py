"""HTML: hours, addresses and telephone numbers around a page are read, and nothing else there."""

from __future__ import annotations

import time

import pytest

from tests.pipelines.reading.html.html_pages import html_page

_HOURS = "<table><tr><td>Monday</td><td>shut</td></tr><tr><td>Tuesday</td><td>9:30 - 16:00</td></tr></table>"
_RIGHTS = "<p>&copy; 2026 Harbour Line. Call 01632 960555.</p><ul><li><a href=/p>Privacy</a></li></ul>"
_NEWS = "<div><h4>News</h4><p>Get 10% off your first crossing.</p><form><p>Mail</p></form></div>"


@pytest.mark.parametrize(
    "page", ["<h1>Ferries</h1><h2>Fares</h2><p>£4.</p>", "<main><h1>Ferries</h1><p>£4.</p></main>"]
)
@pytest.mark.parametrize(
    ("around", "shown"),
    [
        (f"<aside><h3>Open</h3>{_HOURS}<p>Shut at Easter.</p></aside>",
         "Open\n\nMonday | shut\nTuesday | 9:30 - 16:00\n\nShut at Easter."),
        (f"<footer><div><h4>Visit</h4><address>4 Pier Road<br>Kelmouth</address></div>{_NEWS}{_RIGHTS}</footer>",
         "Visit\n\n4 Pier Road\nKelmouth"),
        (f"<footer><div><div><h5>Office</h5></div><p>Pier Road 4, Kelmouth</p></div>{_RIGHTS}</footer>",
         "Office\n\nPier Road 4, Kelmouth"),
        ("<footer><p><b>Office</b></p><p>Mon-Fri 9-5</p><h4>More</h4><ul><li><a href=/b>Boats 1-3</a></ul></footer>",
         "Office\n\nMon-Fri 9-5"),
        ("<footer>The line belongs to the Harbour Trust. Tel. 01632 960555</footer>",
         "The line belongs to the Harbour Trust. Tel. 01632 960555"),
        ("<footer><p>Ring <a href='tel:112233'>112233</a></p><p>Made by Ada</p></footer>", "Ring 112233"),
    ],
)  # fmt: skip
def test_facts_around_a_page_stand_at_its_end(page: str, around: str, shown: str) -> None:
    document = html_page(f"{page}{around}")
    assert document.text.endswith(f"£4.\n\n{shown}")
    assert [heading.level for heading in document.headings[1:]] == [2] * (len(document.headings) - 1)


def test_facts_without_a_title_stand_below_those_with_one() -> None:
    page = "<header><p>Tel. 01632 960555</p></header><h1>Ferries</h1><h2>Cars</h2><p>£4.</p>"
    text = html_page(f"{page}<footer><h4>Visit</h4><address>4 Pier Road</address></footer>").text
    assert text.endswith("£4.\n\nVisit\n\n4 Pier Road\n\nTel. 01632 960555")


@pytest.mark.parametrize(
    "footer",
    [
        _RIGHTS,
        _NEWS,
        "<p>Last changed 02-12-2025 12:30</p>",
        "<h4>Versions</h4><ul><li><a href=/a>1-2</a></li><li><a href=/b>3-4</a></li></ul>",
        "<h4>Company</h4><p>Registered in Wales under 0998877.</p>",
        "<table><tr><td><a href=/a>Part 1</a></td><td><a href=/b>Part 2</a></td></tr></table>",
    ],
)
def test_other_words_around_a_page_go(footer: str) -> None:
    assert html_page(f"<h1>Ferries</h1><p>£4.</p><footer>{footer}</footer>").text == "Ferries\n\n£4."


def test_what_stands_around_a_part_of_the_page_stays_there() -> None:
    body = "<main><h1>Ferries</h1><section><p>£4.</p><footer>Tel. 01632 960555</footer></section><p>Sail.</p></main>"
    assert html_page(body).text == "Ferries\n\n£4.\n\nTel. 01632 960555\n\nSail."


def test_a_large_footer_is_read_in_time() -> None:
    started = time.process_time()
    html_page("<p>a</p><footer>" + "<h4>b</h4><p>9-5</p>" * 5_000 + "<div>" * 200 + "0 " * 50_000)
    assert time.process_time() - started < 60
