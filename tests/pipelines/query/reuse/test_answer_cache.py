"""The bounds of the answer cache, and what may and may not be found in it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest

from pipelines.components.sparse import Bm25Encoder
from pipelines.profile.sections.answers import AnswerCacheSection
from pipelines.profile.sections.retrieval import SparseSection
from pipelines.query.reuse import AnswerCache, CacheQuestion, Position
from pipelines.types import Answer, Hit, Span

TERMS = Bm25Encoder(SparseSection()).terms
HIT = Hit("c", "beagle.md", 1, "Beagle", "beagle.md", "Beagles howl.", {}, 0.9, {}, Span(0, 13))


class Cache:
    """A cache with a history and a clock that the test moves."""

    def __init__(self, **settings: object) -> None:
        self.now, self.position, self.embedded = 0.0, (1, 0, 0), list[str]()
        section = AnswerCacheSection.model_validate({"mode": "exact", **settings})
        self.cache = AnswerCache(section, lambda: self.position, TERMS, lambda: self.now)

    def vectors(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        self.embedded += texts
        return np.array([[1.0, 0.0] for _ in texts], np.float32)

    def asked(self, question: str, reader: str = "", position: Position | None = None, also: str = "") -> CacheQuestion:
        return CacheQuestion(question, reader, position or self.position, (also,), self.vectors)

    def keep(self, question: str, reader: str = "", text: str = "They howl.", **asked: str) -> None:
        self.cache.keep(self.asked(question, reader, **asked), answer(question, text))

    def found(self, question: str, reader: str = "", **asked: str) -> str | None:
        known = self.cache.find(self.asked(question, reader, **asked))
        return None if known is None else known.text


def answer(question: str, text: str = "They howl.", document: str = "beagle.md", abstained: bool = False) -> Answer:
    return Answer(
        answer_id="a",
        question=question,
        text=text,
        abstained=abstained,
        reason="low_confidence" if abstained else None,
        confidence=0.5,
        citations=(),
        claims=(),
        sources=(replace(HIT, document_id=document),),
        model="m",
        llm_generated=True,
        degraded=False,
        snapshot=1,
        timings_ms={},
        exchange=(f"sources and {question}", text),
    )


def test_only_the_same_question_of_the_same_reader_under_the_same_terms_is_found() -> None:
    cache = Cache()
    cache.keep("Do beagles howl?", "fed", also="top 5")
    assert cache.found("do  beagles howl", "fed", also="top 5") == "They howl."
    assert cache.found("Do beagles howl?", "corp", also="top 5") is None
    assert cache.found("Do beagles howl?", "fed", also="top 9") is None
    assert cache.found("Do pugs howl?", "fed", also="top 5") is None
    assert (cache.cache.use("fed").hits, cache.cache.use("fed").misses, cache.cache.use("corp").misses) == (1, 2, 1)
    assert (cache.cache.use(None).hits, cache.cache.use(None).misses, cache.cache.use(None).entries) == (1, 3, 1)
    assert cache.cache.use("corp").entries == 0
    assert cache.embedded == []


@pytest.mark.parametrize("moved", [(2, 0, 0), (1, 1, 0), (1, 0, 1)])
def test_answers_from_before_a_change_are_dropped_and_not_stored_after_it(moved: Position) -> None:
    cache = Cache()
    cache.keep("Do beagles howl?")
    under_way = cache.asked("Do pugs howl?")
    cache.position = moved
    cache.cache.keep(under_way, answer("Do pugs howl?"))
    assert cache.found("Do beagles howl?") is None
    assert cache.found("Do pugs howl?") is None
    assert (cache.cache.use(None).entries, cache.cache.use(None).bytes) == (0, 0)


def size_of_one(question: str) -> int:
    cache = Cache()
    cache.keep(question)
    return cache.cache.use(None).bytes


def test_the_answer_that_was_not_asked_for_longest_goes_first() -> None:
    cache = Cache(bytes=2 * size_of_one("one") + 100)
    for question in ("one", "two"):
        cache.keep(question)
    assert cache.found("one")
    cache.keep("three")
    assert (cache.found("one"), cache.found("two"), cache.found("three")) == ("They howl.", None, "They howl.")


def test_answers_take_no_more_memory_than_they_may() -> None:
    cache = Cache(bytes=20_000)
    for number in range(10):
        cache.keep(f"question {number}", text="ö" * 2000)
    use = cache.cache.use(None)
    assert 0 < use.entries < 10
    assert use.entries * 4000 < use.bytes <= 20_000
    cache.keep("too long", text="ö" * 20_000)
    assert cache.found("too long") is None
    assert cache.cache.use(None).entries == use.entries
    cache.keep("question 9", text="short")
    assert cache.found("question 9") == "short"
    assert cache.cache.use(None).bytes < use.bytes


@pytest.mark.parametrize("mode", ["exact", "semantic"])
def test_an_answer_is_given_again_for_so_long(mode: str) -> None:
    cache = Cache(seconds=60, mode=mode)
    cache.keep("Do beagles howl?")
    cache.now = 59
    assert cache.found("Do beagles howl?")
    cache.now = 60
    assert cache.found("Do beagles howl?") is None


def test_the_answers_that_are_made_of_a_document_are_forgotten_with_it() -> None:
    cache = Cache()
    cache.keep("Do beagles howl?", "fed")
    cache.keep("Do beagles howl?")
    cache.cache.keep(cache.asked("Do pugs snore?"), answer("Do pugs snore?", document="pug.md"))
    assert cache.cache.count_of("beagle.md") == 2
    assert cache.cache.count_of("beagle.md", "fed") == 1
    assert cache.cache.forget("beagle.md") == 2
    assert cache.found("Do beagles howl?") is None
    assert cache.found("Do pugs snore?")


def test_a_purge_while_an_answer_is_kept_leaves_nothing_of_it() -> None:
    cache = Cache()
    asked, kept = cache.asked("Do beagles howl?"), answer("Do beagles howl?")
    gone = threading.Event()

    def purge() -> None:
        gone.wait()
        cache.position = (2, 0, 0)
        cache.cache.forget("beagle.md")

    purging = threading.Thread(target=purge)
    purging.start()
    cache.cache.position = meanwhile(cache, gone)
    cache.cache.keep(asked, kept)
    purging.join()
    assert cache.cache.count_of("beagle.md") == 0


def meanwhile(cache: Cache, begin: threading.Event) -> Callable[[], Position]:
    """Says where the history was, and lets the purge begin then."""

    def position() -> Position:
        was = cache.position
        begin.set()
        return was

    return position


def test_another_wording_finds_the_answer_where_meaning_counts() -> None:
    cache = Cache(mode="semantic")
    cache.keep("How much exercise does a beagle need?")
    assert cache.found("Please tell me: how much exercise do beagles need?") == "They howl."
    assert cache.embedded == ["How much exercise does a beagle need?", "how much exercise do beagles need?"]
    assert cache.found("How much exercise does a young beagle need?") is None  # as near as can be, in these vectors
    assert cache.found("How much exercise do beagles need?", "fed") is None


def test_vectors_that_are_not_near_enough_are_another_question() -> None:
    cache = Cache(mode="semantic")
    cache.keep("What are goods?")
    far = replace(cache.asked("What is good?"), vectors=lambda texts: np.array([[0.8, 0.6]], np.float32))
    assert cache.cache.find(far) is None
    assert cache.found("What is good?")  # with the vector of the other


def test_an_abstention_is_not_reused_for_another_wording() -> None:
    cache = Cache(mode="semantic")
    question = "Do beagles howl?"
    cache.cache.keep(cache.asked(question), answer(question, "I do not know.", abstained=True))
    assert cache.found("Do beagles howl?") == "I do not know."
    assert cache.found("Does a beagle howl?") is None


def test_the_exchange_is_kept_only_for_the_exact_question() -> None:
    cache = Cache()
    cache.keep("Do beagles howl?")
    same, other = (cache.cache.find(cache.asked(question)) for question in ("Do beagles howl?", "do beagles howl"))
    assert same is not None
    assert same.exchange == ("sources and Do beagles howl?", "They howl.")
    assert other is not None
    assert other.exchange is None


def test_many_at_once_keep_the_count() -> None:
    most = 5 * size_of_one("question 1")
    cache = Cache(bytes=most, mode="semantic")

    def work(number: int) -> None:
        for turn in range(50):
            cache.keep(f"question {(number + turn) % 9}")
            cache.found(f"question {turn % 9}")
            cache.cache.forget("nothing")

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    use = cache.cache.use(None)
    assert use.hits + use.misses == 400
    assert 0 < use.bytes <= most
    assert use.bytes == sum(entry.size for entry in cache.cache._entries.values())
