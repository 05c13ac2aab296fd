"""Asks judged questions, and keeps what the chooser's model reads for each."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pipelines.components.models.cross_encoder import CrossEncoder, Scores
from pipelines.engine import Engine, assembly, open_scratch
from pipelines.profile.loader import load_profile
from tests.quality.checker.questions import JudgedQuestion, ReadPassages, read_questions


class RecordingCrossEncoder(CrossEncoder):
    """A cross-encoder that keeps each text that it scored, once, in ``read``."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.read: dict[str, float] = {}

    def scores(self, question: str, texts: Sequence[str]) -> Scores:
        """See `CrossEncoder.scores`."""
        made = super().scores(question, texts)
        for text, score in zip(texts, made, strict=True):
            self.read.setdefault(text, float(score))
        return made


def read(profile: Path, documents: Path, questions: Path, out: Path) -> None:
    """Ingest ``documents``, ask the questions, and write a `ReadPassages` a line to ``out``."""
    asked = list(read_questions(questions))
    with _recorded() as made, open_scratch(load_profile(profile)) as engine:
        engine.ingest_path(documents)
        lines = [json.dumps(asdict(passages)) for passages in _asked(engine, made[-1], asked)]
    out.write_text("\n".join(lines) + "\n", encoding="utf-8")


@contextmanager
def _recorded() -> Iterator[list[RecordingCrossEncoder]]:
    """Let engines that are opened meanwhile take recording cross-encoders as choosers; yield those."""
    made: list[RecordingCrossEncoder] = []

    def load(*given: Any, **named: Any) -> RecordingCrossEncoder:
        made.append(RecordingCrossEncoder(*given, **named))
        return made[-1]

    real = assembly.load_cross_encoder
    assembly.load_cross_encoder = load
    try:
        yield made
    finally:
        assembly.load_cross_encoder = real


def _asked(
    engine: Engine, recorder: RecordingCrossEncoder, questions: Sequence[JudgedQuestion]
) -> Iterator[ReadPassages]:
    for question in questions:
        recorder.read.clear()
        engine.answer(question.text)
        texts = list(recorder.read)
        yield ReadPassages(
            question.text,
            texts,
            list(recorder.read.values()),
            [question.is_answered_by(text) for text in texts],
            answerable=bool(question.expressions),
        )
