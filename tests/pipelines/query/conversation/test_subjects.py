import pytest

from pipelines.query.conversation.subjects import identified, named


def best(question: str) -> str:
    """The words that count most."""
    return " ".join(max(named(question), key=lambda one: one.counts).phrase)


@pytest.mark.parametrize(
    ("question", "subject"),
    [
        ("How much exercise does a beagle need?", "beagle"),
        ("What is the payload of the arm?", "arm"),
        ("What are the rules for visitors?", "visitors"),
        ("What is the policy on remote work?", "remote"),
        ("How do I claim travel expenses?", "travel expenses"),
        ("How do I enable the cache?", "cache"),
        ("Are grapes dangerous for dogs?", "grapes"),
        ("Are large dogs calm?", "dogs"),
        ("What are the symptoms of large tumours?", "tumours"),
        ("What is hip dysplasia?", "hip dysplasia"),
        ("How long does the battery of the rover last?", "battery"),
        ("And a pug?", "pug"),
        ("How often should I brush a Maine Coon?", "Maine Coon"),
        ("Does Maine have many cats?", "Maine"),
        ("Haustiere verlieren Haare", "Haustiere"),
    ],
)
def test_the_position_of_a_word_decides_the_subject(question: str, subject: str) -> None:
    assert best(question) == subject


def test_a_question_without_words_of_its_own_names_nothing() -> None:
    assert named("How is it?") == named("") == []


@pytest.mark.parametrize(
    ("question", "answer", "name"),
    [
        ("What is the first choice for diabetes?", "Metformin is the first choice.", "Metformin"),
        ("Which breeds are small?", "Pugs are small.", "Pugs"),
        ("What is a pug?", "A pug is a dog.", None),
        ("What is a pug?", "Pugs are dogs.", "Pugs"),
        ("How old is it?", "Pugs are old.", None),
        ("What is the dose?", "Halve it.", None),
        ("What is the dose?", "", None),
    ],
)
def test_an_answer_names_what_was_asked_for(question: str, answer: str, name: str | None) -> None:
    assert identified(question, answer) == name
