"""``python -m tests.quality.steps``: OpenPharma's questions of several parts, answered whole and in steps, as a table.

Without a language model. An answer is right if it matches every expression of its question; of a question that has a
part which the documents don't answer, it must also name that part as unanswered.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pipelines import open_engine
from pipelines.types import Answer, StepsUse

_HERE = Path(__file__).parent
_PROFILE = _HERE.parents[2] / "configs" / "openpharma"
_USES: tuple[StepsUse, ...] = ("never", "complex")


def main() -> None:
    """Ask every question both ways, and print how many answers are right, by kind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wrong", action="store_true", help="print the answers that are not right")
    options = parser.parse_args()
    questions = [json.loads(line) for line in (_HERE / "questions.jsonl").read_text("utf-8").splitlines()]
    profile = {"extends": str(_PROFILE / "profile.yaml"), "knowledge": {"path": str(_PROFILE / "knowledge")}}
    profile |= {"retrieval": {"expansion": {name: str(_PROFILE / file) for name, file in _LEXICON.items()}}}
    profile |= {"answer": {"prompt": str(_PROFILE / "prompts" / "answer.md")}, "llm": None}
    with tempfile.TemporaryDirectory() as data, open_engine(profile, data) as engine:
        engine.sync()
        answers = {use: [engine.answer(one["question"], steps=use) for one in questions] for use in _USES}
    for kind in dict.fromkeys(one["kind"] for one in questions):
        print(f"{kind:<18}" + "".join(_cell(use, _of_kind(questions, answers[use], kind)) for use in _USES))
    print(f"{'all':<18}" + "".join(_cell(use, list(zip(questions, answers[use], strict=True))) for use in _USES))
    for one, answer in zip(questions, answers["complex"], strict=True) if options.wrong else ():
        if not _is_right(one, answer):
            print(f"\n{one['id']} {one['question']}\n{answer.text}\n{[step.question for step in answer.steps]}")


_LEXICON = {"synonyms": "synonyms.txt", "names": "drugs.txt"}


def _of_kind(
    questions: Sequence[Mapping[str, Any]], answers: Sequence[Answer], kind: str
) -> list[tuple[Mapping[str, Any], Answer]]:
    return [(one, answer) for one, answer in zip(questions, answers, strict=True) if one["kind"] == kind]


def _cell(use: str, answered: Sequence[tuple[Mapping[str, Any], Answer]]) -> str:
    right = sum(_is_right(one, answer) for one, answer in answered)
    words = sum(len(answer.text.split()) for _, answer in answered) / len(answered)
    confidence = sum(answer.confidence for _, answer in answered) / len(answered)
    return f"  {use:>8}: {right:>2} of {len(answered):>2} right, {words:>3.0f} words, confidence {confidence:.2f}"


def _is_right(question: Mapping[str, Any], answer: Answer) -> bool:
    missing = question.get("missing")
    reported = answer.text.partition("The documents don't answer:")[2]
    return all(re.search(one, answer.text, re.IGNORECASE) for one in question["must"]) and (
        missing is None or missing in reported
    )


if __name__ == "__main__":
    main()
