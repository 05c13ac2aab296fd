"""HTML: what stands around the words of a page."""

from __future__ import annotations

import pytest

from pipelines.errors import EmptyDocument
from tests.pipelines.reading.html.html_pages import html_page


def test_furniture_is_left_out() -> None:
    body = (
        "<header>Logo <nav>Home</nav></header><nav>Menu</nav><main><h1>Title<a href='#t'>¶</a></h1>"
        "<script>var x;</script><style>p{}</style><p>Content</p><div hidden>secret</div><aside>Note well</aside>"
        "<button>Copy</button></main><footer>Imprint</footer>"
    )
    assert html_page(body).text == "Title\n\nContent\n\nNote: Note well"


def test_menus_of_links_and_lists_of_the_page_s_own_places_go() -> None:
    links = "".join(f'<li><a href="/{name}">{name}</a></li>' for name in ("home", "boats", "fees"))
    places = "".join(f'<div><a href="#{name}">{name}</a></div>' for name in ("first", "second", "third"))
    menus = f'<div class="menu mainmenu"><ul>{links}</ul></div><div id="toc_sub">{places}</div>'
    assert html_page(f"{menus}<ul>{links}</ul><p>Words.</p>").text == "- home\n- boats\n- fees\n\nWords."


@pytest.mark.parametrize(
    "line",
    [
        '<div class="navheader"><table><tr><th colspan="2">2. Boats</th></tr><tr><td><a href="a">Prev</a></td>'
        "<td>Part II</td></tr></table></div>",
        '<div class="header"><p>Next: <a href="b" rel="next">Moorings</a>, Up: <a href="u" rel="up">Guide</a> '
        '[<a href="t">Contents</a>][<a href="i">Index</a>]</p></div>',
        '<table><tr><td><a href="a">&lt;&lt;&lt; Previous</a></td><td><a href="h">Home</a></td>'
        '<td><a href="b">Next &gt;&gt;&gt;</a></td></tr></table>',
        '<center><a href="a">Previous page</a> | <a href="b">Next page</a></center>',
        '<ul class="docnav"><li class="previous"><a href="a"><b>Prev</b>1. Tides</a></li><li>The guide</li>'
        '<li class="next"><a href="b"><b>Next</b>3. Moorings</a></li></ul>',
        '<ul><li class="previous"><a href="a">Prev1. Ebb</a></li><li class="next"><a href="b">Next3. Go</a></li></ul>',
        '<div class="index"><div class="indexdiv"><h3>T</h3><dl><dt>Tides, <a href="a">Tides</a></dt></dl></div></div>',
        '<div class="list-of-figures"><p><b>List of Figures</b></p><dl><dt>1.1. <a href="f">A boat</a></dt></dl></div>',
        '<div class="navigation"><a href="b"><img alt="next" src="n.png"></a><a href="u"><img alt="up" src="u.png"></a>'
        '<br><b>Next:</b> <a href="b">Moorings at low tide</a> <b>Up:</b> <a href="u">The guide</a></div>',
    ],
)
def test_links_to_other_pages_of_a_book_go(line: str) -> None:
    assert html_page(f"<div>{line}<h2>Boats</h2><p>Words.</p>{line}</div>").text == "Boats\n\nWords."


@pytest.mark.parametrize(
    "line",
    [
        'Press <a href="n">Next</a>, then <a href="p">Previous</a>.',
        '<a href="n">Next</a>',
        '<a href="n">The next tide</a> and <a href="p">the previous one</a>',
        '<span class="navigation">Next: <a href="b">Moorings</a>, which are dry at low tide</span>',
    ],
)
def test_words_beside_such_links_are_kept(line: str) -> None:
    assert html_page(f"<div><p>Words.</p><p>{line}</p></div>").text.startswith("Words.\n\n")


def _entries(number: int, behind: str) -> str:
    inner = f'<dt>height of</dt><dd><p>{behind}</p></dd><dt>low</dt><dd><p>see "ebb"</p></dd>'
    return "<dl>" + f"<dt>tide</dt><dd>{behind}, {behind}<dl>{inner}</dl></dd>" * number + "</dl>"


def test_an_index_as_books_have_goes() -> None:
    index = _entries(10, '<a href="tides.html">Tides<small> [High water]</small></a>')
    assert html_page(f"<h2>Index</h2><h3>T</h3>{index}<p>Words.</p>").text == "Index\n\nT\n\nWords."


@pytest.mark.parametrize(
    ("number", "behind"),
    [
        (6, '<a href="tides.html">Tides</a>'),
        (10, '<a href="https://tides.example/">tides.example</a>'),
        (10, 'As high as <a href="tides.html">the moon</a>'),
    ],
)
def test_short_lists_of_pages_addresses_and_descriptions_are_kept(number: int, behind: str) -> None:
    assert "tide" in html_page(f"<h2>Pages</h2>{_entries(number, behind)}").text


def test_a_deep_list_is_read_quickly() -> None:
    assert "tide" in html_page("<dl><dt>tide<dd>" + "<b>tide " * 7_000).text


def test_a_page_of_many_links_to_the_next_is_read_quickly() -> None:
    assert html_page(f"<div>{'<a href=n>Next</a> tide ' * 20_000}</div>").text.startswith("Next tide")


def test_the_motto_beside_a_menu_goes() -> None:
    links = "".join(f'<li><a href="{name}.html">{name}</a></li>' for name in ("home", "boats", "fees"))
    bar = f'<div><img alt="Club"><div>Small boats.<br>Big seas.</div><ul class="menu">{links}</ul></div>'
    assert html_page(f"{bar}<div>Boats</div><h2>Sails</h2><p>Sails catch the wind.</p>").text == (
        "Boats\n\nSails\n\nSails catch the wind."
    )
    assert "Small boats." in html_page(f"{bar}<p>Hello.</p>").text
    called = bar.replace("Big seas.", "Call 555 1234.")
    assert "Call 555 1234." in html_page(f"{called}<h2>Sails</h2><p>Sails catch the wind, or they do not.</p>").text
    assert "Hoist the sail." in html_page(f"<div><nav>{links}</nav><p>Hoist the sail.</p></div><p>And go.</p>").text


def test_lists_of_the_page_s_own_places_and_the_page_s_frame_go() -> None:
    places = '<ul id="topics"><li><a href="#a">Sails</a></li><li><a href="#b">Ropes</a></li></ul>'
    frame = '<div id="page-header"><p>Harbour Guide 2.4</p></div>'
    assert html_page(f"{frame}<div>{places}</div><h2>Boats</h2><p>Sail.</p>").text == "Boats\n\nSail."
    titled = '<div id="page-header"><h1>Boats</h1></div><p>Sail.</p>'
    assert html_page(titled).text == "Boats\n\nSail."


def test_without_a_main_part_the_surroundings_go() -> None:
    assert html_page(
        "<header>Logo</header><nav>Menu</nav><h1>Title</h1><p>Content</p><footer>Imprint</footer>"
    ).text == ("Title\n\nContent")


@pytest.mark.parametrize(
    "box",
    [
        '<div class="sidebar"><a id="k"></a><div class="titlepage"><p class="title">Knots</p></div>'
        "<div>Tie them well.</div></div>",
        '<aside class="sidebar"><p class="sidebar-title">Knots</p><p>Tie them well.</p></aside>',
    ],
)
def test_a_box_beside_the_text_is_read_and_a_bar_beside_the_page_is_not(box: str) -> None:
    bar = '<div class="sidebar"><p>About this club</p><ul><li><a href="a">News</a></li></ul></div>'
    text = html_page(f"<div><h1>Boats</h1><p>Sail.</p>{box}{bar}</div>").text
    assert "Knots" in text
    assert "Tie them well." in text
    assert "About" not in text


def test_links_above_the_first_heading_go() -> None:
    banner = (
        '<div id="banner"><a href="shop"><span>Buy the book</span></a></div><p><a href="/"><img alt="Site"></a></p>'
    )
    assert html_page(
        f"{banner}<p>By <a href='i'>Ida</a></p><div><h1>Boats</h1><p><a href='x'>Sails</a></p></div>"
    ).text == ("By Ida\n\nBoats\n\nSails")
    assert html_page(f"{banner}<p>Words.</p>").text == "Buy the book\n\nSite\n\nWords."


def test_an_empty_main_part_is_not_believed() -> None:
    assert html_page("<main></main><div><p>Content</p></div>").text == "Content"


def test_one_article_is_the_page_and_several_are_all_of_it() -> None:
    assert html_page("<div>Ad</div><article><header><h1>T</h1></header><p>A</p></article>").text == "T\n\nA"
    assert html_page("<article><p>A</p></article><article><p>B</p></article>").text == "A\n\nB"


@pytest.mark.parametrize(
    "furniture",
    [
        '<div class="cookie-banner">We use cookies</div>',
        '<div id="sidebar">Other pages</div>',
        '<ol aria-label="breadcrumb"><li>Home</li></ol>',
        '<a class="edit-this-page" href="#">Edit this page</a>',
        '<div class="box share-buttons">Share</div>',
        '<div role="navigation">Menu</div>',
    ],
)
def test_headers_and_navigation_are_left_out(furniture: str) -> None:
    assert html_page(f"{furniture}<p>Content</p>").text == "Content"


@pytest.mark.parametrize(
    "path",
    [
        '<div id="path"><a href="/">Harbour</a> &gt; <a href="/b">Boats</a> &gt; <a href="/b/s">Sails</a></div>',
        '<p><a href="/">Harbour</a> » <a href="/b">Boats</a> » Sails</p>',
    ],
)
def test_the_path_to_a_page_is_left_out(path: str) -> None:
    assert html_page(f"{path}<h1>Sails</h1><p>Content</p>").text == "Sails\n\nContent"


@pytest.mark.parametrize(
    ("menu", "shown"),
    [
        ('Click <a href="/f">File</a> > <a href="/s">Save</a>.', "Click File > Save."),
        ('<a href="/f">File</a> > <a href="/s">Save</a> writes it.', "File > Save writes it."),
        ('<a href="/a">Ann</a> and <a href="/b">Ben</a>', "Ann and Ben"),
    ],
)
def test_other_words_between_links_stay(menu: str, shown: str) -> None:
    assert html_page(f"<h1>Sails</h1><p>{menu}</p>").text == f"Sails\n\n{shown}"


_SENTENCES = "<p>Ferries sail at noon.</p><p>They carry no cars.</p>"
_SEARCH = "<form><p>Find a ferry</p><input name=q><button>Go</button></form>"


@pytest.mark.parametrize(
    "body",
    [
        f"<form id=aspnetForm><h1>Ferries</h1>{_SENTENCES}</form>",
        f"<form><header><p>Harbour</p></header><h1>Ferries</h1>{_SENTENCES}<footer>About us</footer></form>",
        f"<form><div><h1>Ferries</h1>{_SENTENCES}</div></form>{_SEARCH}",
        f"<h1>Ferries</h1>{_SENTENCES}{_SEARCH}",
        f"{_SEARCH}<h1>Ferries</h1>{_SENTENCES}<form><h2>Log in</h2><label>Name</label></form>",
    ],
)
def test_a_form_around_the_page_is_no_furniture_and_others_are(body: str) -> None:
    assert html_page(body).text == "Ferries\n\nFerries sail at noon.\n\nThey carry no cars."


def test_a_page_that_is_a_form_without_words_of_its_own_holds_no_text() -> None:
    with pytest.raises(EmptyDocument):
        html_page("<form><label>Name</label><input name=n><label>Password</label><input name=p></form>")


_CARD = "<article><h2>News</h2><p>A pier opens.</p></article>"


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        (f"{_CARD}<h1>Ferries</h1>{_SENTENCES}", "News\n\nA pier opens.\n\nFerries\n\nFerries sail at noon."),
        (f"<h1>Ferries</h1>{_SENTENCES}{_CARD}", "Ferries\n\nFerries sail at noon."),
        (f"<h1>Harbour</h1><article><h2>Ferries</h2>{_SENTENCES}</article><p>Contact</p>", "Ferries\n\nFerries sail"),
        (f"<header><h1>Harbour news of today</h1></header>{_CARD}<div>All the piers of the harbour</div>", "News\n\nA"),
        (f"<div>Piers, boats, sails and more</div><article><h1>Ferries</h1>{_SENTENCES}</article>", "Ferries\n\nFer"),
    ],
)
def test_an_article_is_the_page_unless_title_and_most_words_stand_beside_it(body: str, shown: str) -> None:
    assert html_page(body).text.startswith(shown)


@pytest.mark.parametrize(
    "link",
    [
        '<div class="up"><a href="#head"><img alt="top" src="up.gif"></a></div>',
        '<p>[<a href="#">Back to the top</a>]</p>',
        '<p align="right"><a href="#top">Return to top of page</a></p>',
    ],
)
def test_links_to_the_top_of_the_page_go(link: str) -> None:
    assert html_page(f"<h2>Sails</h2><p>Words.</p>{link}<h2>Ropes</h2><p>Words.</p>").text.count("top") == 0


@pytest.mark.parametrize(
    "line", ['<p>See the <a href="#top">top</a> of the mast.</p>', '<p><a href="top.html">Top</a></p>']
)
def test_the_top_of_something_else_stays(line: str) -> None:
    assert "top" in html_page(f"<h2>Sails</h2><p>Words.</p>{line}").text.lower()


def test_many_links_to_the_top_are_read_quickly() -> None:
    assert html_page(f"<p>Words.</p><div>{'<a href=#>top</a> ' * 3_000}</div>").text == "Words."


def test_a_list_of_terms_that_are_places_of_the_page_goes() -> None:
    places = (
        '<dl><dt>1. <a href="#a">May I sail in the dark?</a></dt><dt>2. <a href="#b">May I swim alone?</a></dt></dl>'
    )
    assert html_page(f"<h2>Questions</h2>{places}<p>Words.</p>").text == "Questions\n\nWords."
    meant = (
        '<dl><dt><a href="#a">ebb</a></dt><dd>Falling water.</dd><dt><a href="#b">flood</a></dt><dd>Rising.</dd></dl>'
    )
    assert "ebb" in html_page(f"<h2>Words</h2>{meant}<p>Words.</p>").text
