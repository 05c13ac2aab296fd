"""Terms that ask, as those of an FAQ, are headings above their answers."""

from __future__ import annotations

import pytest

from pipelines.reading import read
from tests.pipelines.reading.block_checks import assert_blocks_fit, shown_blocks

ADOC = (
    "= Help\n\n== Mooring\n\nMay guests row?::\nOnly on Thursdays.\n+\n----\nebb row\n----\n\n"
    "Is it open?::\nYes, by day.\n\nIt sinks.::\nBail it out.\n"
)
HTML = (
    "<h1>Help</h1><h2>Mooring</h2><dl><dt>May guests row?</dt><dd>Only on Thursdays.<pre>ebb row</pre></dd>"
    "<dt>Is it open?</dt><dd>Yes, by day.</dd><dt>It sinks.</dt><dd>Bail it out.</dd></dl>"
)
READ = [
    ("heading", 1, "Help"),
    ("heading", 2, "Mooring"),
    ("heading", 3, "May guests row?"),
    ("paragraph", 0, "Only on Thursdays."),
    ("code", 0, "ebb row"),
    ("heading", 3, "Is it open?"),
    ("paragraph", 0, "Yes, by day."),
    ("heading", 3, "It sinks."),
    ("paragraph", 0, "Bail it out."),
]


@pytest.mark.parametrize(("name", "content"), [("a.adoc", ADOC), ("a.html", HTML)])
def test_terms_that_ask_are_headings_a_level_below_their_section(name: str, content: str) -> None:
    document = read(content, name=name)
    assert_blocks_fit(document)
    assert shown_blocks(document) == READ
    assert [(one.level, one.title) for one in document.headings] == [
        (level, title) for kind, level, title in READ if kind == "heading"
    ]


@pytest.mark.parametrize("terms", [("?", "*?, +?, ??"), ("empty?", "any?"), ("Sail.furled?", "Sail#wet?")])
def test_signs_and_functions_ask_nothing(terms: tuple[str, str]) -> None:
    page = "".join(f"<dt>{term}</dt><dd>It is explained here.</dd>" for term in terms)
    kinds = [kind for kind, _, _ in shown_blocks(read(f"<h1>Ebb</h1><dl>{page}</dl>", name="a.html"))]
    assert kinds == ["heading", "term", "definition", "term", "definition"]


def test_a_single_term_that_asks_stays_and_so_do_terms_beside_a_few_that_ask() -> None:
    kind, *_ = shown_blocks(read("Why?:: So.\n\nsail:: Cloth.\n", name="a.adoc"))[0]
    assert kind == "term"
    mixed = "Why?:: So.\n\nHow?:: Thus.\n\nsail:: Cloth.\n\nmast:: Wood.\n"
    kinds = [block[0] for block in shown_blocks(read(mixed, name="a.adoc"))]
    assert kinds == ["heading", "paragraph", "heading", "paragraph", "term", "definition", "term", "definition"]
