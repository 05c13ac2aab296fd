import pytest
from qdrant_client.models import SparseVector

from pipelines.components.sparse import LANGUAGES, Bm25Encoder
from pipelines.errors import ProfileError
from pipelines.profile.sections.retrieval import SparseSection


def encoder(average: float = 10.0, **section: object) -> Bm25Encoder:
    return Bm25Encoder(SparseSection.model_validate(section), average)


def weight(bm25: Bm25Encoder, text: str, word: str) -> float:
    vector = bm25.document(text)
    return dict(zip(vector.indices, vector.values, strict=True))[bm25.query(word).indices[0]]


def test_a_terms_weight_is_its_saturated_frequency_normalised_by_length() -> None:
    text = "cat cat dog mouse"
    expected = 2 * 2.2 / (2 + 1.2 * (1 - 0.75 + 0.75 * 4 / 10))
    assert weight(encoder(), text, "cat") == pytest.approx(expected)


def test_k_and_b_come_from_the_profile() -> None:
    text = "cat cat dog mouse"
    assert weight(encoder(k=2.0, b=0.0), text, "cat") == pytest.approx(2 * 3 / (2 + 2))


def test_longer_means_make_the_same_text_weigh_more() -> None:
    assert weight(encoder(40.0), "cat dog", "cat") > weight(encoder(4.0), "cat dog", "cat")


def test_a_question_gives_each_term_once_with_weight_one() -> None:
    vector = encoder().query("running cats, the cat runs")
    assert sorted(vector.values) == [1.0, 1.0]


def test_a_question_finds_the_documents_terms_whatever_their_form() -> None:
    assert set(encoder().query("RUNNING cat").indices) <= set(encoder().document("cats that run").indices)


@pytest.mark.parametrize("text", ["", "the of and", "?!"])
def test_a_text_without_terms_is_an_empty_vector(text: str) -> None:
    assert encoder().query(text) == encoder().document(text) == SparseVector(indices=[], values=[])
    assert encoder().terms(text) == frozenset()


def test_terms_are_those_that_a_question_is_asked_with() -> None:
    assert encoder().terms("cats cat dogs") == frozenset(encoder().query("dog cat").indices)


def test_batches_give_what_single_texts_give() -> None:
    texts = ["cat dog", "", "the mouse runs"]
    for many, one in ((encoder().documents, encoder().document), (encoder().queries, encoder().query)):
        indices, values = many(texts)
        assert [SparseVector(indices=index, values=value) for index, value in zip(indices, values, strict=True)] == [
            one(text) for text in texts
        ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_that_is_offered_can_be_used(language: str) -> None:
    bm25 = encoder(language=language)
    assert bm25.document("Qdrant 2024").indices


def test_languages_differ() -> None:
    german = encoder(language="german")
    assert german.terms("Häuser") == german.terms("Haus") != encoder().terms("Häuser")


def test_an_unknown_language_is_an_error_that_names_the_nearest() -> None:
    section = SparseSection.model_construct(language="germn", k=1.2, b=0.75)
    with pytest.raises(ProfileError, match=r'sparse -> language: "germn" is not one of .* did you mean "german"'):
        Bm25Encoder(section)
