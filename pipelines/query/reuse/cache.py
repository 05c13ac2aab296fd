"""Keeps answers in memory, to be given again to who asks the same, sees the same, and may see the same.

Answers are of one position in the tenant's history. When it moves, by a commit, a flip or a purge, all of them go: the
next question finds none, and an answer in progress is not kept.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace

import numpy as np
import numpy.typing as npt

from pipelines.profile.sections.answers import AnswerCacheSection
from pipelines.query.reuse.sameness import Words, bare, normalise_spelling, question_words, same_question
from pipelines.query.terms import Terms
from pipelines.types import Answer, CacheUse

Position = tuple[int, ...]
"""Where the tenant's history is: it changes with whatever may change an answer, and never comes back."""
Vector = npt.NDArray[np.float32]
Vectors = Callable[[Sequence[str]], npt.NDArray[np.float32]]
_MOST_IDS = 1000  # of one answer
_Key = tuple[str, tuple[str, ...], str]


@dataclass(slots=True)
class CacheQuestion:
    """A question, and everything else that decides what its answer is.

    Attributes:
        question: As it was asked.
        reader: The asker's scope, "" for none: answers are reused within one scope only.
        position: Where the history was before the search.
        decided_by: The rest: snapshot, filters, legs, model, prompt.
        vectors: Unit vectors of texts.
    """

    question: str
    reader: str
    position: Position
    decided_by: tuple[str, ...]
    vectors: Vectors
    _vector: Vector | None = field(default=None, repr=False)

    @property
    def key(self) -> _Key:
        """What an answer to exactly this is found by."""
        return self.reader, self.decided_by, normalise_spelling(self.question)

    @property
    def vector(self) -> Vector:
        """The question's, without polite phrases."""
        if self._vector is None:
            (self._vector,) = self.vectors([bare(self.question)])
        return self._vector


@dataclass(frozen=True, slots=True)
class _Entry:
    answer: Answer
    documents: frozenset[str]
    size: int
    kept_at: float  # seconds, monotonic
    given_as: deque[str]  # ids, the latest
    words: Words = ()
    vector: Vector | None = None


class AnswerCache:
    """A tenant's answers, bounded in size and age. Every method may be called from several threads.

    Two callers who ask the same at the same time are both answered: a stream is as slow as its reader, and may be
    abandoned, so no caller waits for another's.

    Args:
        settings: Its bounds, and how alike questions must be.
        position: Where the tenant's history is now.
        terms: The terms of a text (stemmed, without stop words), as ids.
        clock: Seconds that never go back.
    """

    def __init__(
        self,
        settings: AnswerCacheSection,
        position: Callable[[], Position],
        terms: Terms,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._settings = settings
        self.position = position
        self._terms = terms
        self._clock = clock
        self._lock = threading.Lock()
        self._entries: OrderedDict[_Key, _Entry] = OrderedDict()
        self._at: Position = ()
        self._bytes = 0
        self._hits: Counter[str] = Counter()
        self._misses: Counter[str] = Counter()

    @property
    def is_on(self) -> bool:
        """Whether the profile wants it."""
        return self._settings.mode != "off"

    def find(self, asked: CacheQuestion) -> Answer | None:
        """Return the answer to this or to the same question under an id of its own, if there is one; a hit, else a
        miss.
        """
        answer = self._found(asked, self._exact)
        if answer is None and self._settings.mode == "semantic":
            _ = asked.vector  # embedded while the lock is free
            answer = self._found(asked, self._alike)
        with self._lock:
            (self._misses if answer is None else self._hits)[asked.reader] += 1
        if answer is None:
            return None
        # The exchange with the model holds the exact words of the question.
        exchange = answer.exchange if answer.question == asked.question else None
        return replace(answer, question=asked.question, exchange=exchange, cached=True)

    def keep(self, asked: CacheQuestion, answer: Answer) -> None:
        """Keep an answer, unless the history moved since the question was asked."""
        entry = self._entry(asked, answer)
        if entry.size > self._settings.bytes:
            return
        with self._lock:
            if self.position() != asked.position:  # asked for here, so that no purge can come in between
                return
            self._move_to(asked.position)
            self._drop(asked.key)
            self._entries[asked.key] = entry
            self._bytes += entry.size
            while self._bytes > self._settings.bytes:
                self._drop(next(iter(self._entries)))

    def count_of(self, document_id: str, reader: str | None = None) -> int:
        """Return how many answers are made of a document, by default for all scopes."""
        with self._lock:
            return sum(
                document_id in entry.documents and reader in (None, key[0]) for key, entry in self._entries.items()
            )

    def forget(self, document_id: str) -> int:
        """Forget the answers that are made of a document; return how many there were."""
        with self._lock:
            going = [key for key, entry in self._entries.items() if document_id in entry.documents]
            for key in going:
                self._drop(key)
            return len(going)

    def forget_answer(self, answer_id: str) -> None:
        """Stop reusing the answer that was given under this id; a user rated it as not helpful."""
        with self._lock:
            for key in [key for key, entry in self._entries.items() if answer_id in entry.given_as]:
                self._drop(key)

    def use(self, reader: str | None) -> CacheUse:
        """Return the cache's use by a scope; by all, if that is None."""
        with self._lock:
            mine = [entry.size for key, entry in self._entries.items() if reader in (None, key[0])]
            hits, misses = (
                counted.total() if reader is None else counted[reader] for counted in (self._hits, self._misses)
            )
            return CacheUse(self._settings.mode, hits, misses, len(mine), sum(mine))

    def _found(self, asked: CacheQuestion, key_of: Callable[[CacheQuestion], _Key | None]) -> Answer | None:
        with self._lock:
            self._move_to(asked.position)
            key = key_of(asked)
            if key is None:
                return None
            self._entries.move_to_end(key)
            answer_id = str(uuid.uuid4())
            self._entries[key].given_as.append(answer_id)
            return replace(self._entries[key].answer, answer_id=answer_id)

    def _exact(self, asked: CacheQuestion) -> _Key | None:
        entry = self._entries.get(asked.key)
        if entry is not None and not self._is_fresh(entry):
            self._drop(asked.key)
            return None
        return None if entry is None else asked.key

    def _alike(self, asked: CacheQuestion) -> _Key | None:
        """Return the nearest question of the same words, near enough, that was not left unanswered."""
        among = [
            (key, entry)
            for key, entry in self._entries.items()
            if key[:2] == asked.key[:2] and entry.vector is not None and self._is_fresh(entry)
        ]
        if not among:
            return None
        cosines = np.stack([entry.vector for _, entry in among if entry.vector is not None]) @ asked.vector
        words = question_words(bare(asked.question), self._terms)
        nearest_first: list[int] = np.argsort(-cosines, kind="stable").tolist()
        for at in nearest_first:
            key, entry = among[at]
            if cosines[at] < self._settings.similarity:
                return None
            if same_question(words, entry.words):
                return key
        return None

    def _entry(self, asked: CacheQuestion, answer: Answer) -> _Entry:
        documents = frozenset(hit.document_id for hit in answer.sources)
        size, given_as = len(str(asdict(answer)).encode()), deque([answer.answer_id], _MOST_IDS)
        if self._settings.mode != "semantic" or answer.abstained:  # in other words it may be found after all
            return _Entry(answer, documents, size, self._clock(), given_as)
        words = question_words(bare(asked.question), self._terms)
        return _Entry(answer, documents, size + asked.vector.nbytes, self._clock(), given_as, words, asked.vector)

    def _is_fresh(self, entry: _Entry) -> bool:
        return self._clock() - entry.kept_at < self._settings.seconds

    def _move_to(self, position: Position) -> None:
        """Drop the answers from before ``position``; a position that is older than the last one changes nothing."""
        if position > self._at:
            self._entries.clear()
            self._bytes, self._at = 0, position

    def _drop(self, key: _Key) -> None:
        entry = self._entries.pop(key, None)
        if entry is not None:
            self._bytes -= entry.size
