"""Which questions are the same: every word counts, but for its ending, articles, politeness and a phrase that moved."""

from __future__ import annotations

import time

import pytest

from pipelines.components.sparse import Bm25Encoder
from pipelines.profile.sections.retrieval import SparseSection
from pipelines.query.reuse.sameness import bare, normalise_spelling, question_words, same_question

TERMS = Bm25Encoder(SparseSection()).terms


def same(one: str, other: str, language: str = "english") -> bool:
    terms = TERMS if language == "english" else Bm25Encoder(SparseSection(language=language)).terms
    return same_question(question_words(bare(one), terms), question_words(bare(other), terms))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("How much exercise does a beagle need?", "how much exercise do beagles need"),
        ("What is the fee for students?", "Please tell me: what's the fee for students?"),
        ("What is the fee for students?", "So what is the fee for students, thanks"),
        ("Which vaccinations do puppies need?", "Hello! Which vaccinations does a puppy need?"),
        ("In 1901, how many people lived in Warsaw?", "How many people lived in Warsaw in 1901?"),
        ("Why isn't the lid closed?", "Why is not the lid closed?"),
        ("Who runs NASA?", "who runs nasa"),
        ("A dog needs what?", "a dog needs what?"),
        ("WHAT IS A LID?", "WHAT IS THE LID?"),
        ("Well, what is a lid - and why?", "Ok so what is a lid and why"),
        ("Which pump is for -5 degrees?", "hey which pump is for -5 degrees"),
        ("When does team A meet?", "Please tell me: when does team A meet"),
        ("What is plan A?", "what is plan a"),
    ],
)
def test_another_wording_of_the_same_words_is_the_same(one: str, other: str) -> None:
    assert same(one, other)
    assert same(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("What is the fee for students?", "What is the fee for foreign students?"),
        ("What is the fee for students?", "What is the fee for teachers?"),
        ("What did it cost in 1901?", "What did it cost in 1911?"),
        ("How much is 60 mg?", "How much is 60 kg?"),
        ("What percentage of Warsaw is Protestant?", "What percentage of Poland is Protestant?"),
        ("Can cats eat onions?", "Can cats not eat onions?"),
        ("Can cats eat onions?", "Can't cats eat onions?"),
        ("Is it with a lid?", "Is it without a lid?"),
        ("What to do before surgery?", "What to do after surgery?"),
        ("When was the bridge built?", "Where was the bridge built?"),
        ("Is Warsaw in Poland?", "Is Poland in Warsaw?"),
        ("Which trains go from Rome to Milan?", "Which trains go from Milan to Rome?"),
        ("Does the dog bite the man?", "Does the man bite the dog?"),
        ("Who is the president?", "Who was the president?"),
        ("Is C++ fast?", "Is C# fast?"),
        ("What does WHO recommend?", "What does who recommend?"),
        ("What is it?", "What is it for?"),
        ("Is the pump safe at -5 degrees?", "Is the pump safe at 5 degrees?"),
        ("Well water limits of rivers?", "Water limits of rivers?"),
        ("Hello world examples?", "World examples?"),
        ("What is the limit for US?", "What is the limit for us?"),
        ("When does team A meet?", "When does the team meet?"),
        ("When does team A meet?", "When does a team meet?"),
        ("Is hepatitis A curable?", "Is hepatitis curable?"),
        ("What is plan A?", "What is the plan?"),
        ("what is vitamin a", "what is a vitamin"),
        ("What are the reasons?", "What is reasonable?"),
        ("Who is the accountant?", "Who is the account?"),
    ],
)
def test_an_added_missing_changed_or_moved_word_is_another_question(one: str, other: str) -> None:
    assert not same(one, other)
    assert not same(other, one)


def test_in_another_language_its_small_words_count_too() -> None:
    assert same("Wann wurde die Brücke gebaut?", "wann wurde die Brücke gebaut", "german")
    assert not same("Wann wurde die Brücke gebaut?", "Wo wurde die Brücke gebaut?", "german")
    assert not same("Darf ein Hund Trauben essen?", "Darf kein Hund Trauben essen?", "german")


def test_polite_phrases_are_ignored_in_an_exact_match() -> None:
    assert normalise_spelling("  What  is\nit ?") == normalise_spelling("what is it") == "what is it"
    assert normalise_spelling("Cafe\u0301?") == normalise_spelling("Café")
    assert normalise_spelling("WHO recommends it?") != normalise_spelling("who recommends it?")
    assert normalise_spelling("What is IT?") != normalise_spelling("What is it?")
    assert normalise_spelling("???") == "???"
    assert normalise_spelling("Help me!") == normalise_spelling("help me?!") == "help me"
    assert normalise_spelling("What is 5!") == normalise_spelling("what is 5!?") != normalise_spelling("What is 5?")
    assert normalise_spelling("What is (n+1)!?") == "what is (n+1)!"
    assert bare("please") == "please"


@pytest.mark.parametrize("blanks", [" " * 20_000, " ," * 10_000, "please " * 3000, "\n" * 20_000])
def test_a_question_full_of_blanks_takes_no_time(blanks: str) -> None:
    began = time.process_time()
    bare(f"x{blanks}y")
    bare(f"{blanks}y")
    assert time.process_time() - began < 0.5
