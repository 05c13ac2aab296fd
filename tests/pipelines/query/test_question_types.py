import pytest

from pipelines.query.question_types import names_new, question_kind


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How much exercise does a beagle need?", "number"),
        ("What percentage of puppies is deaf?", "number"),
        ("When was the breed recognised?", "time"),
        ("In which year did the club close?", "time"),
        ("Who bred the first one?", "name"),
        ("Where do Manx cats come from?", "name"),
        ("How do I brush a cat?", None),
        ("Why do cats purr?", None),
        ("Wie alt wird ein Hund?", None),
    ],
)
def test_a_question_tells_what_kind_of_thing_it_asks_for(question: str, kind: str | None) -> None:
    assert question_kind(question) == kind


def test_what_the_question_names_itself_is_no_answer_to_it() -> None:
    assert names_new("number", "A beagle needs 60 minutes.", "How long a walk does a beagle need?")
    assert not names_new("number", "The 2 dogs ran.", "How far did the 2 dogs run?")
    assert names_new("time", "It was recognised in 1885.", "When was it recognised?")
    assert not names_new("time", "The club recognised it.", "When was it recognised?")
    assert names_new("name", "They were bred by Louis Dobermann.", "Who bred the Dobermann?")
    assert not names_new("name", "the Dobermann is a guard dog.", "Who bred the Dobermann?")
