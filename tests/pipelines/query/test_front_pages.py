from dataclasses import replace

import pytest

from pipelines.query.extracts.language.definitions import definition_of_any
from pipelines.query.front_pages import defining_front_hits, is_front_page
from pipelines.types import Hit, Span


def hit(content: str, *headings: str) -> Hit:
    return Hit("c", "d", 1, "", "s", content, {}, 0.8, {}, Span(0, len(content)), headings=headings)


@pytest.mark.parametrize("source", ["index.md", "README", "docs/Introduction.rst", "Overview.html"])
def test_front_pages_are_known_by_their_names(source: str) -> None:
    assert is_front_page(source)


@pytest.mark.parametrize("source", ["ropes/index.md", "indexes.md", "glossary.md", "s3://ropes/index.md", ""])
def test_other_pages_are_none(source: str) -> None:
    assert not is_front_page(source)


EBB = hit("Ebb\n\nEbb keeps copies for a month.")
MENTIONS_EBB = hit("Ebb shows the tides.", "Tides")
MENTIONS_NOTHING = hit("The moon causes the tides.", "Tides")


def is_read(front: Hit, *found: Hit) -> bool:
    definition = definition_of_any("What is Ebb?")
    assert definition is not None
    return list(defining_front_hits(definition, [front], found)) == [front]


def titled(title: str, front: Hit) -> Hit:
    return replace(front, title=title, chunk_id="front")


def test_a_front_page_that_mentions_the_thing_is_read_if_no_hit_defines_it() -> None:
    assert is_read(titled("Harbour", MENTIONS_EBB), EBB)
    assert is_read(titled("Harbour", MENTIONS_EBB))
    assert not is_read(titled("Harbour", MENTIONS_NOTHING), EBB)


@pytest.mark.parametrize(
    "said", [hit("Ebb\n\nEbb is a program for\nbackups."), hit("It is a program for backups.", "Ebb")]
)
def test_it_is_not_read_if_a_hit_defines_the_thing(said: Hit) -> None:
    assert not is_read(titled("Harbour", MENTIONS_EBB), said)


@pytest.mark.parametrize("title", ["Ebb", "Ebb - Backups by the tide", "Ebb documentation", "Welcome to Ebb"])
def test_a_front_page_titled_after_the_thing_is_always_read(title: str) -> None:
    assert is_read(titled(title, MENTIONS_NOTHING), hit("Ebb is a project with little money."))


def test_a_hit_is_not_read_twice() -> None:
    found = titled("Ebb", EBB)
    assert not is_read(found, found)
