"""HTML: what a page is about, as a person sees it."""

from __future__ import annotations

import pytest
from block_checks import assert_blocks_fit, shown_blocks

from pipelines.reading import read
from pipelines.types import ParsedDocument


def page(body: str, head: str = "") -> ParsedDocument:
    document = read(f"<html><head>{head}</head><body>{body}</body></html>".encode(), name="page.html")
    assert_blocks_fit(document)
    return document


def test_headings_lists_code_and_quotes_are_read_without_marks() -> None:
    text = page(
        "<h1>Guide</h1><p>First\n  line.<br>Second line.</p><ul><li>one<ul><li>inner</li></ul></li><li>two</li></ul>"
        '<ol start="3"><li>three</li><li>four</li></ol><h2>Code</h2><pre>def f():\n    return 1\n</pre>'
        "<p>Call <code>f()</code>.</p><blockquote><p>Said so.</p></blockquote>"
    ).text
    assert text == (
        "Guide\n\nFirst line.\nSecond line.\n\n- one\n  - inner\n- two\n3. three\n4. four\n\nCode\n\n"
        "def f():\n    return 1\n\nCall f().\n\nSaid so."
    )


def test_headings_are_placed_in_the_text() -> None:
    document = page("<p>Before</p><h1>One <i>and</i> only</h1><p>Text</p><h3>Deep</h3>")
    assert [(heading.level, heading.title) for heading in document.headings] == [(1, "One and only"), (3, "Deep")]
    assert [document.text[heading.start :].split("\n")[0] for heading in document.headings] == [
        "One and only",
        "Deep",
    ]


def test_words_are_kept_whole_and_links_and_emphasis_leave_no_marks() -> None:
    text = page(
        '<p>The <b>L</b>ast of_the *stars* is <a href="https://example.com/a_b">here</a>, H<sub>2</sub>O.</p>'
    ).text
    assert text == "The Last of_the *stars* is here, H2O."


def test_superscript_never_changes_a_number_and_notes_leave_the_sentence() -> None:
    text = page('<p>10<sup>5</sup> m<sup>2</sup> on the 1<sup>st</sup> day.<sup><a href="#n1">[1]</a></sup></p>').text
    assert text == "10^5 m^2 on the 1st day."


@pytest.mark.parametrize("line", ["# No heading", "### No heading", "```", "~~~", "---", "====="])
def test_words_that_look_like_markdown_make_no_structure(line: str) -> None:
    document = page(f"<p>above<br>{line}</p><p>{line}</p><p><b>{line}</b></p><h2>Real</h2>")
    assert [heading.title for heading in document.headings] == ["Real"]


def test_markup_shown_as_text_hides_no_heading() -> None:
    assert [heading.title for heading in page("<p>&lt;!-- open</p><p>&lt;script&gt;</p><h2>Real</h2>").headings] == [
        "Real"
    ]


def test_code_is_kept_as_it_is() -> None:
    document = page("<pre>```\n# no heading\n```</pre><h2>After</h2>")
    assert document.text == "```\n# no heading\n```\n\nAfter"
    assert [heading.title for heading in document.headings] == ["After"]


def test_a_page_that_is_all_preformatted_is_read_as_plain_text() -> None:
    lines = "\n".join(f"Line {number} of the act says what the law is and is for." for number in range(60))
    document = page(f"<pre>AN ACT\n\n{lines}\n\n</pre>")
    assert [block.kind for block in document.blocks][:2] == ["paragraph", "paragraph"]


def test_furniture_is_left_out() -> None:
    body = (
        "<header>Logo <nav>Home</nav></header><nav>Menu</nav><main><h1>Title<a href='#t'>¶</a></h1>"
        "<script>var x;</script><style>p{}</style><p>Content</p><div hidden>secret</div><aside>Note well</aside>"
        "<button>Copy</button></main><footer>Imprint</footer>"
    )
    assert page(body).text == "Title\n\nContent\n\nNote: Note well"


def test_menus_of_links_and_lists_of_the_page_s_own_places_go() -> None:
    links = "".join(f'<li><a href="/{name}">{name}</a></li>' for name in ("home", "boats", "fees"))
    places = "".join(f'<div><a href="#{name}">{name}</a></div>' for name in ("first", "second", "third"))
    menus = f'<div class="menu mainmenu"><ul>{links}</ul></div><div id="toc_sub">{places}</div>'
    assert page(f"{menus}<ul>{links}</ul><p>Words.</p>").text == "- home\n- boats\n- fees\n\nWords."


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
    ],
)
def test_links_to_other_pages_of_a_book_go(line: str) -> None:
    assert page(f"<div>{line}<h2>Boats</h2><p>Words.</p>{line}</div>").text == "Boats\n\nWords."


@pytest.mark.parametrize(
    "line",
    [
        'Press <a href="n">Next</a>, then <a href="p">Previous</a>.',
        '<a href="n">Next</a>',
        '<a href="n">The next tide</a> and <a href="p">the previous one</a>',
    ],
)
def test_words_beside_such_links_are_kept(line: str) -> None:
    assert page(f"<div><p>Words.</p><p>{line}</p></div>").text.startswith("Words.\n\n")


def test_a_page_of_many_links_to_the_next_is_read_quickly() -> None:
    assert page(f"<div>{'<a href=n>Next</a> tide ' * 20_000}</div>").text.startswith("Next tide")


def test_a_title_of_an_equation_is_its_caption() -> None:
    document = page(
        '<div class="equation"><p class="title"><b>Equation 1.</b></p><div class="equation-contents">a = b</div></div>'
    )
    assert shown_blocks(document)[0] == ("caption", 0, "Equation 1.")


@pytest.mark.parametrize(
    ("figure", "caption"),
    [
        (
            '<div class="figure"><p class="title"><b>Figure 2. The harbour</b></p><div class="figure-contents">'
            '<div class="mediaobject"><img src="h.png" alt="The harbour"><div class="caption"><p>At dawn.</p></div>'
            "</div></div></div>",
            "Figure 2. The harbour; At dawn.",
        ),
        ('<div class="imageblock"><img src="h_1.png" alt="harbour_1_png"><div class="title">Dawn</div></div>', "Dawn"),
        ('<div class="imageblock"><img src="h.png" alt="the quay"></div>', "Image: the quay"),
        ('<figure><img src="h.png" alt="Boats"><figcaption>Boats at dawn.</figcaption></figure>', "Boats at dawn."),
    ],
)
def test_a_figure_is_its_caption_and_what_its_images_are_called_besides(figure: str, caption: str) -> None:
    assert shown_blocks(page(f"<p>Look.</p>{figure}<p>They sail.</p>")) == [
        ("paragraph", 0, "Look."),
        ("caption", 0, caption),
        ("paragraph", 0, "They sail."),
    ]


def test_an_image_that_nobody_described_and_words_beside_an_image_are_no_caption() -> None:
    figure = '<figure><img src="h.png" alt="The quay"><p>Here we sail.</p></figure>'
    nameless = '<div class="imageblock"><img src="a.png" alt="a_1.png"></div>'
    assert page(f"{nameless}{figure}").text == "The quay\n\nHere we sail."


def test_an_item_that_begins_with_a_figure_is_what_it_says_below() -> None:
    figure = '<div class="figure"><p class="title">Figure 1. A knot</p><img src="k.png"></div>'
    document = page(f"<ol><li>{figure}<p>Tie a knot.</p></li><li>{figure}</li></ol>")
    assert shown_blocks(document) == [
        ("item", 1, "1. Tie a knot."),
        ("caption", 2, "Figure 1. A knot"),
        ("item", 1, "2. Figure 1. A knot"),
    ]


@pytest.mark.parametrize(
    ("rows", "shown"),
    [
        (
            '<tr><td rowspan="2"><img src="n.png" alt="[Note]"></td><th>Note</th></tr>'
            "<tr><td><p>Mind the tide.</p></td></tr>",
            "Note: Mind the tide.",
        ),
        (
            '<tr><td class="icon"><div class="title">Note</div></td><td class="content">Mind the tide.</td></tr>',
            "Note: Mind the tide.",
        ),
        (
            '<tr><td><img src="n.png" alt="[Note]"></td><th>Tides</th></tr><tr><td>Mind the tide.</td></tr>',
            "Note: Tides: Mind the tide.",
        ),
    ],
)
def test_a_note_that_is_drawn_as_a_table_is_a_note(rows: str, shown: str) -> None:
    assert shown_blocks(page(f'<div class="note"><table>{rows}</table></div>')) == [("note", 0, shown)]


def test_a_table_in_a_note_stays_a_table() -> None:
    table = "<table><tr><th>Tide</th><th>Hour</th></tr><tr><td>high</td><td>6</td></tr></table>"
    assert "Tide | Hour" in page(f'<div class="note">{table}</div>').text
    pictured = '<table><tr><td><img alt="a flag"></td><td>Red</td><td>Danger</td></tr></table>'
    assert "a flag" in page(f'<div class="note">{pictured}</div>').text


def test_unmarked_names_head_a_table_of_pairs_where_they_stand_out() -> None:
    rows = "<tr><td>Lugger</td><td>two masts</td></tr><tr><td>Ketch</td><td>two masts</td></tr>"
    assert [kind for kind, *_ in shown_blocks(page(f"<table>{rows}</table>"))] == ["row", "row"]
    named = "<tr><td><b>Boat</b></td><td><b>Masts</b></td></tr>"
    assert shown_blocks(page(f"<table>{named}{rows}</table>"))[0] == ("header", 1, "Boat | Masts")


def test_a_table_of_asciidoc_or_docbook_has_the_headers_that_it_marks() -> None:
    rows = "<tr><td>*.boat, *.sail</td><td>Harbour 6.x (XML)</td></tr><tr><td>*.tide</td><td>Tide archive</td></tr>"
    document = page(f'<table class="tableblock">{rows}</table>')
    assert [kind for kind, *_ in shown_blocks(document)] == ["row", "row"]


def test_the_motto_beside_a_menu_goes() -> None:
    links = "".join(f'<li><a href="{name}.html">{name}</a></li>' for name in ("home", "boats", "fees"))
    bar = f'<div><img alt="Club"><div>Small boats.<br>Big seas.</div><ul class="menu">{links}</ul></div>'
    assert page(f"{bar}<div>Boats</div><h2>Sails</h2><p>Sails catch the wind.</p>").text == (
        "Boats\n\nSails\n\nSails catch the wind."
    )
    assert "Small boats." in page(f"{bar}<p>Hello.</p>").text
    called = bar.replace("Big seas.", "Call 555 1234.")
    assert "Call 555 1234." in page(f"{called}<h2>Sails</h2><p>Sails catch the wind, or they do not.</p>").text
    assert "Hoist the sail." in page(f"<div><nav>{links}</nav><p>Hoist the sail.</p></div><p>And go.</p>").text


def test_lists_of_the_page_s_own_places_and_the_page_s_frame_go() -> None:
    places = '<ul id="topics"><li><a href="#a">Sails</a></li><li><a href="#b">Ropes</a></li></ul>'
    frame = '<div id="page-header"><p>Harbour Guide 2.4</p></div>'
    assert page(f"{frame}<div>{places}</div><h2>Boats</h2><p>Sail.</p>").text == "Boats\n\nSail."
    titled = '<div id="page-header"><h1>Boats</h1></div><p>Sail.</p>'
    assert page(titled).text == "Boats\n\nSail."


def test_without_a_main_part_the_surroundings_go() -> None:
    assert page("<header>Logo</header><nav>Menu</nav><h1>Title</h1><p>Content</p><footer>Imprint</footer>").text == (
        "Title\n\nContent"
    )


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
    text = page(f"<div><h1>Boats</h1><p>Sail.</p>{box}{bar}</div>").text
    assert "Knots" in text
    assert "Tie them well." in text
    assert "About" not in text


def test_links_above_the_first_heading_go() -> None:
    banner = (
        '<div id="banner"><a href="shop"><span>Buy the book</span></a></div><p><a href="/"><img alt="Site"></a></p>'
    )
    assert page(f"{banner}<p>By <a href='i'>Ida</a></p><div><h1>Boats</h1><p><a href='x'>Sails</a></p></div>").text == (
        "By Ida\n\nBoats\n\nSails"
    )
    assert page(f"{banner}<p>Words.</p>").text == "Buy the book\n\nSite\n\nWords."


def test_an_empty_main_part_is_not_believed() -> None:
    assert page("<main></main><div><p>Content</p></div>").text == "Content"


def test_one_article_is_the_page_and_several_are_all_of_it() -> None:
    assert page("<div>Ad</div><article><header><h1>T</h1></header><p>A</p></article>").text == "T\n\nA"
    assert page("<article><p>A</p></article><article><p>B</p></article>").text == "A\n\nB"


def test_the_words_of_a_heading_that_folds_are_kept() -> None:
    assert page("<h3><button>How long?</button></h3><p>A week.</p>").text == "How long?\n\nA week."


def test_tables_have_a_header_whole_cells_and_repeated_spans() -> None:
    text = page(
        "<table><caption>Fees</caption><tr><th>Kind</th><th colspan=2>Fee | tax</th></tr>"
        "<tr><td rowspan=2>Dog</td><td><p>small</p><p>one</p></td><td>10</td></tr>"
        "<tr><td>big</td><td>20</td></tr></table>"
    ).text
    assert text == ("Fees\n\nKind | Fee|tax | Fee|tax\nDog | small / one | 10\nDog | big | 20")


def test_a_table_has_its_caption_header_and_rows() -> None:
    document = page(
        "<p>Prices:</p><table><tr><td colspan=3>In euros</td></tr><tr><td></td><th>2023</th><td>2024</td></tr>"
        "<tr><td>Dog</td><td>10</td><td>12</td></tr><tr><td>Cat</td><td>8</td><td>9</td></tr></table>"
    )
    assert shown_blocks(document) == [
        ("paragraph", 0, "Prices:"),
        ("caption", 0, "In euros"),
        ("header", 1, " | 2023 | 2024"),
        ("row", 1, "Dog | 10 | 12"),
        ("row", 1, "Cat | 8 | 9"),
    ]


def test_a_header_of_two_rows_is_one() -> None:
    document = page(
        "<table><thead><tr><th></th><th colspan=2>Fee</th></tr><tr><th>Kind</th><th>net</th><th>gross</th></tr></thead>"
        "<tr><td>Dog</td><td>10</td><td>12</td></tr></table>"
    )
    assert document.text == "Kind | Fee: net | Fee: gross\nDog | 10 | 12"


def test_a_form_has_no_header() -> None:
    document = page("<table><tr><td>Name: Ann</td><td>Age: 3</td></tr><tr><td>Town: Ulm</td><td>x</td></tr></table>")
    assert [block.kind for block in document.blocks] == ["row", "row"]


def test_spans_beyond_measure_are_not_written_out() -> None:
    rows = f"<tr>{'<td rowspan=1000 colspan=1000>x</td>' * 50}</tr>" * 2
    assert len(page(f"<table>{rows}</table>").text) < 1_000_000


def test_notes_definitions_and_nested_lists_know_what_they_belong_to() -> None:
    document = page(
        "<p>Kinds:</p><dl><dt>Pug</dt><dd>A dog.<ul><li>small</li></ul></dd></dl>"
        '<div class="admonition warning"><p class="admonition-title">Warning</p><p>Hot.</p><p>Very.</p></div>'
        "<ul><li><p>One</p><p>more</p><ol type=a><li>in</li></ol></li></ul>"
    )
    assert shown_blocks(document) == [
        ("paragraph", 0, "Kinds:"),
        ("term", 1, "Pug"),
        ("definition", 2, "A dog."),
        ("item", 3, "- small"),
        ("note", 0, "Warning: Hot."),
        ("paragraph", 1, "Very."),
        ("item", 1, "- One"),
        ("paragraph", 2, "more"),
        ("item", 3, "  a. in"),
    ]


def test_tables_that_only_arrange_the_page_become_its_blocks() -> None:
    inner = "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>"
    document = page(f"<table><tr><td><h1>News</h1></td></tr><tr><td>{inner}</td></tr></table>")
    assert document.text == "News\n\na | b\n1 | 2"
    assert document.headings


def test_title_and_metadata_are_the_page_s_own() -> None:
    document = page(
        "<h1>Heading</h1>",
        "<title>\n Page\n title </title><meta name=author content='A. Writer'>"
        "<meta property='article:published_time' content='2024-05-06T07:08:09Z'>",
    )
    assert document.title == "Page title"
    assert document.metadata == {"author": "A. Writer", "published": "2024-05-06"}
    assert page("<h1>Heading</h1>").title == "Heading"


@pytest.mark.parametrize("declaration", ['<meta charset="windows-1250">', '<meta content="text/html; charset=cp1250">'])
def test_the_page_says_its_charset(declaration: str) -> None:
    content = f"<html><head>{declaration}</head><body><p>Egyszerű gyűjtő</p></body></html>".encode("cp1250")
    assert read(content, name="a.html").text == "Egyszerű gyűjtő"


def test_xhtml_is_read_like_html() -> None:
    content = '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body><p>é<br/>ü</p></body></html>'
    assert read(content.encode(), name="a.xhtml").text == "é\nü"


@pytest.mark.parametrize("depth", [300, 5000])
def test_absurd_nesting_loses_no_words(depth: int) -> None:
    assert "deep" in page("<div>" * depth + "deep" + "</div>" * depth).text


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        (
            "<code># </code><b><code>sail -r</code></b>\n<code>Sailing ...\n# </code><b>moor</b>",
            "# sail -r\nSailing ...\n# moor",
        ),
        ("<code>a</code> = 1\n<code>b</code> = 2", "a = 1\nb = 2"),
        ("<code>a = 1</code><code>b = 2</code>", "a = 1\nb = 2"),
    ],
)
def test_code_keeps_what_stands_between_its_parts(code: str, shown: str) -> None:
    assert page(f"<pre>{code}</pre>").text == shown


def test_a_broken_page_is_read_as_browsers_do() -> None:
    assert page("<p>one<p>two<ul><li>a<li>b</ul></div></p>three").text == "one\n\ntwo\n\n- a\n- b\n\nthree"


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
    assert page(f"{furniture}<p>Content</p>").text == "Content"


TABS = '<ul role="tablist"><li role="tab">Linux</li><li role="tab">Mac</li></ul>'
LABELS = '<div class="tabbed-labels"><label>Linux</label><label>Mac</label></div>'


@pytest.mark.parametrize(
    "tabs",
    [
        f"{TABS}<div><div role=tabpanel>apt install</div><div role=tabpanel hidden>brew install</div></div>",
        f"{LABELS}<div><div class=tabbed-block>apt install</div><div class=tabbed-block>brew install</div></div>",
    ],
)
def test_every_panel_of_tabs_stands_below_its_name(tabs: str) -> None:
    document = page(f"<main><p>Run one of these.</p><div>{tabs}</div></main>")
    assert shown_blocks(document) == [
        ("paragraph", 0, "Run one of these."),
        ("caption", 0, "Linux"),
        ("paragraph", 0, "apt install"),
        ("caption", 0, "Mac"),
        ("paragraph", 0, "brew install"),
    ]


def test_tabs_within_tabs_keep_their_own_panels() -> None:
    inner = '<div><div role="tablist"><b role="tab">apt</b></div><div role="tabpanel">apt install</div></div>'
    panels = f"<div role=tabpanel>{inner}</div><div role=tabpanel hidden>brew install</div>"
    assert page(f"<div>{TABS}{panels}</div>").text == "Linux\n\napt\n\napt install\n\nMac\n\nbrew install"


@pytest.mark.parametrize(
    "answer",
    [
        "<h3><button>How long?</button></h3><div class='accordion-collapse' aria-hidden=true>A week.</div>",
        "<button aria-expanded=false aria-controls=a1>How long?</button><div id=a1 hidden>A week.</div>",
    ],
)
def test_answers_that_fold_are_shown(answer: str) -> None:
    assert page(answer).text == "How long?\n\nA week."


@pytest.mark.parametrize(
    "folded",
    [
        "<div id=m hidden><a href=/>Home</a><a href=/fees>Fees</a></div>",
        "<div id=m hidden><form>Find</form></div>",
        "<div id=m class='collapse navbar-collapse' hidden>Home</div>",
    ],
)
def test_menus_that_fold_stay_out(folded: str) -> None:
    button = "<button aria-expanded=false aria-controls=m>Menu</button>"
    assert page(f"{button}{folded}<p>Words.</p>").text == "Words."


@pytest.mark.parametrize("first", ["<td rowspan=2>Region</td>", "<td></td>"])
def test_groups_over_columns_are_part_of_their_names(first: str) -> None:
    groups = f"<tr>{first}<td colspan=2>2023</td><td colspan=2>2024</td></tr>"
    names = "<td>Q1</td><td>Q2</td><td>Q1</td><td>Q2</td>"
    names = f"<tr>{'' if 'rowspan' in first else '<td>Region</td>'}{names}</tr>"
    rows = "<tr><td>EU</td><td>1</td><td>2</td><td>3</td><td>4</td></tr><tr><td>US</td><td>5</td><td>6</td></tr>"
    assert shown_blocks(page(f"<table>{groups}{names}{rows}</table>")) == [
        ("header", 1, "Region | 2023: Q1 | 2023: Q2 | 2024: Q1 | 2024: Q2"),
        ("row", 1, "EU | 1 | 2 | 3 | 4"),
        ("row", 1, "US | 5 | 6"),
    ]


def test_the_lists_of_word_and_outlook_are_lists() -> None:
    def item(level: int, mark: str, text: str) -> str:
        sign = f'<![if !supportLists]><span style="mso-list:Ignore">{mark}<span>&nbsp;&nbsp; </span></span><![endif]>'
        return f'<p class=MsoListParagraph style="text-indent:-18pt;mso-list:l0 level{level} lfo1">{sign}{text}</p>'

    items = item(1, "1.", "Rent") + item(2, "·", "in <b>May</b>") + item(2, "o", "in June") + item(1, "2.", "Tax")
    assert shown_blocks(page(f"<div><p class=MsoNormal>Due are:</p>{items}<p>Bye.</p></div>")) == [
        ("paragraph", 0, "Due are:"),
        ("item", 1, "1. Rent"),
        ("item", 2, "  - in May"),
        ("item", 2, "  - in June"),
        ("item", 1, "2. Tax"),
        ("paragraph", 0, "Bye."),
    ]


def test_a_table_whose_rows_have_names_has_no_header() -> None:
    rows = "<tr><th>Weight</th><td>two kilos</td></tr><tr><th>Colour</th><td>red</td></tr>"
    assert shown_blocks(page(f"<table>{rows}</table>")) == [
        ("row", 1, "Weight | two kilos"),
        ("row", 1, "Colour | red"),
    ]


@pytest.mark.parametrize(
    ("formula", "shown"),
    [
        ("<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></mfrac>", "(a+b)/2"),
        ("<msup><mi>x</mi><mrow><mo>-</mo><mn>2</mn></mrow></msup>", "x^(-2)"),
        ("<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>", "x_i^2"),
        ("<semantics><mi>x</mi><annotation encoding='application/x-tex'>x</annotation></semantics>", "x"),
    ],
)
def test_formulas_are_shown_once_in_a_line(formula: str, shown: str) -> None:
    assert page(f"<p>It is <math>{formula}</math>.</p>").text == f"It is {shown}."
