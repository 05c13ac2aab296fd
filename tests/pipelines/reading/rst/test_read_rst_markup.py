"""Roles, references and directives of docutils and Sphinx: their words without them."""

from __future__ import annotations

import pytest

from tests.pipelines.reading.rst.rst_samples import blocks, rst, shown


@pytest.mark.parametrize(
    ("markup", "words"),
    [
        (":ref:`the text <target>`", "the text"),
        (":ref:`some-far-place`", "some far place"),
        (":ref:`s-f-Far-Place`", "Far Place"),
        (":ref:`ch-places`", "places"),
        (":ref:`far-s-place`", "far s place"),
        (":doc:`/topics/db/queries`", "queries"),
        (":class:`~a.b.Kettle`", "Kettle"),
        ("`~a.b.Kettle`", "Kettle"),
        ("`~ half a kettle`", "~ half a kettle"),
        (":meth:`.pour`", "pour()"),
        (":py:func:`tea.pour()`", "tea.pour()"),
        (":external+tea:py:func:`!pour`", "pour()"),
        (":pep:`8`", "PEP 8"),
        (":pep:`PEP 8 <8>`", "PEP 8"),
        (":rfc:`7231#section-6.1`", "RFC 7231 Section 6.1"),
        (":ticket:`123`", "#123"),
        (":kbd:`Ctrl-C`", "Ctrl-C"),
        (":menuselection:`File --> &Open`", "File > Open"),
        (":file:`/etc/{name}.conf`", "/etc/name.conf"),
        (":abbr:`GIL (global interpreter lock)`", "GIL (global interpreter lock)"),
        (r"10\ :sup:`-6`", "10⁻⁶"),
        (r"H\ :sub:`2`\ O", "H2O"),
        (":never-heard-of:`words`", "words"),
        ("`Name`_", "Name"),
        ("Name_", "Name"),
        ("`words <https://example.com>`__", "words"),
        ("https://example.com/a_b", "https://example.com/a_b"),
        ("``a *b* \\n``", "a *b* \\n"),
        (r"\*not emphasis\*", "*not emphasis*"),
        ("*a* **b** `c`", "a b c"),
        ("|version|", "version"),
        ("`unclosed", "`unclosed"),
    ],
)
def test_inline_markup_becomes_its_words(markup: str, words: str) -> None:
    assert shown(f"See {markup} here.\n") == f"See {words} here."


def test_a_reference_shows_the_title_that_its_label_stands_before() -> None:
    text = (
        "See :ref:`brewing-tea` and :ref:`far-away`.\n\n.. _brewing-tea:\n\nHow to *brew*\n=============\n\nSlowly.\n"
    )
    assert shown(text).startswith("See How to brew and far away.")


def test_footnotes_keep_their_numbers() -> None:
    document = rst("One [#a]_ and two [#]_, says [Ada]_.\n\n.. [#a] First.\n.. [#] Second.\n.. [Ada] *Notes*.\n")
    assert document.text == "One [1] and two [2], says [Ada].\n\n[1] First.\n\n[2] Second.\n\n[Ada] Notes."


def test_invisible_markup_is_left_out(capfd: pytest.CaptureFixture[str]) -> None:
    assert (
        shown("""\
        .. _a b: https://a.b
        .. __: https://c.d
        .. _`unclosed
        .. a comment

           with more

        .. toctree::
           :maxdepth: 2

           other/page

        .. index:: tea
        .. highlight:: python
        .. contents:: Table of Contents
        .. redirect-from::

           Old/Page

        .. role:: raw-html(raw)
           :format: html

        Seen :raw-html:`<br>`.
        """)
        == "Seen ."
    )
    assert capfd.readouterr() == ("", "")


def test_an_unknown_directive_shows_its_content() -> None:
    assert blocks("""\
        .. tabs::

           .. group-tab:: Linux
              :sync: x

              No heading
              ----------

              1. Install.
        """) == [
        ("paragraph", 0, "Linux"),
        ("paragraph", 1, "No heading"),
        ("item", 2, "1. Install."),
    ]


def test_what_is_typed_in_a_directive_that_nobody_knows_is_code() -> None:
    assert blocks("""\
        .. crew-shell::

           $ moor --fast
           $ moor --list

        .. group-tab:: Linux

           $ signs are typed.
        """) == [
        ("code", 0, "$ moor --fast\n$ moor --list"),
        ("paragraph", 0, "Linux"),
        ("paragraph", 1, "$ signs are typed."),
    ]


def test_a_directive_with_faults_shows_its_content() -> None:
    assert shown(".. list-table::\n\n   * - a\n     - b\n   * - c\n") == "  - a\n  - b\n  - c"
    assert shown(".. csv-table::\n   :header-rows: many\n\n   Ada, 36\n") == "Ada, 36"


def test_code_without_a_blank_line_above_it_is_not_lost() -> None:
    assert shown(".. code-block:: c\n   int a;\n") == "int a;"
    assert shown(".. code-block:: c\n   :linenos:\n   int a;\n") == "int a;"


def test_a_malformed_table_shows_its_words() -> None:
    assert shown("Ages\n\n=====  =====\nAda    36\n=====\n\nEnd.\n") == "Ages\n\nAda 36\n\nEnd."


def test_figures_show_captions_and_images_their_alt_text() -> None:
    assert blocks(
        ".. figure:: a.png\n   :alt: A cat.\n\n   The *cat*.\n\n   It sleeps.\n\n.. image:: b.png\n   :alt: A dog.\n"
    ) == [
        ("caption", 0, "The cat."),
        ("paragraph", 0, "It sleeps."),
        ("caption", 0, "A dog."),
    ]


def test_quotes_and_lines_keep_their_form() -> None:
    assert blocks("She said:\n\n    Tea.\n\n    -- Ada\n\n| Roses\n|   are red\n") == [
        ("paragraph", 0, "She said:"),
        ("quote", 1, "Tea."),
        ("quote", 1, "— Ada"),
        ("paragraph", 0, "Roses\n  are red"),
    ]


@pytest.mark.parametrize("argument", ["Lm7o8", 'pour "py -m tea"', "tea.cups\n   :depth: 2"])
def test_what_an_unknown_directive_is_to_work_on_is_not_shown(argument: str) -> None:
    assert shown(f"Before.\n\n.. tea-usage:: {argument}\n\nBehind.\n") == "Before.\n\nBehind."


@pytest.mark.parametrize("written", ["Pour the tea slowly.", "Pour it\n\n   and wait"])
def test_prose_of_an_unknown_directive_is_shown(written: str) -> None:
    assert "Pour" in shown(f".. tea-advice:: {written}\n")


def test_options_that_are_indented_deeper_than_the_content_are_none_of_it() -> None:
    assert shown(".. brewed::\n      :kinds: green\n      :cups: 2\n\n   Poured at five.\n") == "Poured at five."


def test_a_cell_that_spans_rows_or_named_columns_stands_in_each() -> None:
    table = """
    +---------+--------+--------+
    | Boat    | Summer | Winter |
    +=========+========+========+
    | Dinghy  | 5      | 4      |
    +         +--------+--------+
    |         | 6      | none   |
    +---------+--------+--------+
    | Trawler | 90 euros        |
    +---------+-----------------+
    | With a mast               |
    +---------------------------+
    """
    assert shown(table).splitlines() == [
        "Boat | Summer | Winter",
        "Dinghy | 5 | 4",
        "Dinghy | 6 | none",
        "Trawler | 90 euros | 90 euros",
        "With a mast",
    ]


def test_fields_that_sphinx_fills_in_are_left_out_unless_the_document_does() -> None:
    text = "Boats\n=====\n\n:Release: |version|\n:Date: |today|\n:Harbour: Ebb\n"
    assert shown(text) == "Boats\n\nHarbour: Ebb"
    defined = f"{text}\n.. |version| replace:: 2.0\n"
    assert shown(defined) == "Boats\n\nRelease: 2.0\nHarbour: Ebb"


def test_a_line_above_an_indented_paragraph_is_the_title_of_an_item() -> None:
    text = "1. Clean pots\n    Every pot is to be clean.\n\n    It is dry too.\n\n2. Old lids\n    Throw them away.\n"
    document = rst(text)
    assert document.text.startswith("1. Clean pots\n\nEvery pot is to be clean.\n\nIt is dry too.\n\n2. Old lids\n")
    assert [(one.kind, one.level) for one in document.blocks] == [
        ("item", 1),
        ("paragraph", 2),
        ("paragraph", 2),
        ("item", 1),
        ("paragraph", 2),
    ]


def test_a_line_that_is_indented_too_much_goes_on_with_the_sentence() -> None:
    assert shown("- Every pot is\n    to be clean.\n\n- Lids too.\n") == "- Every pot is to be clean.\n- Lids too."


def test_several_terms_in_an_item_stay_terms() -> None:
    document = rst("1. Pots\n    Clean.\n   Lids\n    Dry.\n")
    assert [one.kind for one in document.blocks] == ["item", "term", "definition", "term", "definition"]
