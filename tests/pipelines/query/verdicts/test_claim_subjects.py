import pytest

from pipelines.components.sparse import Bm25Encoder
from pipelines.profile.sections.retrieval import SparseSection
from pipelines.query.verdicts.subjects import other_subject

TERMS = Bm25Encoder(SparseSection()).terms
SIGNING = ["The pharmacist checks the prescription and the physician signs it.", "It is valid for 28 days."]
APART = ["Bacteria are living cells that can be killed by antibiotics.", "Viruses multiply inside a host."]
FASTER = ["The red train is faster than the blue train."]


@pytest.mark.parametrize(
    ("claim", "sentences"),
    [
        ("The physician checks the prescription and the pharmacist signs it.", SIGNING),
        ("Viruses can be killed by antibiotics, while bacteria multiply inside a host.", APART),
        ("The blue train is faster than the red train.", FASTER),
        ("A tram brakes sooner than a bus.", ["In the rain a bus brakes sooner than a tram."]),
    ],
)
def test_exchanged_subjects_are_found(claim: str, sentences: list[str]) -> None:
    assert other_subject(claim, sentences, TERMS) is not None


@pytest.mark.parametrize(
    ("claim", "sentences"),
    [
        ("The physician signs the prescription, and the pharmacist checks it.", SIGNING),
        ("The pharmacist checks the prescription, and it is valid for 28 days.", SIGNING),
        ("Antibiotics can kill bacteria, but viruses multiply inside a host.", APART),
        ("The red train is faster than the blue train.", FASTER),
        ("The blue train is slower than the red train.", FASTER),
        ("Women are taller than men there.", ["Men are taller than women.", "There women are taller than men."]),
        ("Rye rises slowly and is baked twice a day.", ["Rye rises slowly.", "It is baked twice a day."]),
        ("Nothing of this is known.", SIGNING),
        ("", []),
    ],
)
def test_the_same_subjects_in_other_words_are_the_same(claim: str, sentences: list[str]) -> None:
    assert other_subject(claim, sentences, TERMS) is None


def test_both_subjects_are_reported() -> None:
    claim = "The physician checks the prescription and the pharmacist signs it."
    assert other_subject(claim, SIGNING, TERMS) == ("physician", "pharmacist")
