from time import process_time

import pytest

from pipelines.query.extracts.language.figures import figures_of, pins_of

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
    versions = pins_of("Which 12 harbours did chart v2.2 of 1912 show?")
    assert versions.are_in("V2.2")
    assert not versions.are_in("2.3, 12 harbours, 1912")


SEATTLE = "date: 2012/04/01; weather: rain"


@pytest.mark.parametrize("day", ["2012/04/01", "2012-4-1", "4/1/2012", "1.4.2012", "April 1, 2012", "1st of Apr 2012"])
def test_a_day_is_found_however_it_is_written(day: str) -> None:
    question = f"What was the weather on {day}?"
    assert figures_of(question).are_in(SEATTLE)
    assert pins_of(question).are_in("On Sunday, April 1st, it rained, as it did all through 2012.")


@pytest.mark.parametrize("day", ["2012/04/10", "2012-01-14", "4/2/2012", "April 11, 2012", "1 May 2012", "2011/04/01"])
def test_a_day_is_not_found_in_another_of_the_same_figures(day: str) -> None:
    question = f"What was the weather on {day}?"
    assert not figures_of(question).are_in(SEATTLE)
    assert not pins_of(question).are_in(SEATTLE)


def test_what_is_no_day_is_a_figure() -> None:
    assert figures_of("What does 2012/13/45 mean?").are_in("2012, 13 and 45")


CAN = "What does a 25 l can of varnish cost?"


@pytest.mark.parametrize(
    "text", ["A 25 l can: 90", "25-litre cans", "cans of 10, 25 or 40 l", "Litres: 25", "10/25 l: 9"]
)
def test_an_amount_is_found_with_its_unit(text: str) -> None:
    assert figures_of(CAN).are_in(text)


@pytest.mark.parametrize(
    "text", ["Price: 25.9", "Price, 1 l: 25; Price, 10 l: 90", "2.25 l", "25 kg, 10 l", "1 l: 25.9"]
)
def test_an_amount_is_not_found_in_a_number_of_something_else(text: str) -> None:
    assert not figures_of(CAN).are_in(text)


def test_amounts_are_found_in_linear_time() -> None:
    started = process_time()
    for text in ("25 or " * 20_000, "25" * 20_000, "25-" * 20_000, "25 " + " " * 20_000):
        figures_of(CAN).are_in(text)
    figures_of("25 " * 1_300 + "l")
    assert process_time() - started < 5
