"""reStructuredText as a person sees it: its blocks without markup."""

from __future__ import annotations

import textwrap

import pytest

from pipelines.types import Heading
from tests.pipelines.reading.block_checks import shown_blocks
from tests.pipelines.reading.rst.rst_samples import blocks, rst, shown


def test_titles_become_headings_by_their_nesting() -> None:
    document = rst("""\
        .. _the-page:

        ========
        The page
        ========

        Intro.

        First :ref:`part`
        -----------------

        Deeper
        ^^^^^^

        Text.

        ----

        Second
        ------
        """)
    assert document.text == "The page\n\nIntro.\n\nFirst part\n\nDeeper\n\nText.\n\nSecond"
    assert [(heading.level, heading.title) for heading in document.headings] == [
        (1, "The page"), (2, "First part"), (3, "Deeper"), (2, "Second"),
    ]  # fmt: skip
    assert document.title == "The page"


def test_a_title_that_skips_a_level_is_a_heading_all_the_same() -> None:
    document = rst("Top\n===\n\nA\n---\n\nB\n~~~\n\nNext\n====\n\nC\n~~~\n\nEnd.\n")
    assert [(heading.level, heading.title) for heading in document.headings][-2:] == [(1, "Next"), (2, "C")]


def test_a_list_belongs_to_the_paragraph_that_leads_into_it() -> None:
    assert blocks("""\
        You need:

        * A kettle.

          Any size
          will do.

        * Tea:

          #. green
          #. black

        And time.
        """) == [
        ("paragraph", 0, "You need:"),
        ("item", 1, "- A kettle."),
        ("paragraph", 2, "Any size will do."),
        ("item", 1, "- Tea:"),
        ("item", 2, "  1. green"),
        ("item", 2, "  2. black"),
        ("paragraph", 0, "And time."),
    ]


def test_numbers_of_lists_are_kept_as_they_are_written() -> None:
    assert shown("3. c\n4. d\n\nThen:\n\n(b) x\n(c) y\n\nAnd:\n\nii) p\niii) q\n") == (
        "3. c\n4. d\n\nThen:\n\n(b) x\n(c) y\n\nAnd:\n\nii) p\niii) q"
    )


def test_definitions_fields_and_options_are_readable() -> None:
    assert blocks("""\
        Terms:

        kettle : noun
            Boils *water*.

            Whistles.

        :Author: Ada
        :param int size: The size.
        :returns: A kettle.

        Switches.

        -v, --verbose=LEVEL  Says more.
        """) == [
        ("paragraph", 0, "Terms:"),
        ("term", 1, "kettle: noun"),
        ("definition", 2, "Boils water."),
        ("paragraph", 3, "Whistles."),
        ("row", 1, "Author: Ada"),
        ("row", 1, "size (int): The size."),
        ("row", 1, "Returns: A kettle."),
        ("paragraph", 0, "Switches."),
        ("term", 0, "-v, --verbose=LEVEL"),
        ("definition", 1, "Says more."),
    ]


def test_code_is_verbatim_and_belongs_to_what_announces_it() -> None:
    assert blocks("""\
        Run this::

            if a:
                *b*  # :x:`y`

        .. code-block:: python
            :caption: views.py
            :emphasize-lines: 1

            def view(): ...

        >>> 1 + 1
        2
        """) == [
        ("paragraph", 0, "Run this:"),
        ("code", 1, "if a:\n    *b*  # :x:`y`"),
        ("caption", 0, "views.py"),
        ("code", 0, "def view(): ..."),
        ("code", 0, ">>> 1 + 1\n2"),
    ]


@pytest.mark.parametrize(
    "table",
    [
        "=====  =====\nName   Age\n=====  =====\nAda    36\nBob    7 |x|\n=====  =====\n",
        "+----+-----+\n|Name| Age |\n+====+=====+\n|Ada | 36  |\n+----+-----+\n|Bob |7 |x||\n+----+-----+\n",
        "+------------+---------+\n| **Name**   | **Age** |\n+------------+---------+\n| **Ada**    | 36      |\n"
        "+------------+---------+\n| Bob        | 7 |x|   |\n+------------+---------+\n",
        ".. csv-table::\n   :header: Name, Age\n\n   Ada, 36\n   Bob, 7 |x|\n",
        ".. list-table::\n   :header-rows: 1\n\n   * - Name\n     - Age\n"
        "   * - Ada\n     - 36\n   * - *Bob*\n     - 7 |x|\n",
    ],
)
def test_tables_are_rows_below_their_header(table: str) -> None:
    assert blocks(f".. |x| replace:: years\n\nPeople.\n\n{table}") == [
        ("paragraph", 0, "People."),
        ("header", 1, "Name | Age"),
        ("row", 1, "Ada | 36"),
        ("row", 1, "Bob | 7 years"),
    ]


@pytest.mark.parametrize(
    ("rows", "kinds"),
    [
        ("Tide    Berth\n------- -----\nSpring  4\nNeap    7\n", "header row row"),
        ("Spring  4\nNeap    7\n------- -----\nAll     11\n", "row row row"),
        ("Spring  4\n------- -----\nNeap    7\n------- -----\nAll     11\n", "row row row"),
    ],
)
def test_one_rule_of_dashes_below_the_first_row_of_a_table_is_that_of_its_header(rows: str, kinds: str) -> None:
    assert [kind for kind, _, _ in blocks(f"======= =====\n{rows}======= =====\n")] == kinds.split()
    assert [kind for kind, _, _ in blocks(f"- Tides\n\n======= =====\n{rows}======= =====\n")] == [
        "item",
        *kinds.split(),
    ]


def test_a_title_of_a_table_is_a_caption_and_spanned_columns_stay_in_place() -> None:
    assert blocks("""\
        .. table:: Trains

           =====  =====  =====
           A      Both
           -----  ------------
           x      y      z
           =====  =====  =====
           1      2      3
           =====  =====  =====
        """)[0] == ("caption", 1, "Trains")


def test_a_note_whose_words_repeat_its_label_has_it_once() -> None:
    assert blocks(
        ".. seealso:: See also `the quay`.\n\n.. note::\n\n   Note the tide.\n\n.. tip:: Tips are fine.\n"
    ) == [
        ("note", 0, "See also the quay."),
        ("note", 0, "Note the tide."),
        ("note", 0, "Tip: Tips are fine."),
    ]


def test_admonitions_and_changes_are_notes() -> None:
    assert blocks("""\
        .. note:: Mind the gap.

           * really

        .. admonition:: Why?

           Because.

        .. versionadded:: 3.2

        .. versionchanged:: 4.0 Faster.
        .. deprecated:: 5.1

           Use :func:`new`.

        .. seealso:: :doc:`/ref/other-page`
        """) == [
        ("note", 0, "Note: Mind the gap."),
        ("item", 1, "- really"),
        ("note", 0, "Why? Because."),
        ("note", 0, "New in version 3.2."),
        ("note", 0, "Changed in version 4.0: Faster."),
        ("note", 0, "Deprecated since version 5.1: Use new()."),
        ("note", 0, "See also: other page"),
    ]


def test_descriptions_of_objects_are_terms_with_their_body() -> None:
    assert blocks(r"""
        The calls are:

        .. py:class:: Kettle(size, \*args)
           :module: tea

           Boils.

           .. method:: pour(cup)
                       pour_all()

              Empties it.

        .. setting:: DEBUG

        .. class:: special

        The end.
        """) == [
        ("paragraph", 0, "The calls are:"),
        ("term", 0, "class Kettle(size, *args)"),
        ("definition", 1, "Boils."),
        ("term", 2, "pour(cup)"),
        ("term", 2, "pour_all()"),
        ("definition", 3, "Empties it."),
        ("term", 0, "DEBUG"),
        ("paragraph", 0, "The end."),
    ]


def test_how_wide_the_columns_of_a_grid_are_is_not_shown() -> None:
    assert blocks("""
        .. grid:: 1 1 2 2

           .. grid-item-card:: Kettle

              Boils.
        """) == [("paragraph", 0, "Kettle"), ("paragraph", 1, "Boils.")]


def test_an_event_is_described_as_a_function_is() -> None:
    text = ".. event:: boiled (kettle)\n\n   Sent when it boils.\n"
    assert blocks(text) == [("term", 0, "boiled (kettle)"), ("definition", 1, "Sent when it boils.")]


def test_a_setting_is_shown_with_its_default() -> None:
    assert blocks("""\
        .. confval:: brew_time
           :type: :code-py:`int`
           :default: :code-py:`4`

           The minutes that a pot brews.

        .. confval:: pots
           :default:

           The pots.

        .. confval::
           :default: 5

           Cups.
    """) == [
        ("term", 0, "brew_time (default: 4)"),
        ("definition", 1, "The minutes that a pot brews."),
        ("term", 0, "pots"),
        ("definition", 1, "The pots."),
        ("definition", 1, "Cups."),
    ]


def test_a_setting_that_only_gives_the_section_behind_it_a_name_is_not_shown_twice() -> None:
    assert blocks("""
        The settings are:

        .. setting:: BREW_TIME
        .. _brew time:

        BREW_TIME
        ---------

        Default: ``4``

        .. setting:: POTS

        Cups
        ----

        .. setting:: CUPS
        """) == [
        ("paragraph", 0, "The settings are:"),
        ("heading", 1, "BREW_TIME"),
        ("paragraph", 0, "Default: 4"),
        ("term", 0, "POTS"),
        ("heading", 1, "Cups"),
        ("term", 0, "CUPS"),
    ]


def test_a_pep_is_called_by_its_number_and_title() -> None:
    document = rst("""\
        PEP: 9999
        Title: Tea in the
               Library
        Version: $Revision$
        Author: Ada <ada@example.com>,
                Bob
        Content-Type: text/x-rst

        Abstract
        ========

        Tea.
        """)
    assert document.title == "PEP 9999 – Tea in the Library"
    assert document.headings == (
        Heading(1, "PEP 9999 – Tea in the Library", 0),
        Heading(2, "Abstract", document.text.index("Abstract")),
    )
    assert shown_blocks(document)[1] == ("row", 1, "Author: Ada <ada@example.com>, Bob")
    assert [block.line for block in document.blocks] == [2, 5, 9, 12]


def test_blocks_know_their_lines() -> None:
    text = textwrap.dedent("""\
        ====
        Main
        ====

        Two
        lines:

        * one

          * two
        * three

        .. note::

           four

        .. code-block:: c

           five

        =====  ====
        six    b
        =====  ====
        seven  d
        =====  ====

        .. csv-table::

           "eight", 1
           nine, 2

        term
           ten

        .. function:: eleven()
                      twelve()
        """)
    lines = text.split("\n")
    begun = [(lines[block.line - 1], block.kind) for block in rst(text).blocks if block.line]
    assert begun == [
        ("Main", "heading"), ("Two", "paragraph"), ("* one", "item"), ("  * two", "item"), ("* three", "item"),
        (".. note::", "note"), ("   five", "code"), ("six    b", "header"), ("seven  d", "row"),
        ('   "eight", 1', "row"), ("   nine, 2", "row"), ("term", "term"), ("   ten", "definition"),
        (".. function:: eleven()", "term"), ("              twelve()", "term"),
    ]  # fmt: skip


def test_what_only_prepares_examples_is_not_shown() -> None:
    assert rst(".. testsetup::\n\n   import tides\n\nBoats wait.\n").text == "Boats wait."
