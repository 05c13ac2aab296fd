import pytest

from pipelines.query.front_pages import is_front_page, undefined
from pipelines.types import Hit, Span


def hit(content: str, *headings: str) -> Hit:
    return Hit("c", "d", 1, "", "s", content, {}, 0.8, {}, Span(0, len(content)), headings=headings)


@pytest.mark.parametrize("source", ["index.md", "README", "docs/Introduction.rst", "Overview.html"])
def test_front_pages_are_known_by_their_names(source: str) -> None:
    assert is_front_page(source)


@pytest.mark.parametrize("source", ["ropes/index.md", "indexes.md", "s3://ropes/index.md", ""])
def test_other_pages_are_none(source: str) -> None:
    assert not is_front_page(source)


def test_a_thing_is_undefined_where_no_hit_says_what_it_is() -> None:
    assert undefined("What is Ebb?", [hit("Ebb\n\nEbb keeps copies for a month.")]) is not None
    assert undefined("What is Ebb?", []) is not None


def test_a_thing_is_defined_by_any_paragraph() -> None:
    assert undefined("What is Ebb?", [hit("Ebb\n\nEbb is a program for\nbackups.")]) is None
    assert undefined("What is Ebb?", [hit("It is a program for backups.", "Ebb")]) is None


def test_where_no_definition_is_asked_for_none_is_missing() -> None:
    assert undefined("How do I install Ebb?", []) is None
