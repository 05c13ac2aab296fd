"""JATS: articles of journals, with what they say of themselves."""

from __future__ import annotations

import re

import pytest

from pipelines.errors import CorruptDocument, UnsupportedFormat
from pipelines.reading import read
from pipelines.types import ParsedDocument
from tests.pipelines.reading.block_checks import assert_blocks_fit, shown_blocks

DOCTYPE = '<!DOCTYPE article PUBLIC "-//NLM//DTD JATS v1.4//EN" "JATS-archivearticle1-4.dtd">'
META = """
<article-id pub-id-type="pmid">42</article-id><article-id pub-id-type="pmc">PMC12345</article-id>
<article-id pub-id-type="doi">10.1000/x.1</article-id>
<title-group>
<article-title>Of <italic>Anas</italic> and water<xref ref-type="fn"><sup>1</sup></xref></article-title></title-group>
<contrib-group>
<contrib contrib-type="author"><name><surname>Bürger</surname><given-names>Ann B.</given-names></name></contrib>
<contrib contrib-type="author"><collab>The Duck Group</collab></contrib>
<contrib contrib-type="editor"><name><surname>Not</surname><given-names>Me</given-names></name></contrib>
</contrib-group>
<pub-date pub-type="pmc-release"><day>1</day><month>1</month><year>2019</year></pub-date>
<pub-date pub-type="ppub"><month>5</month><year>2021</year></pub-date>
<pub-date pub-type="epub"><day>3</day><month>6</month><year>2021</year></pub-date>
<abstract><sec><title>Background</title><p>Ducks swim.</p></sec></abstract>
<abstract abstract-type="graphical"><p><graphic/></p></abstract>
"""


def article(body: str = "", back: str = "", meta: str = META) -> ParsedDocument:
    journal = (
        "<journal-meta><journal-title-group><journal-title>J Ducks</journal-title></journal-title-group></journal-meta>"
    )
    namespaces = 'xmlns:mml="http://www.w3.org/1998/Math/MathML" xmlns:xlink="http://www.w3.org/1999/xlink"'
    front = f"<front><journal-meta>{journal}</journal-meta><article-meta>{meta}</article-meta></front>"
    text = f"{DOCTYPE}<article {namespaces}>{front}<body>{body}</body><back>{back}</back></article>"
    return read(text.encode(), name="a.nxml")


def text_of(body: str, back: str = "") -> str:
    return article(body, back, meta="").text


def test_bibliographic_data_are_metadata() -> None:
    document = article()
    assert document.title == "Of Anas and water"
    assert document.metadata == {
        "authors": ["Ann B. Bürger", "The Duck Group"],
        "journal": "J Ducks",
        "publication_date": "2021-06-03",
        "doi": "10.1000/x.1",
        "pmid": "42",
        "source_type": "paper",
        "source_id": "12345",
    }


@pytest.mark.parametrize(
    ("title", "below", "whole"),
    [
        ("Ducks", "a trial", "Ducks: a trial"),
        ("Ducks:", ": a trial", "Ducks: a trial"),
        ("Do ducks swim?", "A trial", "Do ducks swim? A trial"),
        ("", "A trial", "A trial"),
        ("Ducks", "", "Ducks"),
    ],
)
def test_a_subtitle_is_part_of_the_title(title: str, below: str, whole: str) -> None:
    group = f"<article-title>{title}</article-title><subtitle>{below}</subtitle>"
    document = article("<p>Text.</p>", meta=f"<title-group>{group}</title-group>")
    assert document.title == whole
    assert document.text.startswith(f"{whole}\n")


def test_a_group_is_an_author_without_its_members() -> None:
    members = "<contrib-group><contrib><name><surname>Member</surname></name></contrib></contrib-group>"
    person = "<name><surname>Li</surname></name>"
    names = (
        f"<collab>The Duck <italic>Trial</italic> Group{members}</collab>",
        "<collab><institution>Institute of Ducks</institution><aff>Pond 1</aff></collab>",
        f"<collab-alternatives><collab>The Geese{members}</collab><collab>Die Gänse</collab></collab-alternatives>",
        f"<name-alternatives>{person}<string-name>李</string-name></name-alternatives>",
    )
    listed = "".join(f'<contrib contrib-type="author">{name}</contrib>' for name in names)
    document = article("<p>Text.</p>", meta=f"<contrib-group>{listed}</contrib-group>")
    assert document.metadata["authors"] == ["The Duck Trial Group", "Institute of Ducks", "The Geese", "Li"]


def test_a_journal_may_have_only_its_abbreviation() -> None:
    short = '<journal-id journal-id-type="nlm-ta">J Ducks</journal-id>'
    text = f"<article><front><journal-meta>{short}</journal-meta></front><body><p>Text.</p></body></article>"
    assert read(text.encode(), name="a.nxml").metadata["journal"] == "J Ducks"


@pytest.mark.parametrize(
    ("date", "published"),
    [
        ("<year>2020</year>", "2020-01-01"),
        ("<month>11</month><year>2020</year>", "2020-11-01"),
        ("<day>9</day><month>June</month><year>2020</year>", "2020-06-09"),
        ("<month>Sept.</month><year>2020</year>", "2020-09-01"),
        ("<day>31</day><month>2</month><year>2020</year>", "2020-02-01"),
        ("<month>13</month><year>2020</year>", "2020-01-01"),
        ("<year>20201</year>", None),
        (f"<year>{'9' * 5000}</year>", None),
        ("<season>Spring</season>", None),
    ],
)
def test_a_date_counts_from_its_first_day(date: str, published: str | None) -> None:
    assert article(meta=f"<pub-date>{date}</pub-date>", body="<p>x</p>").metadata.get("publication_date") == published


def test_a_date_may_be_written_in_one() -> None:
    meta = '<pub-date iso-8601-date="2022-03-04"><string-date>4 March 2022</string-date></pub-date>'
    assert article(meta=meta, body="<p>x</p>").metadata["publication_date"] == "2022-03-04"


@pytest.mark.parametrize("written", ["10.1000/x.1", "https://doi.org/10.1000/x.1", "doi: 10.1000/x.1"])
def test_a_doi_is_a_doi_however_it_is_written(written: str) -> None:
    meta = f'<article-id pub-id-type="doi">{written}</article-id>'
    assert article(meta=meta, body="<p>x</p>").metadata["doi"] == "10.1000/x.1"


def test_sections_are_headings() -> None:
    inner = "<sec><title>Birds</title><p>More.</p></sec>"
    body = f"<p>Opening.</p><sec><label>1.</label><title>Methods</title><p>Text.</p>{inner}</sec>"
    document = article(body, "<ack><p>Thanks.</p></ack>")
    assert [(heading.level, heading.title) for heading in document.headings] == [
        (1, "Of Anas and water"),
        (2, "Abstract"),
        (3, "Background"),
        (2, "Introduction"),
        (2, "1. Methods"),
        (3, "Birds"),
        (2, "Acknowledgements"),
    ]
    for heading in document.headings:
        assert document.text[heading.start :].startswith(f"{heading.title}\n")
    assert_blocks_fit(document)


def test_a_section_without_a_title_is_called_by_its_kind() -> None:
    assert text_of('<sec sec-type="methods"><p>We swam.</p></sec>') == "Methods\n\nWe swam."
    assert text_of('<sec sec-type="results|discussion"><p>It swam.</p></sec>').startswith("Results and discussion")
    assert text_of('<sec sec-type="methods"><title>How</title><p>We swam.</p></sec>').startswith("How\n")
    assert text_of('<sec sec-type="else"><p>Swum.</p></sec>') == "Swum."


def test_citations_stay_in_the_sentence_unless_they_are_raised() -> None:
    body = "<p>As known (<xref>1</xref>, <xref>2</xref>) and seen<sup><xref>3</xref></sup>.</p>"
    assert text_of(body).endswith("As known (1, 2) and seen.")


@pytest.mark.parametrize(
    ("written", "read_as"),
    [
        ("by 12.5 mg/dL{1}.", "by 12.5 mg/dL."),
        ("in 2019{3},{4} and 20 %{5}\u2013{7}.", "in 2019 and 20 %."),
        ("<italic>Anas</italic>{1}; then", "Anas; then"),
        ("ended.{12} Then", "ended. Then"),
        ("known [{1},{2}] and ({3}, {4})", "known [1,2] and (3, 4)"),
        ("of Smith {1} and {2}", "of Smith 1 and 2"),
        ("of Smith,{2004} and", "of Smith,2004 and"),
    ],
)
def test_a_source_number_after_a_word_is_not_part_of_it(written: str, read_as: str) -> None:
    body = re.sub(r"\{(\d+)\}", r'<xref ref-type="bibr" rid="b\1">\1</xref>', written)
    assert text_of(f"<p>{body}</p>").endswith(f"\n{read_as}")


def test_a_figure_behind_a_bracket_is_named() -> None:
    assert text_of('<p>As Fig.<xref ref-type="fig">1</xref> shows.</p>').endswith("As Fig.1 shows.")


def test_numbers_and_formulas_keep_their_sense() -> None:
    square = "<mml:msup><mml:mi>x</mml:mi><mml:mn>2</mml:mn></mml:msup>"
    half = "<mml:mfrac><mml:mn>1</mml:mn><mml:mn>2</mml:mn></mml:mfrac>"
    formula = f"<inline-formula><mml:math>{square}<mml:mo>=</mml:mo>{half}</mml:math></inline-formula>"
    tex = r"<tex-math>\documentclass{minimal}\begin{document}$$y=1$$\end{document}</tex-math>"
    body = f"<p>10<sup>5</sup> of CO<sub>2</sub>, {formula},<disp-formula>{tex}</disp-formula>end</p>"
    assert text_of(body).endswith("10^5 of CO2, x^2=1/2, y=1 end")


def test_lists_tables_and_figures_stand_between_paragraphs() -> None:
    body = (
        "<p>Before:<list list-type='order'><list-item><p>one</p></list-item>"
        "<list-item><p>two</p></list-item></list>after</p>"
        "<table-wrap><label>Table 1.</label><caption><p>Ducks</p></caption>"
        "<table><thead><tr><th>a</th><th>b</th></tr></thead>"
        "<tbody><tr><td rowspan='2'>x</td><td>1</td></tr><tr><td>2</td></tr></tbody></table>"
        "<table-wrap-foot><fn><p>A note.</p></fn></table-wrap-foot></table-wrap>"
        "<fig><label>Fig. 1.</label><caption><title>A duck.</title><p>Swimming.</p></caption><graphic/></fig>"
    )
    document = article(body, meta="")
    assert_blocks_fit(document)
    assert shown_blocks(document) == [
        ("heading", 2, "Main text"),
        ("paragraph", 0, "Before:"),
        ("item", 1, "1. one"),
        ("item", 1, "2. two"),
        ("paragraph", 0, "after"),
        ("caption", 0, "Table 1. Ducks"),
        ("header", 1, "a | b"),
        ("row", 1, "x | 1"),
        ("row", 1, "x | 2"),
        ("note", 0, "A note."),
        ("caption", 0, "Fig. 1. A duck. Swimming."),
    ]


def test_lists_may_hold_lists_and_paragraphs() -> None:
    inner = "<list list-type='bullet'><list-item><p>small</p></list-item></list>"
    items = (
        f"<list-item><p>one{inner}</p><p>And more.</p></list-item><list-item><label>(b)</label><p>two</p></list-item>"
    )
    terms = "<def-list><def-item><term>HTN</term><def><p>hypertension</p></def></def-item></def-list>"
    body = f"<p>Kinds:</p><list list-type='bullet'>{items}</list><disp-quote><p>Said.</p></disp-quote>{terms}"
    document = article(body, meta="")
    assert document.text.endswith("- one\n  - small\n\nAnd more.\n\n(b) two\n\nSaid.\n\nHTN\nhypertension")
    assert [(block.kind, block.level) for block in document.blocks[2:]] == [
        ("item", 1),
        ("item", 2),
        ("paragraph", 2),
        ("item", 1),
        ("quote", 0),
        ("term", 0),
        ("definition", 1),
    ]


def test_headers_of_several_rows_become_one_and_spans_fill_their_cells() -> None:
    head = "<tr><th rowspan='2'>Dose</th><th colspan='2'>Weight</th></tr><tr><th>before</th><th>after</th></tr>"
    body = "<tr><td>5 mg</td><td colspan='2'>none | told</td></tr>"
    table = f"<table-wrap><table><thead>{head}</thead><tbody>{body}</tbody></table></table-wrap>"
    text = text_of(f"<sec><title>T</title>{table}</sec>")
    assert text == "T\n\nDose | Weight before | Weight after\n5 mg | none|told | none|told"


def test_absurd_spans_are_taken_once() -> None:
    cells = "<td colspan='9999' rowspan='9999'>x</td>" * 3
    table = f"<table-wrap><table><tr>{cells}</tr><tr><td>y</td></tr></table></table-wrap>"
    assert text_of(table).endswith("x | x | x\ny")


def test_lists_of_references_are_left_out() -> None:
    back = "<ref-list><title>References</title><ref><mixed-citation>Other title</mixed-citation></ref></ref-list>"
    assert "Other title" not in text_of("<p>Text.</p>", back)


def test_named_characters_are_characters() -> None:
    assert "a – b α" in text_of("<p>a&nbsp;&ndash; <bold>b&#160;</bold>&alpha;</p>")


def test_an_article_inside_an_envelope_is_read() -> None:
    wrapped = (
        '<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><record><article xmlns="https://jats.nlm.nih.gov/ns">'
    )
    document = read(
        f"<?xml version='1.0'?>{wrapped}<body><p>Text</p></body></article></record></OAI-PMH>", name="a.xml"
    )
    assert document.text == "Main text\n\nText"
    assert document.media_type == "application/jats+xml"


def test_several_articles_are_refused() -> None:
    with pytest.raises(CorruptDocument, match="2 articles"):
        read("<set><article/><article/></set>", name="a.xml")


def test_other_xml_is_refused_by_name() -> None:
    with pytest.raises(UnsupportedFormat, match="<project>"):
        read("<project><name>x</name></project>", name="pom.xml")


def test_broken_xml_is_refused() -> None:
    with pytest.raises(CorruptDocument, match="not well-formed"):
        read("<article><body></article>", name="a.xml")
