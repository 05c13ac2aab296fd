"""What a language model says, as it arrives: thoughts, halves of characters, and what no database takes."""

from __future__ import annotations

import pytest

from pipelines.components.llm.reply_text import ReplyText

SAID = [
    ("<think>Hm [1].</think>\n\nIt is so [1].", "It is so [1]."),
    ("\n<thinking>\nHm.\n</thinking>It is so.", "It is so."),
    ("<think></think> <think>Hm.</think> It is so.", "It is so."),
    ("<think>Hm.</think>" * 2000 + "It is so.", "It is so."),
    ("<think>Hm. </thin", ""),
    (" It <think>is</think> so.", " It <think>is</think> so."),
    ("<thi", "<thi"),
    ("  ", "  "),
    ("<b>It</b> is so.", "<b>It</b> is so."),
    ("Dogs \ud83d\udc36 and \ud83d cats\udc36 \ud83d", "Dogs \U0001f436 and \ufffd cats\ufffd \ufffd"),
    ("It\0 is\0.", "It is."),
]


@pytest.mark.parametrize("size", [1, 3, 1000, 100_000])
@pytest.mark.parametrize(("said", "text"), SAID)
def test_text_is_the_same_however_it_is_cut(said: str, text: str, size: int) -> None:
    words = ReplyText()
    parts = [words.feed(said[at : at + size]) for at in range(0, len(said), size)]
    assert "".join([*parts, words.finish()]) == text


def test_an_answer_streams_unchanged() -> None:
    words = ReplyText()
    assert [words.feed(part) for part in ("<thi", "nk>", "Hm.", "</think>\n", "It ", "is ")][-2:] == ["It ", "is "]
