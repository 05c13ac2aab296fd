"""Excerpts: the sentences of a long passage that matter most, within a number of words."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from pipelines.query.extracts.passages.passages import Passage, Sentence, sentences_of
from pipelines.query.extracts.passages.windows import understood_from

_EXPLAINS = re.compile(r"(?:this|that)\s+(?:is\s+short|stands)\s+for\b|in\s+other\s+words\b", re.IGNORECASE)
Scores = npt.NDArray[np.float64]
Worths = Callable[[Sequence[str]], Scores]
"""What each text is worth."""


_PROSE_WORDS = 32
_OTHER_WORDS = 60
"""Of a list, a table or code: what answers may stand behind its first words."""


def excerpt(passage: Passage, worths: Worths) -> str:
    """Return what is shown of a passage where it is short, else a part of it.

    Of prose these are the best sentence and those around it, of anything else the first words.
    """
    most_words = _PROSE_WORDS if passage.kind == "sentences" else _OTHER_WORDS
    if passage.words <= most_words:
        return passage.shown
    if passage.kind != "sentences":
        return " ".join(passage.shown.split()[:most_words])
    sentences = sentences_of(passage)
    worth = worths([one.shown for one in sentences])
    first, last = best_window(worth, [one.words for one in sentences], most_words)
    return " ".join(one.shown for one in sentences[first : last + 1])


def best_window(worth: Scores | Sequence[float], words: Sequence[int], most_words: int) -> tuple[int, int]:
    """Return the first and the last sentence of a stretch around the one that is worth most.

    The better neighbour is added as long as there is room for it; the best sentence is in it whatever its length.
    """
    first = last = int(np.argmax(worth))
    left = most_words - words[first]
    while True:
        beside = [index for index in (first - 1, last + 1) if 0 <= index < len(words)]
        fitting = [index for index in beside if words[index] <= left]
        if not fitting:
            return first, last
        index = max(fitting, key=lambda index: worth[index])
        first, last, left = min(first, index), max(last, index), left - words[index]


def understood_window(worth: Sequence[float], sentences: Sequence[Sentence], most_words: int) -> tuple[int, int]:
    """Return the first and the last sentence of the `best_window`, which begins with what its first one refers to.

    Sentences at its end give way to that, but the best one does not. One that says in other words what the last one
    says is shown with it.
    """
    words = [one.words for one in sentences]
    first, last = best_window(worth, words, most_words)
    begins = understood_from(first, [one.shown for one in sentences])
    if begins < first:
        best = int(np.argmax(worth))
        while last > best and sum(words[begins : last + 1]) > most_words:
            last -= 1
    explained = last + 1 < len(sentences) and _EXPLAINS.match(sentences[last + 1].shown) is not None
    return begins, last + explained


def from_beginning(sentences: Sequence[Sentence], last: int, some_words: int, most_words: int) -> tuple[int, int]:
    """Return the first sentence and the last that is shown with it: a reply to the question begins with what answers.

    It is shown up to ``last`` if that is near, else as much as fits.
    """
    ends = list(accumulate(one.words for one in sentences))
    if ends[last] <= most_words:
        return 0, last
    return 0, max(sum(words <= some_words for words in ends) - 1, 0)
