"""Numbers of a question that a text holds within a range or a bound."""

from time import process_time

import pytest

from pipelines.query.extracts.language.held import with_held


@pytest.mark.parametrize(
    ("question", "text", "held"),
    [
        ("What is lost if we cancel 30 days before?", "29 to 56 days before arrival: half the rent.", "30 days"),
        ("What is lost if we cancel 30 days before?", "Between 29 and 56 days: half.", "30 days"),
        ("What is lost if we cancel 3 weeks before?", "less than 28 days before", "3 weeks"),
        ("Can my 12-year-old steer?", "Nobody under 14 may steer.", "12-year-old"),
        ("Can my 12 year old steer?", "Under 14s never steer.", "12 year old"),
        ("Can my 12 year old steer?", "The under-14s never steer.", "12 year old"),
        ("Can my 12 year old steer?", "Steering is for those aged 9–12.", "12 year old"),
        ("Can my 12 year old steer?", "Steering is for those of 10 or over.", "12 year old"),
        ("What does a sailor aged 70 pay?", "Seniors (65+): £4", "aged 70"),
        ("Is a £400 job delivered free?", "Jobs over £300 are delivered.", "£400"),
        ("May 25 guests come?", "for up to 30 guests", "25 guests"),
        ("Which fee is due in 2027?", "Fees 2026–27", "2027"),
        ("Which fee is due in 2026-27?", "Fees 2026/27", "2026-27"),
        ("Which oil for an engine built in 2019?", "Oil B: engines built from 2017", "2019"),
        ("Which oil for an engine built in 2009?", "Oil A; engines built before 2017", "2009"),
    ],
)
def test_a_range_or_a_bound_holds_the_number(question: str, text: str, held: str) -> None:
    assert with_held(question, text) == f"{text} {held}"


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What is lost if we cancel 30 days before?", "29 to 56 kg"),
        ("What does a crate of 30 kg cost?", "29 to 56 days before arrival"),
        ("What is lost if we cancel 60 days before?", "29 to 56 days before arrival"),
        ("What is lost if we cancel 30 days before?", "29 and 56 days"),
        ("Can my 12 year old steer?", "under 14 days"),
        ("Can my 12 year old steer?", "Steering costs under £14."),
        ("Can my 12 year old steer?", "Open 9–17 all year"),
        ("Can my 12 year old steer?", "aged 13 or over"),
        ("Which fee is due in 2028/29?", "Fees 2026/27"),
        ("Which fee is due in 2027?", "Fees from 2026 to 2026"),
        ("Who led the harbour in 2012?", "From 2010 Ida led the harbour."),
        ("Which berth is number 30?", "berths 29 to 56"),
        ("Does version 3.8 do it?", "from 3.1 to 3.12 minutes"),
    ],
)
def test_other_ranges_hold_nothing(question: str, text: str) -> None:
    assert with_held(question, text) == text


def test_ranges_are_found_in_linear_time() -> None:
    started = process_time()
    question = "Can my 12 year old pay 30 days before 2027?"
    for text in ("1 to ", "2 days - ", "under 9 ", "2026-", "from ", "between ", "9"):
        with_held(question, text * 20_000)
    assert process_time() - started < 8
