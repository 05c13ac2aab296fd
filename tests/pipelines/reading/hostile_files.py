"""Files made to cost minutes or gigabytes: small, and well-formed enough to be read.

Each builder takes a random generator and returns a file's name and content. The sizes vary with the generator, so
that a bound which only fits one of them is found.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import NamedTuple

from openpyxl import Workbook

from tests.pipelines.reading.reader_files import docx, epub, paragraph, pdf

_SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OPEN = "urn:oasis:names:tc:opendocument:xmlns"
_CELL = "<w:tc><w:tcPr>{properties}</w:tcPr><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc>"


class HostileFile(NamedTuple):
    """A file, and which attack it is."""

    attack: str
    name: str
    content: bytes


def hostile_files(count: int, seed: int = 13) -> Iterator[HostileFile]:
    """Yield ``count`` files, all attacks by turns, the same for the same seed."""
    random = Random(seed)
    for number in range(count):
        attack = ATTACKS[number % len(ATTACKS)]
        yield HostileFile(attack.__name__, *attack(random))


def zipped(parts: Mapping[str, str | bytes]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as package:
        for name, data in parts.items():
            package.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED, 9)
    return target.getvalue()


def parts_of(content: bytes) -> dict[str, str | bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as package:
        return {name: package.read(name) for name in package.namelist()}


def word(body: str, numbering: str = "") -> tuple[str, bytes]:
    return "a.docx", zipped(parts_of(docx(body, numbering=numbering)))


def sheet(rows: str, strings: str = "") -> tuple[str, bytes]:
    target = io.BytesIO()
    book = Workbook()
    book.worksheets[0].append(["a"])
    book.save(target)
    parts = parts_of(target.getvalue())
    parts["xl/worksheets/sheet1.xml"] = f'<worksheet xmlns="{_SHEET}"><sheetData>{rows}</sheetData></worksheet>'
    if strings:
        parts["xl/sharedStrings.xml"] = f'<sst xmlns="{_SHEET}">{strings}</sst>'
    return "a.xlsx", zipped(parts)


def open_document(body: str, kind: str) -> tuple[str, bytes]:
    spaces = " ".join(f'xmlns:{name}="{_OPEN}:{name}:1.0"' for name in ("office", "table", "text"))
    spaces += f' xmlns:draw="{_OPEN}:drawing:1.0"'
    content = f"<office:body><office:{kind}>{body}</office:{kind}></office:body>"
    parts = {
        "mimetype": f"application/vnd.oasis.opendocument.{kind}",
        "content.xml": f"<office:document-content {spaces}>{content}</office:document-content>",
    }
    return ("a.odt" if kind == "text" else "a.ods"), zipped(parts)


def html(markup: str) -> tuple[str, bytes]:
    return "a.html", markup.encode()


# Word


def word_paragraphs(random: Random) -> tuple[str, bytes]:
    return word("<w:p><w:r><w:t>a</w:t></w:r></w:p>" * random.randint(50_000, 400_000))


def word_runs(random: Random) -> tuple[str, bytes]:
    return word("<w:p>" + "<w:r><w:t>a</w:t></w:r>" * random.randint(50_000, 400_000) + "</w:p>")


def word_wide_cells(random: Random) -> tuple[str, bytes]:
    span = f'<w:gridSpan w:val="{random.choice((64, 1000, 10**6, 10**9))}"/><w:vMerge/>'
    rows = f"<w:tr>{_CELL.format(properties=span) * 20}</w:tr>" * random.randint(200, 2000)
    return word(f"<w:tbl>{rows}</w:tbl>")


def word_cells(random: Random) -> tuple[str, bytes]:
    return word(f"<w:tbl><w:tr>{_CELL.format(properties='') * random.randint(20_000, 100_000)}</w:tr></w:tbl>")


def word_nested_tables(random: Random) -> tuple[str, bytes]:
    depth = random.randint(20, 80)
    inner = "<w:p><w:r><w:t>a</w:t></w:r></w:p>"
    return word(("<w:tbl><w:tr><w:tc>" * depth + inner + "</w:tc></w:tr></w:tbl>" * depth) * random.randint(1, 200))


def word_numbers(random: Random) -> tuple[str, bytes]:
    levels = "".join(
        f'<w:lvl w:ilvl="{depth}"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>'
        for depth in range(9)
    )
    numbering = (
        f'<w:abstractNum w:abstractNumId="0">{levels}</w:abstractNum>'
        '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    )
    count = random.randint(10_000, 60_000)
    return word("".join(paragraph("a", numbered=(1, place % 9)) for place in range(count)), numbering)


def word_breaks(random: Random) -> tuple[str, bytes]:
    return word("<w:p><w:r>" + "<w:br/>" * random.randint(50_000, 300_000) + "<w:t>x</w:t></w:r></w:p>")


# Sheets


def sheet_far_row(random: Random) -> tuple[str, bytes]:
    row = random.choice((1_048_576, 20_000_000, 10**12))
    return sheet(f'<row r="{row}"><c r="A{row}"><v>1</v></c></row>')


def sheet_gaps(random: Random) -> tuple[str, bytes]:
    step = random.randint(10_000, 1_000_000)
    return sheet("".join(f'<row r="{place * step}"><c><v>1</v></c></row>' for place in range(1, 50)))


def sheet_far_column(random: Random) -> tuple[str, bytes]:
    column, count = random.choice(("XFD", "ZZZ")), random.randint(200, 3000)
    return sheet("".join(f'<row r="{row}"><c r="{column}{row}"><v>1</v></c></row>' for row in range(1, count)))


def sheet_cells(random: Random) -> tuple[str, bytes]:
    return sheet(("<row>" + "<c><v>1</v></c>" * 100 + "</row>") * random.randint(2_000, 30_000))


def sheet_strings(random: Random) -> tuple[str, bytes]:
    long = f"<si><t>{'a' * random.randint(1000, 30_000)}</t></si>"
    return sheet(("<row>" + '<c t="s"><v>0</v></c>' * 100 + "</row>") * random.randint(10, 1000), long)


def open_rows(random: Random) -> tuple[str, bytes]:
    repeats = f'table:number-columns-repeated="{random.randint(2, 16384)}"'
    cell = f"<table:table-cell {repeats}><text:p>x</text:p></table:table-cell>"
    row = f'<table:table-row table:number-rows-repeated="1048576">{cell}</table:table-row>'
    return open_document(f'<table:table table:name="a">{row * random.randint(1, 50)}</table:table>', "spreadsheet")


def open_boxes(random: Random) -> tuple[str, bytes]:
    depth = random.randint(15, 60)
    return open_document("<text:p>x<draw:text-box>" * depth + "</draw:text-box></text:p>" * depth, "text")


def open_blanks(random: Random) -> tuple[str, bytes]:
    blanks = 'x<text:s text:c="100"/>' * random.randint(10_000, 400_000)
    return open_document(f"<text:p>{blanks}</text:p>", "text")


def open_tables(random: Random) -> tuple[str, bytes]:
    depth = random.randint(20, 80)
    begin, end = (
        "<table:table><table:table-row><table:table-cell>",
        "</table:table-cell></table:table-row></table:table>",
    )
    return open_document((begin * depth + "<text:p>x</text:p>" + end * depth) * random.randint(1, 200), "text")


# HTML


def html_spans(random: Random) -> tuple[str, bytes]:
    cells = f"<td rowspan=1000 colspan={random.randint(2, 1000)}>a" * random.randint(1, 100)
    return html("<table>" + ("<tr>" + cells) * random.randint(1, 10) + "<tr>" * random.randint(0, 3000))


def html_headers(random: Random) -> tuple[str, bytes]:
    return html("<table>" + ("<tr>" + "<th rowspan=1000 colspan=1000>aaaaaaaaaa" * 5) * random.randint(10, 100))


def html_lists(random: Random) -> tuple[str, bytes]:
    return html("<ul><li>a" * random.randint(100, 5000))


def html_tables(random: Random) -> tuple[str, bytes]:
    return html("<table><tr><td>a" * random.randint(100, 3000))


def html_boxes(random: Random) -> tuple[str, bytes]:
    return html("<div>" * random.randint(100, 50_000) + "a")


def html_inline(random: Random) -> tuple[str, bytes]:
    return html("<p>" + random.choice(("<b><i>", "<sup>", "<a href=#a>")) * random.randint(1000, 20_000) + "a")


def html_buttons(random: Random) -> tuple[str, bytes]:
    return html("<h1>" * random.randint(0, 200) + "<div>" * 200 + "<button>a</button>" * random.randint(1000, 20_000))


def html_breaks(random: Random) -> tuple[str, bytes]:
    return html("<pre>" + "<br>" * random.randint(10_000, 100_000) + "x")


def html_paragraphs(random: Random) -> tuple[str, bytes]:
    return html("<p>a" * random.randint(10_000, 120_000))


def html_attributes(random: Random) -> tuple[str, bytes]:
    return html("<p " + " ".join(f"a{place}=1" for place in range(random.randint(1000, 50_000))) + ">x")


def book(random: Random) -> tuple[str, bytes]:
    chapters = {f"c{place}.xhtml": "<ul><li>a" * 300 for place in range(random.randint(10, 300))}
    return "a.epub", zipped(parts_of(epub(chapters)))


# Markup


def restructured(random: Random) -> tuple[str, bytes]:
    section = "Title\n=====\n\n* a `x <y>`_ |s|\n\n"
    return "a.rst", (section * random.randint(1000, 6000)).encode()


def restructured_table(random: Random) -> tuple[str, bytes]:
    width = random.randint(100, 1500)
    rule, row = "+" + "-+" * width + "\n", "|" + "x|" * width + "\n"
    return "a.rst", (rule + (row + rule) * random.randint(5, 60)).encode()


def restructured_signs(random: Random) -> tuple[str, bytes]:
    return "a.rst", (random.choice(("`a ", "*a ", "a_ ", "|a| ", "[a]_ ", "``a ")) * 60_000).encode()


def restructured_nesting(random: Random) -> tuple[str, bytes]:
    sign = random.choice(("* a", "a", ":a: b"))
    return "a.rst", "".join("  " * depth + sign + "\n\n" for depth in range(random.randint(100, 500))).encode()


def markdown_signs(random: Random) -> tuple[str, bytes]:
    sign = random.choice(("[a][", "[a](b", "![", "[![", "*a **b ", "> ", "`a ``b ", "a <b ", "<a@b.c> ", "***", "&a"))
    return "a.md", (sign * random.randint(1000, 30_000)).encode()


def markdown_blocks(random: Random) -> tuple[str, bytes]:
    block = random.choice(
        ("<p>a\n\n", "[a]: b\n", "[^a]: b\n", "- a\n", "|a|b|\n|-|-|\n|1|2|\n", "# a\n", "a\n: b\n\n")
    )
    return "a.md", (block * random.randint(1000, 20_000)).encode()


def markdown_table(random: Random) -> tuple[str, bytes]:
    width = random.randint(100, 5000)
    return "a.md", b"|a" * width + b"|\n" + b"|-" * width + b"|\n" + b"|\n" * random.randint(100, 3000)


def markdown_nesting(random: Random) -> tuple[str, bytes]:
    return "a.md", "".join("  " * depth + "- a\n" for depth in range(random.randint(100, 700))).encode()


def asciidoc(random: Random) -> tuple[str, bytes]:
    begin = random.choice(("*a _b `c ", "|===\n1000*|a\n|===\n", "* a\n** b\n"))
    return "a.adoc", (begin * random.randint(100, 5000)).encode()


# Data, mail and the rest


def json_file(random: Random) -> tuple[str, bytes]:
    if random.random() < 0.5:
        depth = random.randint(100, 100_000)
        return "a.json", b"[" * depth + b"1" + b"]" * depth
    return "a.json", b"[" + b"1," * random.randint(10_000, 250_000) + b"1]"


def csv_file(random: Random) -> tuple[str, bytes]:
    width = random.randint(1000, 100_000)
    return "a.csv", b"a," * width + b"\n" + b"1," * width + b"\n" + b"1\n" * random.randint(10, 3000)


def mail_parts(random: Random) -> tuple[str, bytes]:
    part = b"--a\nContent-Type: text/plain\n\nx\n"
    head = b"MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=a\n\n"
    return "a.eml", head + part * random.randint(100, 15_000) + b"--a--\n"


def mail_headers(random: Random) -> tuple[str, bytes]:
    header = random.choice((b"=?utf-8?q?a?= ", b"((((", b"a@b, ", b'"a" <', b"a;b=c; "))
    return "a.eml", b"To: " + header * random.randint(100, 20_000) + b"\nSubject: x\n\nx"


def mail_nested(random: Random) -> tuple[str, bytes]:
    parts = (
        b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (at, at) for at in range(random.randint(50, 3000))
    )
    return "a.eml", b"MIME-Version: 1.0\n" + b"".join(parts) + b"\n\nx"


def article(random: Random) -> tuple[str, bytes]:
    tag = random.choice((b"sec", b"list", b"boxed-text"))
    depth = random.randint(20, 5000)
    body = (b"<%s>" % tag) * depth + b"<p>x</p>" + (b"</%s>" % tag) * depth
    return "a.xml", b"<article><body>" + body + b"</body></article>"


def article_table(random: Random) -> tuple[str, bytes]:
    rows = b"<tr><td rowspan='1000' colspan='1000'>a</td></tr>" * random.randint(10, 2000)
    return "a.xml", b"<article><body><table-wrap><table>" + rows + b"</table></table-wrap></body></article>"


def rich_text(random: Random) -> tuple[str, bytes]:
    sign = random.choice((b"{", b"\\trowd\\cellx1 a\\cell\\row", b"\\uc100000 \\u20?", b"\\bin999999999 ", b"\\par"))
    return "a.rtf", b"{\\rtf1 " + sign * random.randint(1000, 40_000) + b"}"


def notebook(random: Random) -> tuple[str, bytes]:
    cell = b'{"cell_type":"markdown","source":"<ul><li>a"},'
    return "a.ipynb", b'{"nbformat":4,"cells":[' + cell * random.randint(100, 10_000) + b"{}]}"


def plain(random: Random) -> tuple[str, bytes]:
    line = random.choice((b"- ", b"a\n", b"a  b  c  d\n", b" - a\n", b"1. a\n", b"=====\n"))
    return "a.txt", line * random.randint(1000, 100_000)


def code(random: Random) -> tuple[str, bytes]:
    line = random.choice((b"{", b"def a(): pass\n", b"if x:\n ", b'"""'))
    return random.choice(("a.py", "a.js", "a.c")), line * random.randint(1000, 60_000)


def settings(random: Random) -> tuple[str, bytes]:
    return "a.yaml", "".join(" " * depth + "a:\n" for depth in range(random.randint(100, 900))).encode()


def pdf_letters(random: Random) -> tuple[str, bytes]:
    count = random.randint(1000, 10_000)
    letters = (b"BT /F1 1 Tf 1 0 0 1 %d %d Tm (a) Tj ET" % (at % 600, at // 600) for at in range(count))
    return "a.pdf", pdf([[b"\n".join(letters)]])


def pdf_rules(random: Random) -> tuple[str, bytes]:
    rules = [
        b"%d 0 m %d 700 l S 0 %d m 600 %d l S" % (at % 600, at % 600, at, at) for at in range(random.randint(500, 4000))
    ]
    return "a.pdf", pdf([[b"\n".join(rules), "text"]])


def pdf_same_page(random: Random) -> tuple[str, bytes]:
    """A tree of pages that names the same page over and over."""
    content = pdf([["a b c"]])
    return "a.pdf", content.replace(b"/Kids [7 0 R]", b"/Kids [" + b"7 0 R " * random.randint(100, 20_000) + b"]")


ATTACKS: tuple[Callable[[Random], tuple[str, bytes]], ...] = (
    *(word_paragraphs, word_runs, word_wide_cells, word_cells, word_nested_tables, word_numbers, word_breaks),
    *(sheet_far_row, sheet_gaps, sheet_far_column, sheet_cells, sheet_strings),
    *(open_rows, open_boxes, open_blanks, open_tables),
    *(html_spans, html_headers, html_lists, html_tables, html_boxes, html_inline, html_buttons, html_breaks),
    *(html_paragraphs, html_attributes, book),
    *(restructured, restructured_table, restructured_signs, restructured_nesting),
    *(markdown_signs, markdown_blocks, markdown_table, markdown_nesting, asciidoc),
    *(json_file, csv_file, mail_parts, mail_headers, mail_nested, article, article_table, rich_text, notebook),
    *(plain, code, settings, pdf_letters, pdf_rules, pdf_same_page),
)
