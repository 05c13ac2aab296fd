"""Questions that turn to another thing by a short phrase."""

import pytest

from pipelines.components.sparse import Bm25Encoder
from pipelines.profile.sections.answers import ConversationsSection
from pipelines.profile.sections.retrieval import SparseSection
from pipelines.query.conversation.rewriting import Rewriter
from pipelines.query.spelling import Spelling

TERMS = Bm25Encoder(SparseSection()).terms
REWRITER = Rewriter(ConversationsSection(), TERMS, is_word=Spelling("english", TERMS).is_word)
LICENSE = "What is the license of nodemailer?"
METFORMIN = "What is metformin?"


def rewritten(question: str, *earlier: str) -> str | None:
    return REWRITER.rewritten(question, earlier, lambda word: float(len(word)))


@pytest.mark.parametrize(
    ("earlier", "question", "expected"),
    [
        (LICENSE, "And of multer?", "What is the license of multer?"),
        ("How do I ignore case in grep?", "And in sed?", "How do I ignore case in sed?"),
        ("What is the fee for students?", "What about for members?", "What is the fee for members?"),
        ("What are the signs of heart failure?", "And of kidney disease?", "What are the signs of kidney disease?"),
        ("What is the quota for a pod?", "And for a node?", "What is the quota for a node?"),
        ("Which Node.js versions does pino 8.x support?", "And 7.x?", "Which Node.js versions does pino 7.x support?"),
        ("What does the AquaPump 300 cost?", "And of the AquaPump 500?", "What does the AquaPump 500 cost?"),
        ("What was paid in 2023?", "And in 2024?", "What was paid in 2024?"),
        (
            "How often does pm2 get security fixes?",
            "And of nodemailer?",
            "How often does nodemailer get security fixes?",
        ),
        ("How do I install nodemon?", "And winston?", "How do I install winston?"),
        ("How do I install nodemon?", "How about multer?", "How do I install multer?"),
        ("What does the prune command do?", "And purge?", "What does the purge command do?"),
        ("What does the prune command do?", "And the purge command?", "What does the purge command do?"),
        ("What does `--force` do?", "And `--quiet`?", "What does `--quiet` do?"),
        ("Which licence has the multer package?", "And nodemon?", "Which licence has the nodemon package?"),
        ("What does exit code 3 mean?", "And 4?", "What does exit code 4 mean?"),
        ("Is there a quota for a pod?", "And for a node?", "Is there a quota for a node?"),
        ("Which Node.js versions does pino support?", "And multer?", "Which Node.js versions does multer support?"),
        ("How much do students pay for lockers?", "And members?", "How much do members pay for lockers?"),
        ("How much do students pay?", "And members?", "How much do members pay?"),
    ],
)
def test_the_phrase_takes_the_place_of_one_of_its_kind(earlier: str, question: str, expected: str) -> None:
    assert rewritten(question, earlier) == expected


def test_the_question_that_stands_alone_is_asked_of_each_thing_that_is_turned_to() -> None:
    assert rewritten("And of pino?", LICENSE, "And of multer?") == "What is the license of pino?"


@pytest.mark.parametrize(
    ("earlier", "question"),
    [
        (METFORMIN, "What about side effects?"),
        (METFORMIN, "And in kidney disease?"),
        (METFORMIN, "And surgery?"),
        (METFORMIN, "And its dose of aspirin?"),
        ("How do I install nodemon?", "And in Docker?"),
        ("How do I install nodemon?", "And authentication?"),
        ("How do I apply for leave?", "And for managers?"),
        ("How do I keep a rabbit in a hutch?", "And in winter?"),
        ("How do I treat fleas in Norway?", "And in winter?"),
        ("Can dogs eat grapes?", "And raisins?"),
        ("How often do puppies need vaccines?", "And worms?"),
        ("How long do parrots live?", "And treats?"),
        ("Who approves travel for managers?", "What about abroad?"),
        ("Does it work with pino?", "And with winston?"),
        ("Is the smell of milk strong?", "And of fresh bread?"),
        (LICENSE, "And of another?"),
        (LICENSE, f"And of {'m' * 100}?"),
        ("How do I install nodemon?", "And later?"),
        ("How do I debug in nodemon?", "And in production?"),
        ("How do I work in peace?", "And in winter?"),
        ("Seals eat what?", "And Nordby?"),
        ("What does the prune command do?", "And cost?"),
        ("What does the prune command do?", "And old logs?"),
        ("What does pino 8.x need?", "And 300?"),
        ("How do I install nodemon?", "And update?"),
        ("How do I use nodemon?", "And linting?"),
        (LICENSE, "And the colour?"),
        ("How do I use nodemon?", "And webhooks?"),
        ("How much do students pay?", "And delete users?"),
        ("How old is it?", "And of multer?"),
        ("What does the prune command do?", "And errors?"),
    ],
)
def test_a_phrase_of_another_kind_keeps_the_subject(earlier: str, question: str) -> None:
    found = rewritten(question, earlier)
    assert found is not None
    assert found.startswith(f"{question} ")
