"""Conversations of three turns, with the words that a follow-up must be looked for with, and how many of them are kept.

``python -m tests.agreement.followups`` prints the share by topic, and each turn that lost its subject. The documents
that tell how rare a word is are the conversations' own questions and answers.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pipelines.components.sparse import Bm25Encoder
from pipelines.profile.sections.retrieval import SparseSection
from pipelines.query.conversation.followup import with_subject

FILE = Path(__file__).with_name("followups.jsonl")
TERMS = Bm25Encoder(SparseSection()).terms


@dataclass(frozen=True)
class Followup:
    """A question behind others, the words of its subject, and what was looked for."""

    topic: str
    question: str
    subject: tuple[str, ...]
    looked_for: str

    @property
    def kept(self) -> bool:
        """Whether every word of the subject is looked for."""
        held = TERMS(self.looked_for)
        return all(TERMS(word) <= held for word in self.subject)


def followups() -> Iterator[Followup]:
    """The second and third turns of all conversations, each understood by the rule."""
    conversations = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
    rarity = _rarity([f"{turn['question']} {turn['answer']}" for one in conversations for turn in one["turns"]])
    for one in conversations:
        turns = one["turns"]
        for place, turn in enumerate(turns[1:], 1):
            earlier = [before["question"] for before in turns[:place]]
            answers = [before["answer"] for before in turns[:place]]
            found = with_subject(turn["question"], earlier, TERMS, rarity, answers=answers)
            yield Followup(one["topic"], turn["question"], tuple(turn["subject"]), found or turn["question"])


def _rarity(documents: list[str]) -> Callable[[str], float]:
    counts = Counter(term for document in documents for term in TERMS(document))

    def rarity(word: str) -> float:
        found = [counts[term] for term in TERMS(word) if counts[term]]
        return sum(math.log(1 + (len(documents) - count + 0.5) / (count + 0.5)) for count in found)

    return rarity


def main() -> None:
    made = list(followups())
    for topic in sorted({one.topic for one in made}):
        _row(topic, [one for one in made if one.topic == topic])
    _row("all", made)
    for one in made:
        if not one.kept:
            print(f"lost {' '.join(one.subject)}: {one.looked_for}")


def _row(name: str, made: list[Followup]) -> None:
    print(f"| {name} | {len(made)} | {sum(one.kept for one in made) / len(made):.2f} |")


if __name__ == "__main__":
    main()
