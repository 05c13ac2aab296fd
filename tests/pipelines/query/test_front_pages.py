from dataclasses import replace

import pytest

from pipelines.query.extracts.definitions import definition_of_any
from pipelines.query.front_pages import is_front_page, on_the_thing
from pipelines.types import Hit, Span


def hit(content: str, *headings: str) -> Hit:
    return Hit("c", "d", 1, "", "s", content, {}, 0.8, {}, Span(0, len(content)), headings=headings)


@pytest.mark.parametrize("source", ["index.md", "README", "docs/Introduction.rst", "Overview.html"])
def test_front_pages_are_known_by_their_names(source: str) -> None:
    assert is_front_page(source)


@pytest.mark.parametrize("source", ["ropes/index.md", "indexes.md", "s3://ropes/index.md", ""])
def test_other_pages_are_none(source: str) -> None:
    assert not is_front_page(source)


EBB = hit("Ebb\n\nEbb keeps copies for a month.")
OF_OTHERS = hit("Tides are told by Ebb.", "Tides")
OF_NOTHING = hit("Tides are told by the moon.", "Tides")


def read_besides(front: Hit, *found: Hit) -> bool:
    definition = definition_of_any("What is Ebb?")
    assert definition is not None
    return list(on_the_thing(definition, [front], found)) == [front]


def named(title: str, front: Hit) -> Hit:
    return replace(front, title=title, chunk_id="front")


def test_front_pages_that_speak_of_the_thing_are_read_where_no_hit_says_what_it_is() -> None:
    assert read_besides(named("Harbour", OF_OTHERS), EBB)
    assert read_besides(named("Harbour", OF_OTHERS))
    assert not read_besides(named("Harbour", OF_NOTHING), EBB)


@pytest.mark.parametrize(
    "said", [hit("Ebb\n\nEbb is a program for\nbackups."), hit("It is a program for backups.", "Ebb")]
)
def test_others_are_not_where_a_hit_says_it(said: Hit) -> None:
    assert not read_besides(named("Harbour", OF_OTHERS), said)


@pytest.mark.parametrize("title", ["Ebb", "Ebb - Backups by the tide", "Ebb documentation", "Welcome to Ebb"])
def test_a_front_page_that_is_called_by_the_thing_is_read_whatever_the_hits_say(title: str) -> None:
    assert read_besides(named(title, OF_NOTHING), hit("Ebb is a project with little money."))


def test_what_was_found_already_is_not_read_twice() -> None:
    found = named("Ebb", EBB)
    assert not read_besides(found, found)
