"""What words of a question stand for, and whether a passage is about another thing than the one that was named."""

import pytest

from pipelines.profile.synonyms import Synonyms
from pipelines.query.lexicon import NO_LEXICON, Lexicon

SUGAR = ("low blood sugar", "hypo")
LEXICON = Lexicon(
    synonyms=[Synonyms(SUGAR, ("hypoglycaemia",))],
    names=[
        Synonyms(("Glucophage",), ("metformin",)),
        Synonyms(("semaglutide", "liraglutide"), ("GLP-1 receptor agonist",)),
        Synonyms(("Ozempic", "Wegovy"), ("semaglutide", "GLP-1 receptor agonist")),
        Synonyms(("insulin glargine",), ("insulin",)),
    ],
)
CLASS = ("GLP-1 receptor agonists", "Safety")
METFORMIN = ("Metformin", "Safety")


def test_a_question_is_explained_by_what_its_words_stand_for() -> None:
    assert LEXICON.explained("Can I take Ozempic?") == "Can I take Ozempic? (semaglutide, GLP-1 receptor agonist)"
    assert LEXICON.explained("What helps against a HYPO?") == "What helps against a HYPO? (hypoglycaemia)"
    assert LEXICON.explained("What is metformin?") == "What is metformin?"
    assert NO_LEXICON.explained("Can I take Ozempic?") == "Can I take Ozempic?"


def test_a_text_about_the_meaning_of_a_name_mentions_it() -> None:
    assert LEXICON.with_names_of("Is Ozempic safe?", "Semaglutide is.") == "Semaglutide is. Ozempic"
    assert LEXICON.with_names_of("Is Ozempic safe?", "Metformin is.") == "Metformin is."


@pytest.mark.parametrize(
    ("question", "shown", "place"),
    [
        ("Can I take Ozempic?", "It is stopped below 30.", METFORMIN),
        ("Can I take Ozempic?", "Metformin is stopped below 30.", ("Kidneys",)),
        ("Can I take Ozempic?", "Liraglutide reduced deaths.", CLASS),
        ("What does semaglutide do?", "Liraglutide, a GLP-1 receptor agonist, reduced deaths.", CLASS),
        ("Is metformin safe?", "Nausea is usual.", CLASS),
    ],
)
def test_a_passage_about_another_thing_is_recognised(question: str, shown: str, place: tuple[str, ...]) -> None:
    assert LEXICON.is_about_another(question, shown, place)


@pytest.mark.parametrize(
    ("question", "shown", "place"),
    [
        ("Can I take Ozempic?", "Nausea is usual.", CLASS),
        ("Can I take Ozempic?", "Low glucose is rare unless insulin is taken.", CLASS),
        ("Can I take Ozempic?", "Semaglutide and liraglutide cause nausea.", ("Nausea",)),
        ("Are GLP-1 receptor agonists safe?", "Liraglutide reduced deaths.", ("Hearts",)),
        ("Is Glucophage safe?", "It is often combined with insulin.", METFORMIN),
        ("Is insulin stored cold?", "Insulin glargine is.", ("Storage",)),
        ("Can I take Ozempic?", "Ask a doctor.", ("Advice",)),
        ("Can I fly?", "Metformin is stopped below 30.", METFORMIN),
    ],
)
def test_a_passage_on_the_named_thing_its_kinds_or_nothing_named_stays(
    question: str, shown: str, place: tuple[str, ...]
) -> None:
    assert not LEXICON.is_about_another(question, shown, place)


def test_whether_anything_speaks_of_what_is_named() -> None:
    assert LEXICON.is_mentioned("Is Ozempic safe?", ["Metformin is.", "Semaglutide is."])
    assert not LEXICON.is_mentioned("Is Ozempic safe?", ["Metformin is.", "Thirst is a sign."])
    assert LEXICON.is_mentioned("Is water safe?", ["Metformin is."])


@pytest.mark.parametrize(
    ("one", "many"),
    [("Husky", "huskies"), ("Yorkie", "yorkies"), ("Fox", "foxes"), ("Finch", "FINCHES"), ("Rex", "Rex")],
)
def test_a_name_is_known_in_the_singular_and_the_plural(one: str, many: str) -> None:
    for listed, said in ((one, many), (many, one)):
        lexicon = Lexicon(names=[Synonyms((listed,), ()), Synonyms(("Pug",), ())])
        assert lexicon.names_in(f"Do {said} bark?") == [listed]


def test_short_names_are_added_to_a_lexicon_of_their_own() -> None:
    wider = NO_LEXICON.also({"HMA": "Harbour Mooring Act"})
    assert wider.explained("What does the HMA give?") == "What does the HMA give? (Harbour Mooring Act)"
    assert wider.with_names_of("What does the HMA give?", "the Harbour Mooring Act").endswith(" HMA")
    assert NO_LEXICON.explained("What does the HMA give?") == "What does the HMA give?"
    assert NO_LEXICON.also({}) is NO_LEXICON
