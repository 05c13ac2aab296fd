import pytest

from pipelines.query.verdicts.polarity import polarity
from tests.pipelines.query.hits import terms


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Beagles do not need exercise.", "Beagles need an hour of exercise."),
        ("Beagles need exercise.", "Beagles don't need exercise."),
        ("Grapes are never safe for dogs.", "Grapes are safe for dogs."),
        ("It works without electricity.", "It works with electricity."),
    ],
)
def test_denying_what_the_other_says_contradicts_it(one: str, other: str) -> None:
    assert polarity(one, terms).contradicts(polarity(other, terms))
    assert polarity(other, terms).contradicts(polarity(one, terms))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Beagles do not need exercise.", "No exercise is needed by beagles."),
        ("Beagles need exercise.", "Beagles need exercise, and should not eat grapes."),
        ("Beagles need exercise.", "Not only beagles need exercise."),
        ("At most three dogs are allowed.", "No more than three dogs are allowed."),
        ("Cats sleep.", "Beagles do not howl."),
    ],
)
def test_a_negation_of_something_else_contradicts_nothing(one: str, other: str) -> None:
    assert not polarity(one, terms).contradicts(polarity(other, terms))
