"""HTML: what a page is about, as a person sees it."""

from __future__ import annotations

import pytest

from pipelines.reading import read
from tests.pipelines.reading.block_checks import shown_blocks
from tests.pipelines.reading.html.html_pages import html_page


def test_headings_lists_code_and_quotes_are_read_without_marks() -> None:
    text = html_page(
        "<h1>Guide</h1><p>First\n  line.<br>Second line.</p><ul><li>one<ul><li>inner</li></ul></li><li>two</li></ul>"
        '<ol start="3"><li>three</li><li>four</li></ol><h2>Code</h2><pre>def f():\n    return 1\n</pre>'
        "<p>Call <code>f()</code>.</p><blockquote><p>Said so.</p></blockquote>"
    ).text
    assert text == (
        "Guide\n\nFirst line.\nSecond line.\n\n- one\n  - inner\n- two\n3. three\n4. four\n\nCode\n\n"
        "def f():\n    return 1\n\nCall f().\n\nSaid so."
    )


def test_headings_are_placed_in_the_text() -> None:
    document = html_page("<p>Before</p><h1>One <i>and</i> only</h1><p>Text</p><h3>Deep</h3>")
    assert [(heading.level, heading.title) for heading in document.headings] == [(1, "One and only"), (3, "Deep")]
    assert [document.text[heading.start :].split("\n")[0] for heading in document.headings] == [
        "One and only",
        "Deep",
    ]


def test_words_are_kept_whole_and_links_and_emphasis_leave_no_marks() -> None:
    text = html_page(
        '<p>The <b>L</b>ast of_the *stars* is <a href="https://example.com/a_b">here</a>, H<sub>2</sub>O.</p>'
    ).text
    assert text == "The Last of_the *stars* is here, H2O."


def test_superscript_never_changes_a_number_and_notes_leave_the_sentence() -> None:
    text = html_page(
        '<p>10<sup>5</sup> m<sup>2</sup> on the 1<sup>st</sup> day.<sup><a href="#n1">[1]</a></sup></p>'
    ).text
    assert text == "10^5 m^2 on the 1st day."


@pytest.mark.parametrize("line", ["# No heading", "### No heading", "```", "~~~", "---", "====="])
def test_words_that_look_like_markdown_make_no_structure(line: str) -> None:
    document = html_page(f"<p>above<br>{line}</p><p>{line}</p><p><b>{line}</b></p><h2>Real</h2>")
    assert [heading.title for heading in document.headings] == ["Real"]


def test_markup_shown_as_text_hides_no_heading() -> None:
    assert [
        heading.title for heading in html_page("<p>&lt;!-- open</p><p>&lt;script&gt;</p><h2>Real</h2>").headings
    ] == ["Real"]


def test_code_is_kept_as_it_is() -> None:
    document = html_page("<pre>```\n# no heading\n```</pre><h2>After</h2>")
    assert document.text == "```\n# no heading\n```\n\nAfter"
    assert [heading.title for heading in document.headings] == ["After"]


def test_a_page_that_is_all_preformatted_is_read_as_plain_text() -> None:
    lines = "\n".join(f"Line {number} of the act says what the law is and is for." for number in range(60))
    document = html_page(f"<pre>AN ACT\n\n{lines}\n\n</pre>")
    assert [block.kind for block in document.blocks][:2] == ["paragraph", "paragraph"]


def test_a_title_of_an_equation_is_its_caption() -> None:
    document = html_page(
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
    assert shown_blocks(html_page(f"<p>Look.</p>{figure}<p>They sail.</p>")) == [
        ("paragraph", 0, "Look."),
        ("caption", 0, caption),
        ("paragraph", 0, "They sail."),
    ]


def test_an_image_that_nobody_described_and_words_beside_an_image_are_no_caption() -> None:
    figure = '<figure><img src="h.png" alt="The quay"><p>Here we sail.</p></figure>'
    nameless = '<div class="imageblock"><img src="a.png" alt="a_1.png"></div>'
    assert html_page(f"{nameless}{figure}").text == "The quay\n\nHere we sail."


def test_an_item_that_begins_with_a_figure_is_what_it_says_below() -> None:
    figure = '<div class="figure"><p class="title">Figure 1. A knot</p><img src="k.png"></div>'
    document = html_page(f"<ol><li>{figure}<p>Tie a knot.</p></li><li>{figure}</li></ol>")
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
    assert shown_blocks(html_page(f'<div class="note"><table>{rows}</table></div>')) == [("note", 0, shown)]


@pytest.mark.parametrize(
    ("written", "first"),
    [
        ('<h3 class="title">Note</h3><p>Mind the tide.</p>', "Note: Mind the tide."),
        ('<h3 class="title">Tides</h3><p>Mind the tide.</p>', "Note: Tides: Mind the tide."),
    ],
)
def test_the_title_of_a_note_of_docbook_is_said_once(written: str, first: str) -> None:
    assert shown_blocks(html_page(f'<div class="note">{written}</div>')) == [("note", 0, first)]


def test_the_words_of_a_heading_that_folds_are_kept() -> None:
    assert html_page("<h3><button>How long?</button></h3><p>A week.</p>").text == "How long?\n\nA week."


@pytest.mark.parametrize("kind", ["", "<span>: </span>", "<span> </span><i>:</i> "])
def test_a_term_does_not_begin_with_the_colon_behind_a_kind_that_is_not_said(kind: str) -> None:
    document = html_page(f"<dl><dt>{kind}<strong>furl</strong> <em>(sail)</em></dt><dd>Roll it up.</dd></dl>")
    assert shown_blocks(document) == [("term", 0, "furl (sail)"), ("definition", 1, "Roll it up.")]


def test_notes_definitions_and_nested_lists_know_what_they_belong_to() -> None:
    document = html_page(
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


def test_title_and_metadata_are_the_page_s_own() -> None:
    document = html_page(
        "<h1>Heading</h1>",
        "<title>\n Page\n title </title><meta name=author content='A. Writer'>"
        "<meta property='article:published_time' content='2024-05-06T07:08:09Z'>",
    )
    assert document.title == "Page title"
    assert document.metadata == {"author": "A. Writer", "published": "2024-05-06"}
    assert html_page("<h1>Heading</h1>").title == "Heading"


@pytest.mark.parametrize("declaration", ['<meta charset="windows-1250">', '<meta content="text/html; charset=cp1250">'])
def test_the_page_says_its_charset(declaration: str) -> None:
    content = f"<html><head>{declaration}</head><body><p>Egyszerű gyűjtő</p></body></html>".encode("cp1250")
    assert read(content, name="a.html").text == "Egyszerű gyűjtő"


def test_xhtml_is_read_like_html() -> None:
    content = '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body><p>é<br/>ü</p></body></html>'
    assert read(content.encode(), name="a.xhtml").text == "é\nü"


@pytest.mark.parametrize("depth", [300, 5000])
def test_absurd_nesting_loses_no_words(depth: int) -> None:
    assert "deep" in html_page("<div>" * depth + "deep" + "</div>" * depth).text


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
    assert html_page(f"<pre>{code}</pre>").text == shown


def test_a_broken_page_is_read_as_browsers_do() -> None:
    assert html_page("<p>one<p>two<ul><li>a<li>b</ul></div></p>three").text == "one\n\ntwo\n\n- a\n- b\n\nthree"


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
    document = html_page(f"<main><p>Run one of these.</p><div>{tabs}</div></main>")
    assert shown_blocks(document) == [
        ("paragraph", 0, "Run one of these."),
        ("caption", 0, "Linux"),
        ("paragraph", 0, "apt install"),
        ("caption", 0, "Mac"),
        ("paragraph", 0, "brew install"),
    ]


def test_the_names_of_tabs_are_headings_above_those_in_their_panels() -> None:
    panels = "<div role=tabpanel><h2>Get</h2>curl<h3>Key</h3>gpg</div><div role=tabpanel hidden>brew install</div>"
    document = html_page(f"<h1>Setup</h1><div>{TABS}{panels}</div>")
    assert [(heading.level, heading.title) for heading in document.headings] == [
        (1, "Setup"),
        (2, "Linux"),
        (3, "Get"),
        (4, "Key"),
        (2, "Mac"),
    ]


def test_tabs_within_tabs_keep_their_own_panels() -> None:
    inner = '<div><div role="tablist"><b role="tab">apt</b></div><div role="tabpanel">apt install</div></div>'
    panels = f"<div role=tabpanel>{inner}</div><div role=tabpanel hidden>brew install</div>"
    assert html_page(f"<div>{TABS}{panels}</div>").text == "Linux\n\napt\n\napt install\n\nMac\n\nbrew install"


@pytest.mark.parametrize(
    "answer",
    [
        "<h3><button>How long?</button></h3><div class='accordion-collapse' aria-hidden=true>A week.</div>",
        "<button aria-expanded=false aria-controls=a1>How long?</button><div id=a1 hidden>A week.</div>",
    ],
)
def test_answers_that_fold_are_shown(answer: str) -> None:
    assert html_page(answer).text == "How long?\n\nA week."


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
    assert html_page(f"{button}{folded}<p>Words.</p>").text == "Words."


def test_the_lists_of_word_and_outlook_are_lists() -> None:
    def item(level: int, mark: str, text: str) -> str:
        sign = f'<![if !supportLists]><span style="mso-list:Ignore">{mark}<span>&nbsp;&nbsp; </span></span><![endif]>'
        return f'<p class=MsoListParagraph style="text-indent:-18pt;mso-list:l0 level{level} lfo1">{sign}{text}</p>'

    items = item(1, "1.", "Rent") + item(2, "·", "in <b>May</b>") + item(2, "o", "in June") + item(1, "2.", "Tax")
    assert shown_blocks(html_page(f"<div><p class=MsoNormal>Due are:</p>{items}<p>Bye.</p></div>")) == [
        ("paragraph", 0, "Due are:"),
        ("item", 1, "1. Rent"),
        ("item", 2, "  - in May"),
        ("item", 2, "  - in June"),
        ("item", 1, "2. Tax"),
        ("paragraph", 0, "Bye."),
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
    assert html_page(f"<p>It is <math>{formula}</math>.</p>").text == f"It is {shown}."


def test_short_paragraphs_in_bold_are_headings_of_a_page_without_others() -> None:
    body = "<p><b>1 Rent</b></p><p>The rent is paid in advance.</p><p><b>Never!</b> Pay <b>late</b>.</p>"
    assert shown_blocks(html_page(body)) == [
        ("heading", 2, "1 Rent"),
        ("paragraph", 0, "The rent is paid in advance."),
        ("paragraph", 0, "Never! Pay late."),
    ]


def test_paragraphs_in_bold_of_a_page_with_headings_are_text() -> None:
    body = "<h1>Guide</h1><h2>Rent</h2><p><b>Please note</b></p><p>The rent is paid in advance.</p>"
    assert ("paragraph", 0, "Please note") in shown_blocks(html_page(body))
