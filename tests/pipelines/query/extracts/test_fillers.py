import pytest

from pipelines.query.extracts.fillers import is_filler

PLACE = ("Crew Handbook", "Training and Qualifications")


@pytest.mark.parametrize(
    "shown",
    [
        "Training and qualifications.",
        "STANDARDS FOR CREW OPERATIONS",
        "UNITING CREWS BY PROVIDING APPROPRIATE TOOLS REQUIRED TO FIGHT FIRES ACT OF 2001",
        "Dear Mr Smith and colleagues,",
        "What training must the crew have completed? And by when?",
        "I have reviewed the ______________ program and certify it.",
        "Training and qualifications of crews . . . . . . . . . . . 12",
    ],
)
def test_headings_salutations_questions_and_blanks_answer_nothing(shown: str) -> None:
    assert is_filler(shown, PLACE)


@pytest.mark.parametrize(
    "shown",
    [
        "The crew must have completed basic fire training.",
        "Why so much? Crews work far from any road.",
        "Basic fire training, map reading, first aid",
        "DO NOT OPEN THE LID WHILE THE LAMP IS LIT, FOR THE GLASS IS HOT AND WILL BREAK.",
        "It takes snake_case names and ...",
    ],
)
def test_informative_sentences_are_kept(shown: str) -> None:
    assert not is_filler(shown, PLACE)
