import pytest

from pipelines.components.sparse import Bm25Encoder
from pipelines.profile.sections.retrieval import SparseSection
from pipelines.query.verdicts.roles import exchanged

TERMS = Bm25Encoder(SparseSection()).terms


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("Bolt bought Acme in 1999.", "Acme bought Bolt in 1999."),
        ("Acme was bought by Bolt.", "Acme bought Bolt."),
        ("Bolt bought Acme.", "Bolt was bought by Acme in 1999."),
        ("Glucagon inhibits insulin.", "Insulin inhibits glucagon in the fasting state."),
        ("The server polls the client.", "The client polls the server every minute."),
        ("The tenant pays the landlord.", "The landlord pays the tenant a deposit."),
    ],
)
def test_exchanged_roles_are_found(claim: str, sentence: str) -> None:
    assert exchanged(claim, sentence, TERMS) is not None


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("Bolt was bought by Acme.", "Acme bought Bolt in 1999."),
        ("Acme bought Bolt.", "In 1999 Bolt was bought by Acme."),
        ("Acme and Bolt merged.", "Bolt and Acme merged in 1999."),
        ("Cats, horses and dogs need water.", "Dogs, cats and horses need water."),
        ("Insulin is related to glucagon.", "Glucagon is related to insulin."),
        ("Metformin is used for diabetes.", "For diabetes metformin is used first."),
        ("The bridge meets the road.", "The road meets the bridge."),
        ("Nothing of this is known.", "Acme bought Bolt."),
        ("Version 2.0 added search.", "Search was added in version 2."),
        ("", ""),
    ],
)
def test_the_same_parts_in_another_order_are_the_same(claim: str, sentence: str) -> None:
    assert exchanged(claim, sentence, TERMS) is None


def test_long_texts_are_left_alone() -> None:
    assert exchanged("Bolt bought Acme " * 5_000, "Acme bought Bolt " * 5_000, TERMS) is None
