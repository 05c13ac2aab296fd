import hashlib
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest

from pipelines.components.models.entailment import Entailment
from pipelines.query.verdicts import Reading, Verifier
from pipelines.types import Hit
from tests.pipelines.query.hits import hit, terms

BEAGLE = "Beagles come from England. They need 60 minutes of exercise a day. Grapes are not safe for them."


def vectors(texts: Sequence[str]) -> npt.NDArray[np.float32]:
    """Bags of words: texts that share words are near each other."""
    rows = np.full((len(texts), 256), 1e-6, np.float32)
    for row, text in zip(rows, texts, strict=True):
        for word in text.lower().replace(".", "").split():
            row[hashlib.md5(word.encode()).digest()[0]] += 1
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def judge(claim: str, *cited: Hit, others: tuple[Hit, ...] = (), verifier: Verifier | None = None):  # type: ignore[no-untyped-def]
    return (verifier or Verifier()).judge(claim, cited, others, Reading(vectors, terms))


@pytest.mark.parametrize(
    ("claim", "verdict", "failed"),
    [
        ("They need 60 minutes of exercise a day.", "supported", None),
        ("they need **60 minutes** of exercise a day", "supported", None),
        ("They need about 60 minutes of exercise each day.", "supported", None),
        ("3. They need 60 minutes of exercise a day.", "supported", None),
        ("- **12)** They need about 60 minutes of exercise each day.", "supported", None),
        ("3. They need 90 minutes of exercise a day.", "unsupported", "numbers"),
        ("They need 90 minutes of exercise a day.", "unsupported", "numbers"),
        ("They need 60 hours of exercise a day.", "unsupported", "numbers"),
        ("They do not need 60 minutes of exercise a day.", "unsupported", "negation"),
        ("Grapes are safe for them.", "unsupported", "negation"),
        ("The breed called Beagles come from Austria.", "unsupported", "names"),
        ("Quantum computers factor integers quickly.", "unsupported", None),
    ],
)
def test_a_claim_is_verified_against_its_citations(claim: str, verdict: str, failed: str | None) -> None:
    found = judge(claim, hit(BEAGLE))
    assert found.verdict == verdict
    if failed:
        assert found.checks[failed] is False


@pytest.mark.parametrize(
    ("claim", "told"),
    [
        ("10 mg of it is given daily.", "Give it early: 110 mg of it is given daily."),
        ("The usual dose is 5.", "The usual dose is 50 mg."),
        ("The usual dose is 5.", "The usual dose is 5.5 mg."),
        ("The least degree is 5 here.", "The least degree is 5.5 here."),
        ("-5 degrees is the least.", "5 degrees is the least."),
        ("Cats eat mice here.", "Bobcats eat mice here."),
        ("It costs $20 a month.", "It costs \u20ac20 a month."),
    ],
)
def test_a_part_of_a_word_or_number_is_not_verbatim(claim: str, told: str) -> None:
    assert "verbatim" not in judge(claim, hit(told)).checks


def test_the_evidence_is_verbatim_and_the_sentence_that_says_it() -> None:
    found = judge("They need around 60 minutes of exercise a day.", hit(BEAGLE, start=100))
    window = found.evidence[0]
    assert window.text == "They need 60 minutes of exercise a day."
    assert BEAGLE[window.span.start - 100 : window.span.end - 100] == window.text


def test_a_heading_is_evidence_only_with_what_stands_below_it() -> None:
    chunk = hit("## Exercise of beagles\n\nThey need 60 minutes a day. Grapes are not safe for them.")
    found = judge("Exercise of beagles is discussed elsewhere.", chunk)
    assert found.evidence[0].text == "## Exercise of beagles\n\nThey need 60 minutes a day."
    assert judge("Exercise of beagles.", hit("## Exercise of beagles")).evidence[0].text == "## Exercise of beagles"


def test_a_claim_over_two_sources_may_take_its_numbers_from_both() -> None:
    cat = hit("Cats sleep 15 hours a day.", "b")
    claim = "They need 60 minutes of exercise a day while cats sleep 15 hours a day."
    assert judge(claim, hit(BEAGLE), cat).checks["numbers"]
    assert not judge(claim, hit(BEAGLE)).checks["numbers"]


def test_a_half_without_evidence_makes_a_claim_partial() -> None:
    claim = "They need 60 minutes of exercise a day, and dolphins navigate through sonar underwater."
    found = judge(claim, hit(BEAGLE))
    assert found.verdict == "partial"
    assert found.checks["clauses"][0] > found.checks["clauses"][1]


def test_a_claim_without_a_footnote_is_partial_at_best() -> None:
    found = judge("They need 60 minutes of exercise a day.", others=(hit("Cats sleep.", "b"), hit(BEAGLE)))
    assert (found.verdict, found.checks["cited"]) == ("partial", False)
    assert [window.hit.document_id for window in found.evidence] == ["a.md"]
    assert judge("Quantum computers factor integers.", others=(hit(BEAGLE),)).verdict == "unsupported"


def test_nothing_to_hold_it_against_is_unsupported() -> None:
    assert judge("They need exercise.").verdict == "unsupported"
    assert judge("They need exercise.", hit("   ")).verdict == "unsupported"


@pytest.mark.parametrize(
    ("entailment", "verdict"),
    [(Entailment(0.9, 0.0), "supported"), (Entailment(0.1, 0.1), "partial"), (Entailment(0.0, 0.9), "unsupported")],
)
def test_an_entailment_model_has_the_last_word_over_overlap(entailment: Entailment, verdict: str) -> None:
    asked: list[tuple[str, str]] = []

    def entails(pairs: Sequence[tuple[str, str]]) -> list[Entailment]:
        asked.extend(pairs)
        return [entailment] * len(pairs)

    found = judge("They need about 60 minutes of exercise daily.", hit(BEAGLE), verifier=Verifier(entails))
    assert found.verdict == verdict
    assert asked[0][1] == "They need about 60 minutes of exercise daily."
    assert found.checks["nli"] == {"entails": entailment.entails, "contradicts": entailment.contradicts}
    wrong = judge("They need about 61 minutes of exercise daily.", hit(BEAGLE), verifier=Verifier(entails))
    assert wrong.verdict == "unsupported"


SALE = "Acme bought Bolt from the Orrin family. Tarn lent the money. Bolt makes 40 pumps a day, and Orrin makes 15."


@pytest.mark.parametrize(
    ("claim", "stated"),
    [
        ("Acme bought Bolt from the Tarn family.", ("swapped", [{"said": "Tarn", "told": "Orrin"}])),
        ("Bolt bought Acme from the Orrin family.", ("exchanged", ["Bolt", "Acme"])),
    ],
)
def test_a_name_of_the_passage_in_anothers_place_is_unsupported(claim: str, stated: tuple[str, object]) -> None:
    found = judge(claim, hit(SALE))
    assert (found.verdict, found.checks["roles"]) == ("unsupported", False)
    assert found.checks[stated[0]] == stated[1]
    assert judge("The Orrin family sold Bolt, and Acme bought Bolt.", hit(SALE)).checks["roles"]


def test_an_action_given_to_another_actor_is_unsupported() -> None:
    stated = hit("The physician signs every prescription, while the pharmacist checks every dosage.")
    found = judge("The pharmacist signs every prescription, while the physician checks every dosage.", stated)
    assert (found.verdict, found.checks["exchanged"]) == ("unsupported", ["pharmacist", "physician"])
    found = judge("The pharmacist checks every dosage, while the physician signs every prescription.", stated)
    assert found.checks["roles"]


@pytest.mark.parametrize(
    ("claim", "told"),
    [
        ("Give grapes to dogs.", "Never give grapes to dogs."),
        ("Open the valve.", "Do not open the valve."),
    ],
)
def test_a_part_of_what_a_passage_denies_is_no_quote_of_it(claim: str, told: str) -> None:
    found = judge(claim, hit(told))
    assert found.verdict == "unsupported"
    assert found.checks["negation"] is False


def test_a_word_that_says_nothing_is_no_quote() -> None:
    assert judge("No.", hit("There is no limit on the number of guests.")).verdict == "unsupported"


def test_a_sentence_that_denies_something_is_quoted_as_it_is() -> None:
    for claim in ("Never give grapes to dogs.", "Grapes are not safe for them.", "are not safe for them"):
        assert judge(claim, hit(f"{BEAGLE} Never give grapes to dogs.")).checks["verbatim"] is True


@pytest.mark.parametrize(
    ("claim", "told", "verdict"),
    [
        ("Grapes are safe for dogs.", "Are grapes safe for dogs? No. They hurt the kidneys.", "unsupported"),
        ("Apples are safe for dogs.", "Are apples safe for dogs? Yes. Remove the seeds.", "supported"),
        ("No, grapes are not safe for dogs.", "Grapes are not safe for dogs.", "supported"),
        ("The warranty covers water damage.", "The warranty covers all damage except water damage.", "unsupported"),
        ("The warranty covers no water damage.", "The warranty covers all damage except water damage.", "supported"),
        ("Membership is free.", "Membership is free unless people are over 26 years old.", "partial"),
        ("The Beagle's coat is short.", "Beagles have a short coat.", "supported"),
        (
            "The GDPR asks everybody for written consent.",
            "The General Data Protection Regulation asks everybody for written consent.",
            "supported",
        ),
        ("Beagles eat grapes weekly in spring.", "Beagles eat grapes daily in spring.", "unsupported"),
        ("Every membership is free.", "Membership is free unless people are over 26 years old.", "partial"),
    ],
)
def test_what_a_passage_says_in_other_words_counts(claim: str, told: str, verdict: str) -> None:
    assert judge(claim, hit(told)).verdict == verdict


def test_a_restriction_that_is_left_out_is_named() -> None:
    told = "Membership is free unless people are over 26 years old."
    assert judge("Membership is free.", hit(told)).checks["left_out"] == "unless people are over 26 years old"
