import pytest

from pipelines.components.sparse import Bm25Encoder
from pipelines.profile.sections.retrieval import SparseSection
from pipelines.profile.synonyms import Synonyms
from pipelines.query.expansion import Expander
from pipelines.query.lexicon import Lexicon

BM25 = Bm25Encoder(SparseSection())


def expanded(question: str, *synonyms: Synonyms, weight: float = 0.5) -> dict[int, float]:
    vector = Expander(synonyms, BM25, weight)(BM25.query(question))
    return dict(zip(vector.indices, vector.values, strict=True))


def term(word: str) -> int:
    [found] = BM25.terms(word)
    return found


SUGAR = Synonyms(("hypoglycaemia", "low blood sugar"), ("hypoglycaemia", "low blood sugar"))


def test_words_of_the_question_count_most() -> None:
    found = expanded("What is hypoglycaemia?", SUGAR)
    assert found[term("hypoglycaemia")] == 1.0
    assert found[term("sugar")] == pytest.approx(0.5 / 3)


def test_only_a_whole_phrase_expands_to_a_word() -> None:
    assert expanded("low sugars in the blood", SUGAR)[term("hypoglycaemia")] == 0.5
    assert term("hypoglycaemia") not in expanded("blood sugar", SUGAR)


def test_one_way_is_one_way() -> None:
    drug = Synonyms(("semaglutide",), ("incretin",))
    assert term("incretin") in expanded("semaglutide", drug)
    assert term("semaglutide") not in expanded("incretin", drug)


def test_terms_of_the_question_are_not_added_again() -> None:
    assert len(expanded("hypoglycaemia or low blood sugar", SUGAR)) == 4


def test_nothing_is_added_to_other_questions() -> None:
    asked = BM25.query("the legacy effect")
    assert Expander([SUGAR], BM25, 0.5)(asked) is asked


def test_phrases_of_stop_words_mean_nothing() -> None:
    assert len(expanded("of the", Synonyms(("of the", "cat"), ("of the", "cat")))) == 0


def test_a_related_term_counts_half_and_is_not_a_synonym() -> None:
    related = Synonyms(("foot",), ("neuropathy",), related=True)
    assert expanded("foot care", related)[term("neuropathy")] == pytest.approx(0.25)
    assert Lexicon([related]).explained("foot care") == "foot care"
    assert term("foot") not in expanded("neuropathy", related)
