"""Makes an answer of what a language model writes, while it writes: text, footnotes and claims, line by line.

A sentence is complete when the next one begins. Then it is held against what it cites, its footnotes get their quotes,
and the policy for unsupported claims is applied. Under the policy `annotate` text goes on at once; under the others
it waits for the verdict on its sentence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Literal

from pipelines.query.citations import CitationParser, Mark, Numbering, Piece, fence_after
from pipelines.query.claims import Sentence, sentences_of, settled_sentences
from pipelines.query.context import Context
from pipelines.query.refusals import beside_refusal, is_refusal
from pipelines.query.sanitize import NoGuard, OutputGuard
from pipelines.query.verdicts import Judgement, Reading, Verifier, Window
from pipelines.query.verdicts.evidence import ClaimPart, best_windows
from pipelines.types import Citation, CitationMade, Claim, Evidence, Heartbeat, Hit, TextWritten

Policy = Literal["annotate", "strike", "withhold"]
WritingEvent = TextWritten | CitationMade | Heartbeat
Cite = Callable[[int, Window], Citation]
"""The footnote of this number that quotes a window."""

_STRIKABLE = re.compile(r"^(\s*(?:(?:[-*+•]|\d{1,3}[.)])\s+)?)(.*?)(\s*)$", re.DOTALL)
_FENCE = re.compile(r"^\s*```")
_BOUNDARY = re.compile(r"[.!?\u2026\u3002\uff01\uff1f]\W*\w")
_REACH = 40  # characters before a piece in which the end of a sentence may stand


class Writing:
    """What an answer has come to so far.

    Attributes:
        text: What was written.
        claims: Its claims, in order, if they are verified; those that were withheld too.
        citations: Its footnotes, in order of their numbers.
        does_not_know: Whether the model said that it does not know.

    Args:
        context: The numbered sources.
        reading: Gives the passages of the sources.
        verifier: Judges claims; None: they are not judged, and none are listed.
        policy: What becomes of unsupported claims; nothing where they are not judged.
        cite: Makes a footnote.
        guard: Makes the text harmless; by default an `OutputGuard`.
        question: What is asked; "90 minutes." claims something only together with it.
    """

    def __init__(
        self,
        context: Context,
        reading: Reading,
        verifier: Verifier | None,
        policy: Policy,
        cite: Cite,
        *,
        guard: OutputGuard | NoGuard | None = None,
        question: str = "",
    ) -> None:
        self.text = ""
        self.claims: list[Claim] = []
        self.citations: list[Citation] = []
        self.does_not_know = False
        self._hits = {source.number: source.hits for source in context.sources}
        self._reading = reading
        self._verifier = verifier
        self._policy: Policy = policy if verifier is not None else "annotate"
        self._cite = cite
        self._guard = guard or OutputGuard()
        self._question = question
        self._parser = CitationParser(len(context.sources))
        self._numbering = Numbering()
        self._line: list[Piece] = []
        self._line_start = 0  # in the text
        self._blank = ""  # at the end of the text, and not yet sent
        self._begun = False
        self._behind_row = False  # of a table
        self._fence = 0  # backticks of the fence around the line

    @property
    def removed(self) -> tuple[int, ...]:
        """The numbers that were cited and that no source has."""
        return self._parser.removed

    def feed(self, text: str) -> Iterator[WritingEvent]:
        """Continue with ``text``; a heartbeat says that it completes nothing."""
        written = False
        for event in self._take(self._parser.feed(self._guard.feed(text))):
            written = True
            yield event
        if not written:
            yield Heartbeat()

    def finish(self, *, cut_off: bool = False) -> Iterator[WritingEvent]:
        """Complete what was still open; there is no more text, or it was ``cut_off``."""
        yield from self._take(self._parser.feed(self._guard.finish()))
        yield from self._take(self._parser.finish(cut_off=cut_off))
        yield from self._end_line("")

    def _take(self, pieces: Sequence[Piece]) -> Iterator[WritingEvent]:
        for piece in pieces:
            if isinstance(piece, Mark):
                yield from self._add(piece)
                continue
            first, *others = piece.split("\n")
            yield from self._add(first)
            for part in others:
                yield from self._end_line("\n")
                yield from self._add(part)

    def _add(self, piece: Piece) -> Iterator[WritingEvent]:
        if piece == "":
            return
        may_settle = isinstance(piece, str) and _BOUNDARY.search(self._tail() + piece) is not None
        last = self._line[-1] if self._line else None
        if isinstance(piece, str) and isinstance(last, str):
            self._line[-1] = last + piece
        else:
            self._line.append(piece)
        if self._policy == "annotate":
            yield from self._write(self._numbering.written([piece]))
        elif may_settle and not self._fence and not self._opens_fence():
            complete, self._line = settled_sentences(self._line)
            for sentence in complete:
                yield from self._settle(sentence)

    def _tail(self) -> str:
        """Return the last characters of the line."""
        return "".join(piece[-_REACH:] for piece in self._line[-3:] if isinstance(piece, str))[-_REACH:]

    def _opens_fence(self) -> bool:
        return bool(self._line) and isinstance(self._line[0], str) and _FENCE.match(self._line[0]) is not None

    def _end_line(self, ending: str) -> Iterator[WritingEvent]:
        prose = self._is_prose()
        line, self._line = self._line, []
        is_row = bool(line) and isinstance(line[-1], str) and line[-1].rstrip().endswith("|")
        if prose:
            for sentence in sentences_of(line):
                yield from self._settle(sentence)
        elif self._policy != "annotate" and line:
            yield from self._write(self._numbering.written(line))
        gone = self._policy == "withhold" and line and len(self.text) == self._line_start
        if ending and not gone:
            yield from self._write(ending)
        self._behind_row = is_row
        self._line_start = len(self.text)

    def _is_prose(self) -> bool:
        cited = any(isinstance(piece, Mark) for piece in self._line)  # no citation is found in code
        before = self._fence
        self._fence = 0 if cited else fence_after(before, "".join(map(str, self._line)))
        return bool(self._line) and (cited or not (before or self._fence))

    def _settle(self, sentence: Sentence) -> Iterator[WritingEvent]:
        self.does_not_know = self.does_not_know or is_refusal(sentence.text)
        judgement = self._judged(sentence)
        withheld = self._policy == "withhold" and judgement is not None and judgement.verdict == "unsupported"
        if judgement is not None:
            self.claims.append(self._claim(sentence, judgement, withheld))
        if self._policy != "annotate" and not withheld:
            yield from self._write(self._spelt(sentence, judgement))
        if not withheld:
            yield from self._footnotes(sentence, judgement)

    def _judged(self, sentence: Sentence) -> Judgement | None:
        """Return the verdict on a sentence; None where it claims nothing, or says no more than that nobody knows."""
        claim, question = sentence.text, "" if sentence.is_claim else self._question
        if is_refusal(claim):
            claim = beside_refusal(claim, cited=bool(sentence.sources))
        if self._verifier is None or not claim or not (sentence.is_claim or sentence.is_short_claim):
            return None
        if sentence.is_row_of_names and not self._behind_row:  # the head of a table
            return None
        cited = [hit for number in sentence.sources for hit in self._hits[number]]
        others = [hit for hits in self._hits.values() for hit in hits]
        return self._verifier.judge(claim, cited, others, self._reading, question=question)

    def _spelt(self, sentence: Sentence, judgement: Judgement | None) -> str:
        text = self._numbering.written(sentence.pieces)
        if self._policy == "strike" and judgement is not None and judgement.verdict == "unsupported":
            return _STRIKABLE.sub(r"\1~~\2~~\3", text, count=1)
        return text

    def _footnotes(self, sentence: Sentence, judgement: Judgement | None) -> Iterator[CitationMade]:
        for source in sentence.sources:
            (number,) = self._numbering.of([source])
            if number > len(self.citations):
                window = self._window(sentence, judgement, self._hits[source])
                self.citations.append(self._cite(number, window))
                yield CitationMade(self.citations[-1])

    def _window(self, sentence: Sentence, judgement: Judgement | None, hits: Sequence[Hit]) -> Window:
        """Return the passage of a source that supports a sentence best."""
        chunks = {hit.chunk_id for hit in hits}
        windows = [one for one in (judgement.evidence if judgement else ()) if one.hit.chunk_id in chunks]
        if not windows:
            (vector,) = self._reading.vectors([sentence.text])
            part = ClaimPart(sentence.text, self._reading.terms(sentence.text), vector)
            windows = list(best_windows(part, hits, self._reading))
        return windows[0] if windows else self._reading.whole(hits[0])

    def _claim(self, sentence: Sentence, judgement: Judgement, withheld: bool) -> Claim:
        numbers = () if withheld else self._numbering.of(sentence.sources)
        checks = {**judgement.checks, "withheld": True} if withheld else judgement.checks
        evidence = tuple(_evidence(window) for window in judgement.evidence)
        return Claim(sentence.text, numbers, judgement.verdict, checks, evidence)

    def _write(self, text: str) -> Iterator[TextWritten]:
        """Write ``text``; what is blank waits for what follows, since an answer neither begins nor ends with it."""
        self.text += text
        text = self._blank + text
        shown = text.rstrip()
        self._blank = text[len(shown) :]
        if not self._begun:
            shown = shown.lstrip()
        if shown:
            self._begun = True
            yield TextWritten(shown)


def _evidence(window: Window) -> Evidence:
    hit = window.hit
    return Evidence(hit.document_id, hit.version, hit.chunk_id, window.span, window.text)
