import pytest

from pipelines.query.verdicts import Reading, Verifier
from tests.pipelines.query.hits import hit, terms
from tests.pipelines.query.verdicts.test_verifier import BEAGLE, vectors

MINUTES = "How many minutes of exercise do beagles need each day?"
SMOKING = "Is smoking allowed inside the kennel?"


@pytest.mark.parametrize(
    ("question", "said", "told", "verdict"),
    [
        (MINUTES, "60 minutes.", BEAGLE, "partial"),
        (MINUTES, "90 minutes.", BEAGLE, "unsupported"),
        (SMOKING, "Yes.", "Smoking is allowed inside the kennel.", "supported"),
        (SMOKING, "No.", "Smoking is allowed inside the kennel.", "unsupported"),
        (SMOKING, "Yes.", "Smoking is not allowed inside the kennel.", "unsupported"),
        (SMOKING, "No.", "Smoking is not allowed inside the kennel.", "supported"),
        (SMOKING, "Yes.", "Smoking is prohibited inside the kennel.", "unsupported"),
        (SMOKING, "No.", "Smoking is prohibited inside the kennel.", "partial"),
        ("Is the limit of the cart 50 items?", "Yes.", "The limit of the cart is 90 items.", "unsupported"),
        ("How much exercise do beagles need at 3 years of age?", "60 minutes a day.", BEAGLE, "partial"),
        ("Darf der Hund ins Haus kommen?", "Nein.", "Der Hund darf nicht ins Haus kommen.", "supported"),
    ],
)
def test_a_short_answer_is_judged_with_its_question(question: str, said: str, told: str, verdict: str) -> None:
    found = Verifier().judge(said, (hit(told),), (), Reading(vectors, terms), question=question)
    assert found.verdict == verdict, found.checks
