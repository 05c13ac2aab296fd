import pytest

from pipelines.query.extracts.figures import figures_of, versions_of

QUESTION = "Which harbours does chart 2.2 show?"


@pytest.mark.parametrize("text", ["Chart 2.2 shows three.", "v2.2", "2.2.1 shows it", "in 2.2, which is new", "(2.2)"])
def test_a_figure_is_found_where_it_stands_alone(text: str) -> None:
    assert figures_of(QUESTION).are_in(text)


@pytest.mark.parametrize("text", ["Chart 2.1 shows two.", "12.2", "1.2.2", "2.25", "2", ""])
def test_a_figure_is_not_found_in_another(text: str) -> None:
    assert not figures_of(QUESTION).are_in(text)


def test_every_figure_of_a_question_counts() -> None:
    figures = figures_of("How do IPv6 and port 8080 fit?")
    assert figures.are_in("ipv6 on port 8080")
    assert not figures.are_in("ipv6 on port 80")


@pytest.mark.parametrize("question", ["Which harbours are there?", "Which harbours of type 1 are there?"])
def test_a_question_without_figures_lacks_none(question: str) -> None:
    assert figures_of(question).are_in("Harbours of type I are in the north.")


def test_versions_are_figures_with_a_dot() -> None:
    versions = versions_of("Which 12 harbours did chart v2.2 of 1912 show?")
    assert versions.are_in("V2.2")
    assert not versions.are_in("2.3, 12 harbours, 1912")
