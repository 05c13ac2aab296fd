import pytest

from pipelines.query.verdicts.numbers import missing, quantities, stated_quantities


@pytest.mark.parametrize(
    ("claimed", "stated"),
    [
        ("1 500 people", "1500 people"),
        ("1500 people", "1 500 people"),
        ("1\u202f500 people", "1500 people"),
        ("1'500 francs", "1500 francs"),
        ("1.500 Euro", "1500 Euro"),
        ("1500 Euro", "1.500 Euro"),
        ("1.500.000 Euro", "1500000 Euro"),
        ("1.500 inches", "1.5 inches"),
        ("1.234,56", "1,234.56"),
        ("1.5 kg", "1,5 kg"),
        ("0.5 of the fee", ".5 of the fee"),
        ("Set it to 0.", "Set it to zero."),
        ("12 months", "It runs for one year."),
        ("24 hours", "It lasts one full day."),
        ("7 days", "within a week"),
        ("at 17:00", "at 5 pm"),
        ("at 5 p.m.", "at 5:00"),
        ("300 seats", "In room 12 300 seats are free."),
        ("from 9 to 11 am", "from 9 am to 11 am"),
        ("-20 degrees", "\u221220 degrees"),
        ("-20 degrees", "20 degrees below zero"),
        ("5-10 kg", "5 to 10 kg"),
        ("-5 to 10", "from minus 5 to 10"),
        ("5 \u00b5g", "5 mcg"),
        ("5 \u03bcg", "0.005 mg"),
        ("10k rows", "10,000 rows"),
        ("$5M", "$5 million"),
        ("\u00a3500", "500 pounds"),
        ("version 2.0", "version 2"),
        ("version 1.2", "version 1.2.3"),
        ("a ratio of 0.50", "a ratio of 0.5"),
        ("2024-03-01", "01.03.2024"),
        ("in 2024", "on 2024-03-01"),
        ("2024-05-05", "on 5 May 2024"),
    ],
)
def test_a_number_in_another_notation_agrees(claimed: str, stated: str) -> None:
    assert missing(quantities(claimed), stated_quantities(stated)) == ()


@pytest.mark.parametrize(
    ("claimed", "stated"),
    [
        ("\u00a3500", "$500"),
        ("\u00a5500", "\u20ac500"),
        ("-20 degrees", "20 degrees"),
        ("20 degrees", "-20 degrees"),
        ("2024-03-01", "2024-01-03"),
        ("03/04/2024", "04/03/2024"),
        ("version 1.2.3", "version 1.2.4"),
        ("version 1.2.3", "version 1.2"),
        ("The version is 3.1", "The version is 3.10"),
        ("Python 3.1", "Python 3.10"),
        ("5 \u00b5g", "5 mg"),
        ("10k rows", "10M rows"),
        ("10k rows", "10 rows"),
        ("9 pm", "9 am"),
        ("17:30", "17:00"),
        ("5 pm", "5:30 pm"),
        ("1.500 Tage", "1,5 Tage"),
        ("1.5 metres", "1,500 metres"),
        ("1 500 people", "1501 people"),
        ("24 hours", "60 minutes a day"),
    ],
)
def test_another_sign_currency_date_version_or_time_is_another_number(claimed: str, stated: str) -> None:
    assert missing(quantities(claimed), stated_quantities(stated))


def test_what_a_text_implies_need_not_be_repeated() -> None:
    assert missing(quantities("zero tolerance for one year"), stated_quantities("no tolerance")) == ()
