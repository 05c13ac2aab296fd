"""reStructuredText: kept as it is written, Sphinx's directives included."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipelines.reading import read
from pipelines.types import Heading

PAGE = """\
.. _the-page:

.. redirect-from::

   Old/Page

========
The page
========

.. contents:: Table of Contents
   :local:

Intro with :doc:`a role <Other>` and ``code``.

First :ref:`part`
-----------------

.. tabs::

   .. group-tab:: Linux

      No heading
      ----------

.. code-block:: bash

   # no heading
   ====

Deeper
^^^^^^

Text.

----

Second
------

=====  =====
A      B
=====  =====
1      2
=====  =====
"""


def test_headings_are_found_and_the_text_is_kept() -> None:
    document = read(PAGE, name="a.rst")
    assert document.text == PAGE
    assert document.headings == (
        Heading(1, "The page", PAGE.index("The page\n")),
        Heading(2, "First :ref:`part`", PAGE.index("First")),
        Heading(3, "Deeper", PAGE.index("Deeper")),
        Heading(2, "Second", PAGE.index("Second")),
    )
    assert document.title == "The page"


def test_the_same_title_is_found_where_it_stands() -> None:
    text = "Top\n===\n\nUse\n---\n\na\n\nUse\n---\n\nb\n"
    starts = [heading.start for heading in read(text, name="a.rst").headings]
    assert starts == [0, text.index("Use"), text.rindex("Use")]


def test_directives_read_no_files(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "secret.txt").write_text("Secret\n======\n")
    path = tmp_path / "secret.txt"
    text = f"Top\n===\n\n.. include:: {path}\n\n.. raw:: html\n   :file: {path}\n\n.. csv-table::\n   :file: {path}\n"
    document = read(text, name="a.rst")
    assert document.text == text
    assert [heading.title for heading in document.headings] == ["Top"]
    assert capfd.readouterr() == ("", "")


def test_errors_of_markup_do_not_fail_the_file(capfd: pytest.CaptureFixture[str]) -> None:
    text = "Top\n===\n\nDeep\n~~~~\n\nBack\n---\n\n`unclosed *emphasis |x|_\n\n.. figure::\n\nTitle too long\n=====\n"
    assert read(text, name="a.rst").headings[0] == Heading(1, "Top", 0)
    assert capfd.readouterr() == ("", "")
