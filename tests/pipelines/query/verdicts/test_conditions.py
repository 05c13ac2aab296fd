import pytest

from pipelines.query.verdicts.conditions import is_excepted, is_reserved, left_out
from tests.pipelines.query.hits import terms

MEMBERSHIP = "Membership costs nothing unless people are over 26 years old."
OFFICE = "The office stays open every day except Sunday."


@pytest.mark.parametrize(
    ("claim", "passage", "restriction"),
    [
        ("Membership costs nothing.", MEMBERSHIP, "unless people are over 26 years old"),
        ("Refunds are given.", "Refunds are given only if the seal holds.", "only if the seal holds"),
        ("Refunds are given.", "Only if the seal holds, refunds are given.", "Only if the seal holds"),
        ("The office stays open every day.", OFFICE, "except Sunday"),
        ("All breeds shed.", "All breeds except poodles shed.", "except poodles shed"),
        ("Membership costs nothing.", "Membership costs nothing if people study.", "if people study"),
        ("Guests enter here.", "If the main door sticks, guests enter here.", "If the main door sticks"),
        ("Dogs swim here.", "Dogs swim here only on a leash.", "only on a leash"),
    ],
)
def test_a_restriction_that_a_claim_leaves_out_is_found(claim: str, passage: str, restriction: str) -> None:
    assert left_out(claim, passage, terms) == restriction


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("Membership costs nothing unless people are over 26.", MEMBERSHIP),
        ("If people are young, membership costs nothing.", MEMBERSHIP),
        ("Members over 26 years pay.", MEMBERSHIP),
        ("Something else is said here.", MEMBERSHIP),
        ("Membership costs nothing.", "Membership costs nothing. Unless it rains, there is dinner outside."),
        ("Membership costs nothing.", "Membership costs nothing even if people are over 26 years old."),
        ("Employees check the seal.", "Employees check the seal, and see if water came in."),
        ("", MEMBERSHIP),
    ],
)
def test_a_claim_that_says_it_or_something_else_leaves_nothing_out(claim: str, passage: str) -> None:
    assert left_out(claim, passage, terms) is None


def test_a_claim_on_an_exception_is_told_from_one_on_the_rest() -> None:
    assert is_excepted("The office stays open Sunday.", OFFICE, terms)
    assert not is_excepted("The office stays open Monday.", OFFICE, terms)
    assert not is_excepted("The office closes Sunday.", OFFICE, terms)
    assert not is_excepted("Users need tokens.", "Users except administrators need tokens.", terms)
    assert is_excepted("Administrators need tokens.", "Users except administrators need tokens.", terms)
    assert not is_excepted("Motors last.", "Parts apart from batteries, such as motors, last.", terms)
    assert not is_excepted("Guide dogs are allowed.", "Nothing is allowed here except guide dogs.", terms)


def test_what_only_some_may_do_is_not_for_all() -> None:
    told = "Only admins can delete files. Everybody can read them."
    assert is_reserved("All users can delete files.", told, terms)
    assert is_reserved("Anyone can delete files.", told, terms)
    assert not is_reserved("All administrators can delete files.", told, terms)
    assert not is_reserved("Admins can delete files.", told, terms)
    assert not is_reserved("All users can read files.", told, terms)
    assert not is_reserved("Not all users can delete files.", told, terms)
