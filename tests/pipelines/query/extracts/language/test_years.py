"""Editions of one text by year."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import process_time

import numpy as np
import pytest

from pipelines.query.extracts.chooser import Chooser
from pipelines.query.extracts.language.years import has_columns_of_other_years, of_other_years, year_of
from pipelines.query.extracts.mismatch import of_one_subject
from pipelines.query.extracts.reader import Reader
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.drafts import extract, hit, stored
from tests.pipelines.query.hits import terms


@pytest.mark.parametrize(
    ("question", "year"),
    [
        ("What is the berth fee in 2024?", "2024"),
        ("What does the 2024 harbour order say?", "2024"),
        ("What is the berth fee?", ""),
        ("How did the fee change from 2021 to 2024?", ""),
        ("What has changed since 2021?", ""),
        ("What was built before the 2021 storm?", ""),
        ("Who can lift 12024 kg?", ""),
    ],
)
def test_a_question_is_about_the_one_year_that_it_names(question: str, year: str) -> None:
    assert year_of(question) == year


@pytest.mark.parametrize(
    ("years", "named"), [((2024, 2021), "2024"), ((2021, 2024), "2021"), ((2021, 2024), "2024"), ((2024, 2021), "2021")]
)
def test_the_edition_of_the_year_answers(years: tuple[int, int], named: str) -> None:
    def order(days: str) -> Callable[[Draft], None]:
        def fill(draft: Draft) -> None:
            draft.add_heading(1, "Fines")
            draft.add(f"An appeal against a fine is made within {days} days.")

        return fill

    days = {2021: "28", 2024: "35"}
    texts = [stored(order(days[year])) for year in years]
    hits = [
        replace(hit(text, document_id=f"{year}.txt", score=0.9 - 0.1 * at), title=f"Harbour Order {year}")
        for at, (year, text) in enumerate(zip(years, texts, strict=True))
    ]
    question = f"How many days do I have to appeal a fine under the {named} order?"
    other = days[sum(years) - int(named)]
    preferring_other = Reader(lambda question, texts: np.array([2.0 * (other in text) for text in texts]))
    found = Chooser(preferring_other, terms).choose(question, hits, texts, 2)
    assert [days[int(named)] in one.shown for one in found.extracts] == [True]


def test_only_editions_of_one_text_are_told_apart() -> None:
    asked = "What was the profit in 2022?"
    report, rules = extract("Profit: 2022: 4.", "Report 2023"), extract("Boats moor here.", "Rules 2022")
    assert of_other_years(asked, [(one.hit, one.headings) for one in (report, rules)]) == [False, False]
    assert of_one_subject(asked, [report]) == (report,)


def test_sections_of_years_are_editions_too() -> None:
    asked = "What was the berth fee in 2022?"
    old, new = (extract("The berth fee was 4.", "Fees", (f"Fees of {year}",)) for year in (2022, 2023))
    assert of_one_subject(asked, [new, old]) == (old,)
    assert of_one_subject(asked, [new]) == (new,)


def test_the_year_of_a_section_tells_more_than_that_of_its_file() -> None:
    asked = "What was the berth fee in 2023?"
    old, new = (extract("The berth fee was 4.", "Fees 2023", (f"Half of {year}",)) for year in (2022, 2023))
    assert of_one_subject(asked, [old, new]) == (new,)


@pytest.mark.parametrize(
    ("question", "shown", "has"),
    [
        ("What did Ida give in 2033?", "Donor: Ida; 2030: 40; 2031: 50", True),
        ("What was spent in 2033?", "Item: Sails; 2030 actual: 40; Budget 2031: 50", True),
        ("What did Ida give in 2031?", "Donor: Ida; 2030: 40; 2031: 50", False),
        ("What did Ida give before 2033?", "Donor: Ida; 2030: 40; 2031: 50", False),
        ("What did Ida give in 2033?", "Donor: Ida; Since: 2031; Gift: 50", False),
        ("What did Ida give in 2033?", "In 2030: 40, in 2031: 50", False),
        ("What is meant for sails in 2033?", "Item: Sails; 2031 actual: 40; 2032 actual: 50; Next: 60", False),
        ("Who was aboard in 2033?", "- Hired 2030: Ida\n- Hired 2031: Ole", False),
    ],
)
def test_columns_of_other_years_have_nothing_of_the_asked_one(question: str, shown: str, has: bool) -> None:
    assert has_columns_of_other_years(question, shown) is has


def test_columns_of_years_are_found_in_linear_time() -> None:
    started = process_time()
    has_columns_of_other_years("What did Ida give in 2033?", "; a" * 20_000 + " " * 50_000 + "2030 " * 20_000)
    assert process_time() - started < 5
