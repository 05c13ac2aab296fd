from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
import pytest

from pipelines.query.extracts.chooser import Chooser
from pipelines.query.extracts.passages.excerpts import best_window, excerpt, understood_window
from pipelines.query.extracts.passages.passages import Passage, PassageKind, Sentence
from pipelines.query.extracts.reader import Reader, cosine_reader, cosines, cross_encoder_reader
from pipelines.reading.draft import Draft
from pipelines.types import Span
from tests.pipelines.query.extracts.drafts import hit, stored
from tests.pipelines.query.hits import terms

REPORT = [f"The clerk wrote line {number} of the long report." for number in range(12)]
REPORT[7] = "The lighthouse is forty metres high."


def holding(*words: str) -> Callable[[Sequence[str]], npt.NDArray[np.float64]]:
    return lambda texts: np.array([sum(word in text for word in words) for text in texts], np.float64)


def passage(shown: str, kind: PassageKind) -> Passage:
    text = stored(lambda draft: draft.add(shown))
    found = hit(text)
    return Passage(found, kind, found.span, shown, (), text, 0)


def test_a_short_passage_is_read_whole() -> None:
    assert excerpt(passage(REPORT[7], "sentences"), holding("clerk")) == REPORT[7]


def test_of_long_prose_the_best_sentence_and_those_around_it_are_read() -> None:
    read = excerpt(passage(" ".join(REPORT), "sentences"), holding("lighthouse"))
    assert "The lighthouse is forty metres high." in read
    assert read in " ".join(REPORT)
    assert 20 <= len(read.split()) <= 32


def test_of_a_long_list_the_first_words_are_read() -> None:
    shown = "\n".join(f"- {line}" for line in REPORT)
    read = excerpt(passage(shown, "list"), holding("lighthouse"))
    assert read.split() == shown.split()[:60]


@pytest.mark.parametrize(
    ("worth", "words", "most", "window"),
    [
        ([0, 3, 1], [10, 40, 10], 32, (1, 1)),  # the best sentence, though it is too long
        ([0, 3, 1], [10, 10, 10], 20, (1, 2)),  # the better neighbour first
        ([0, 3, 1], [10, 10, 30], 32, (0, 1)),  # the other one where that does not fit
        ([1, 2, 3], [5, 5, 5], 15, (0, 2)),
    ],
)
def test_the_window_grows_around_the_best_sentence(
    worth: list[float], words: list[int], most: int, window: tuple[int, int]
) -> None:
    assert best_window(worth, words, most) == window


def fill(draft: Draft) -> None:
    draft.add_heading(1, "Harbour")
    draft.add(" ".join(REPORT))
    draft.add("Items of the lighthouse:")
    for number in range(12):
        draft.add(f"- a lamp and a rope of the kind {number} of the lighthouse", "item", level=1)


def texts_read(reader: Callable[[Callable[[Sequence[str]], npt.NDArray[np.float32]]], Reader]) -> list[str]:
    given: list[str] = []

    def vectors(texts: Sequence[str]) -> npt.NDArray[np.float32]:
        given.extend(texts)
        return np.ones((len(texts), 1), np.float32)

    text = stored(fill)
    Chooser(reader(vectors), terms).choose("How high is the lighthouse?", [hit(text)], [text], 2)
    return given


def test_where_vectors_choose_excerpts_are_embedded_under_their_headings() -> None:
    read = texts_read(lambda vectors: cosine_reader(cosines(lambda _: np.ones(1, np.float32), vectors)))
    assert all(text.startswith("Guide > Harbour: ") for text in read)
    assert max(len(text.split()) for text in read) <= 63
    assert any("forty metres" in text for text in read)


def no_cosines(_: str, texts: Sequence[str]) -> npt.NDArray[np.float32]:
    return np.zeros(len(texts), np.float32)


def test_cosines_decide_between_texts_that_a_cross_encoder_scores_nearly_alike() -> None:
    logits, near = {"one": 2.0, "two": 1.5, "three": -3.0}, {"one": 0.2, "two": 0.6, "three": 0.9}

    def looked_up(scores: dict[str, float]) -> Callable[[str, Sequence[str]], npt.NDArray[np.float32]]:
        return lambda _, texts: np.array([scores[text] for text in texts], np.float32)

    read = cross_encoder_reader(looked_up(logits), looked_up(near)).read
    one, two, three = read("Which?", ["one", "two", "three"])
    assert two > one > three
    assert two == pytest.approx(1.5 + 6 * 0.1)


def test_a_cross_encoder_reads_only_the_texts_of_the_highest_cosines() -> None:
    texts = [str(number) for number in range(12)]
    given: list[str] = []

    def logits(_: str, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        given.extend(texts)
        return np.array([float(text) for text in texts], np.float32)

    def near(_: str, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        return np.array([0.5 if text in {"0", "11"} else 0.6 for text in texts], np.float32)

    scores = cross_encoder_reader(logits, near).read("Which?", texts)
    assert given == texts[1:11]
    assert scores[11] == scores[0] == 1  # the lowest of those read
    assert list(cross_encoder_reader(logits, near).read("Which?", [])) == []


def test_a_cross_encoder_reads_whole_passages() -> None:
    read = texts_read(lambda vectors: cross_encoder_reader(lambda _, texts: vectors(texts)[:, 0], no_cosines))
    assert max(len(text.split()) for text in read) > 63


@pytest.mark.parametrize(
    ("sentences", "worth", "window"),
    [
        (["A keeper lights the lamp.", "They use oil.", "Whales give it."], [0, 3, 2], (0, 1)),  # the end gives way
        (["A keeper lights the lamp.", "They use oil.", "Whales give it."], [0, 2, 3], (0, 2)),  # not the best one
        (["A keeper lights the lamp.", "Lamps use oil.", "Whales give it."], [0, 3, 2], (1, 2)),
        (["They use oil.", "Whales give it."], [3, 2], (0, 1)),
    ],
)
def test_a_window_begins_with_what_its_first_sentence_refers_to(
    sentences: list[str], worth: list[float], window: tuple[int, int]
) -> None:
    some = [Sentence(Span(0, 1), one) for one in sentences]
    assert understood_window(worth, some, 8) == window


def test_a_sentence_that_says_in_other_words_what_the_last_one_says_is_shown_with_it() -> None:
    said = ("Boats may be called dry.", "This is short for drying out at low tide.", "The crew walks then.")
    some = [Sentence(Span(0, 1), one) for one in said]
    assert understood_window([1.0, 0.0, 0.0], some, 5) == (0, 1)
    assert understood_window([0.0, 1.0, 0.0], some[1:], 5) == (1, 1)
