"""Descriptions of objects in reStructuredText, by the directives of Sphinx's domains and of its older releases."""

from __future__ import annotations

import pytest

from tests.pipelines.reading.rst.rst_samples import blocks, shown


@pytest.mark.parametrize(
    ("directive", "signature"),
    [
        ("coroutinefunction:: sail(to)", "coroutine sail(to)"),
        ("py:coroutinemethod:: Boat.sail(to)", "coroutine Boat.sail(to)"),
        ("awaitablefunction:: sail(to)", "awaitable sail(to)"),
        ("awaitablemethod:: Boat.sail(to)", "awaitable Boat.sail(to)"),
        ("abstractmethod:: Boat.sail(to)", "abstractmethod Boat.sail(to)"),
        ("cfunction:: int sail(boat *b)", "int sail(boat *b)"),
        ("cpp:enum-class:: Sail", "enum class Sail"),
        ("cpp:enum-struct:: Sail", "enum struct Sail"),
        ("cpp:concept:: template<typename T> Floats", "template<typename T> Floats"),
        ("c:alias:: sail", "sail"),
        ("rst:directive:: harbour", "harbour"),
        ("rst:role:: berth", "berth"),
    ],
)
def test_each_kind_of_object_is_a_term_with_its_description(directive: str, signature: str) -> None:
    assert blocks(f".. {directive}\n\n   Sets out.\n") == [("term", 0, signature), ("definition", 1, "Sets out.")]
    assert blocks(f".. {directive}\n") == [("term", 0, signature)]


@pytest.mark.parametrize("directive", ["c:namespace", "cpp:namespace", "cpp:namespace-push", "c:namespace-pop"])
def test_the_scope_of_what_follows_is_not_shown(directive: str) -> None:
    assert shown(f".. {directive}:: Harbour\n\nBoats.\n") == "Boats."


def test_changes_stand_below_the_version_and_date_of_their_release() -> None:
    text = """
        .. changelog::
            :version: 2.1.0
            :released: May 17, 2031

            .. change::
                :tags: bug, oars
                :tickets: 17

                Oars no longer sink.

                They float.

        .. changelog::
            :version: 2.0.3

            Nothing of note.

        .. changelog::

            Older releases are forgotten.
        """
    assert blocks(text) == [
        ("heading", 1, "2.1.0 (May 17, 2031)"),
        ("item", 1, "- Oars no longer sink."),
        ("paragraph", 2, "They float."),
        ("heading", 1, "2.0.3"),
        ("paragraph", 0, "Nothing of note."),
        ("paragraph", 0, "Older releases are forgotten."),
    ]
