"""An engine whose profile names a checker: what is only near is less sure."""

from pathlib import Path

from pipelines.engine import open_engine
from pipelines.types import DocumentInput
from tests.fakes.known_models import needs_weights

pytestmark = needs_weights
PIER = (
    "# The pier of Ostvik\n\nThe pier of Ostvik was built in 1911 and is 80 metres long.\n\n"
    "Boats of up to 12 metres moor on its east side; a berth costs 14 euros a night.\n"
)
NEAR, ANSWERED = "Who built the pier of Ostvik?", "How long is the pier of Ostvik?"


def confidences(folder: Path, checker: str | None) -> list[float]:
    answer = {"chooser": "ms-marco-minilm-l12", "checker": checker}
    with open_engine({"tenant": "ostvik", "store": {"engine": "memory"}, "answer": answer}, folder) as engine:
        engine.ingest([DocumentInput(PIER, "pier.md")])
        return [engine.answer(question).confidence for question in (NEAR, ANSWERED)]


def test_a_near_passage_is_less_sure_with_a_checker_and_an_answer_stays_sure(tmp_path: Path) -> None:
    near, answered = confidences(tmp_path / "plain", None)
    checked_near, checked_answered = confidences(tmp_path / "checked", "answer-checker-l12")
    assert checked_near < near - 0.1
    assert checked_answered > 0.7
    assert answered > 0.7
