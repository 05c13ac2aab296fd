import pytest

from pipelines.query.refusals import beside_refusal, is_refusal


@pytest.mark.parametrize(
    ("sentence", "cited", "beside"),
    [
        ("The sources do not say how much exercise they need.", True, ""),
        ("The sources do not mention cats, dogs or birds.", True, ""),
        ("The sources do not mention this, so I cannot answer.", False, ""),
        ("I'm sorry, but the documents don't contain that.", False, ""),
        ("The sources do not say so.", False, ""),
        ("I don't know exactly, but they need 90 minutes.", False, "they need 90 minutes."),
        ("The documents do not give a number; they need 90 minutes.", False, "they need 90 minutes."),
        ("The documents do not give a number, they need 90 minutes a day.", True, "they need 90 minutes a day."),
        ("The documents do not give a number, as far as I can see now.", False, ""),
    ],
)
def test_what_a_refusal_says_besides_is_told(sentence: str, cited: bool, beside: str) -> None:
    assert is_refusal(sentence)
    assert beside_refusal(sentence, cited=cited) == beside
