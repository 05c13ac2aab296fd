import pytest

from pipelines.query.verdicts.polarity import contradict, negates, polarity
from tests.pipelines.query.hits import terms


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Beagles do not need exercise.", "Beagles need an hour of exercise."),
        ("Beagles need exercise.", "Beagles don't need exercise."),
        ("Grapes are never safe for dogs.", "Grapes are safe for dogs."),
        ("It works without electricity.", "It works with electricity."),
        ("It works w/o electricity.", "It works with electricity."),
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


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The service works on Sundays.", "Nobody should believe that the service works on Sundays."),
        ("Grapes are safe for dogs.", "It is a myth that grapes are safe for dogs."),
        ("Grapes are safe for dogs.", "Some owners wrongly believe that grapes are safe for dogs."),
        ("Vaccines cause fever.", "The claim that vaccines cause fever has been disproved."),
        ("Aspirin is recommended.", "Aspirin is no longer recommended today."),
        ("Patients should take aspirin.", "Patients should stop taking aspirin."),
        ("Give grapes to dogs.", "Avoid giving grapes to dogs."),
        ("Grapes are toxic.", "Grapes are non-toxic for people."),
        ("The service is available.", "The service is unavailable on Sundays."),
        ("The plugs are compatible.", "The plugs are incompatible."),
        ("The warranty is transferable.", "Is the warranty transferable? No, it is bound to the first owner."),
        ("The drug is safe for children.", "Whether the drug is safe for children is unknown."),
        ("The drug is safe for children.", "It is unclear whether the drug is safe for children."),
        ("Prices will rise in spring.", "The board rejected the proposal that prices will rise in spring."),
        ("Beagles need little exercise.", "It is an error to assume that beagles need little exercise."),
        ("Der Hund darf ins Haus kommen.", "Der Hund darf nicht ins Haus kommen."),
        ("Die Lampe hat einen Schalter.", "Die Lampe hat keinen Schalter."),
        ("Die Lampe leuchtet nachts.", "Die Lampe leuchtet nachts nicht."),
        ("Le chien peut entrer dans la maison.", "Le chien ne peut pas entrer dans la maison."),
        ("Le service reste gratuit.", "Le service n'est plus gratuit."),
    ],
)
def test_a_denial_may_be_any_of_many_words(one: str, other: str) -> None:
    assert contradict(one, other, terms)
    assert contradict(other, one, terms)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("No, grapes are not safe for dogs.", "Grapes are not safe for dogs."),
        ("No. Grapes are not safe for dogs.", "Grapes are not safe for dogs."),
        ("The service is unavailable on Sundays.", "The service is not available on Sundays."),
        ("The warranty is not transferable.", "Is the warranty transferable? No, it is bound to the first owner."),
        ("Avoid giving grapes to dogs.", "Do not give grapes to dogs."),
        ("Dogs like water.", "Unlike cats, dogs like water."),
        ("It is a myth that grapes are safe.", "That grapes are safe is a myth."),
        ("It is impossible to restore deleted keys.", "Nobody can restore deleted keys."),
        ("Important parts are included.", "The parts are important, and included."),
        ("It is unknown whether the drug is safe.", "Whether the drug is safe is unknown."),
        ("Beagles howl at night.", "The study shows that beagles howl at night."),
        ("The board rejected the proposal.", "The proposal was rejected by the board."),
        ("Der Hund darf nicht ins Haus.", "Ins Haus darf der Hund nicht."),
        ("Nicht nur der Hund darf ins Haus.", "Der Hund darf ins Haus."),
        ("Le chien ne peut pas entrer.", "Le chien n'a pas le droit d'entrer."),
        ("There is a plus sign.", "The plus sign is there."),
    ],
)
def test_two_denials_of_one_thing_agree(one: str, other: str) -> None:
    assert not contradict(one, other, terms)
    assert not contradict(other, one, terms)


def test_for_nothing_denies_nothing() -> None:
    assert not negates("From which length on are boats moored for nothing?")
    assert negates("Which boats pay nothing?")
