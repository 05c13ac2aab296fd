"""Which texts are taken for reStructuredText where their names do not say so."""

from __future__ import annotations

import pytest

from pipelines.reading import read

SPHINX = "=====\nTitle\n=====\n\nSee :doc:`/other` and :ref:`this`.\n"
DIRECTIVE = "Title\n=====\n\n.. note::\n\n    Mind the gap.\n"
PREAMBLE = "PEP: 9999\nAuthor: Ada\nTitle: Tea\n\nTea.\n"
NAMED = "BIP: 7\nTitle: Tea\n\nAbstract\n========\n\nTea.\n"
UNTITLED = "Add an entry::\n\n  [tea]\n  kind =\n\nTo turn it off::\n\n  [tea]\n  kind = !\n\nSee :hg:`help tea`.\n"
LITERALS = "Teas:\n\n- ``oolong`` (half green)\n- ``pu erh`` (old)\n\nAny other is ``black``.\n"
TITLED = "Teas\n====\n\nSee :hg:`help tea`.\n\nAdd one::\n\n  [tea]\n\nThen another::\n\n  [pot]\n"
NOTES = "Shopping\n--------\n\n- tea: black\n- milk\n\nNotes:: none\n"


@pytest.mark.parametrize("text", [SPHINX, DIRECTIVE, PREAMBLE, NAMED, UNTITLED, LITERALS, TITLED])
def test_evident_rst_is_read_as_such_under_any_name_of_a_text(text: str) -> None:
    for content in (text, text.encode(), text.replace("\n", "\r\n").encode()):
        for name, media_type in (("a.txt", None), ("a.txt", "text/plain"), ("README", None), (None, None)):
            assert read(content, name=name, media_type=media_type).media_type == "text/x-rst"


@pytest.mark.parametrize(
    "text",
    [
        NOTES,
        "Title\n=====\n\nNo marks but a title.\n",
        "No title\n\n.. note:: but a directive\n",
        "Not enough::\n\n  one\n\nof these::\n\n  two\n",
        "Titles too long\n====\n\n.. note:: x\n",
        f"# Markdown about RST\n\n```\n{DIRECTIVE}```\n",
        "BIP: 7\nTitle: Tea\n\nTea.\n",
        "ISBN: 9780000000000\nTitle: Tea\n\nAbstract\n========\n\nTea.\n",
        "``One'' said she, and (``two'' he), and ``three'' they.\n",
        "Only ``two`` of ``these``.\n",
        "From :alice:`\nTo: bob\n-----\n",
    ],
)
def test_other_texts_stay_what_they_are(text: str) -> None:
    assert read(text, name="a.txt").media_type == "text/plain"
    assert read(text).media_type == "text/markdown"


def test_a_name_or_a_media_type_that_says_more_decides() -> None:
    assert read(DIRECTIVE, name="a.md").media_type == "text/markdown"
    assert read(DIRECTIVE, media_type="text/markdown").media_type == "text/markdown"
    assert read(DIRECTIVE, name="a.txt", media_type="text/x-diff").media_type == "text/plain"
