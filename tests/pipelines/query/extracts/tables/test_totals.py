"""What is to be paid: the total of a table."""

from __future__ import annotations

import pytest

from pipelines.query.extracts.chooser import Chooser
from pipelines.query.extracts.tables.totals import is_unasked_total
from pipelines.reading import read
from pipelines.reading.draft import Draft
from pipelines.types import StoredText
from tests.pipelines.query.extracts.choices import TERMS, favouring
from tests.pipelines.query.extracts.drafts import hit, passages, stored

_ROWS = (
    "<tr><th>Work</th><th>Hours</th><th>Rate</th><th>Net</th></tr>"
    "<tr><td>Caulking</td><td>3</td><td>£40.00</td><td>£120.00</td></tr>"
    "<tr><td>Paint</td><td>1</td><td>£32.00</td><td>£32.00</td></tr>"
    "<tr><td colspan=3>Net total</td><td>£152.00</td></tr><tr><td colspan=3>VAT 20%</td><td>£30.40</td></tr>"
)


def first(question: str, last: str) -> str:
    page = (
        f"<h1>Invoice from Ebb Boatyard</h1><table>{_ROWS}<tr><td colspan=3>{last}</td><td>£182.40</td></tr></table>"
        "<table><tr><td>Due date</td><td>4 May 2031</td></tr><tr><td>Number</td><td>77</td></tr></table>"
        "<p>Pay Ebb Boatyard by 4 May, for late payment we charge £40.</p>"
    )
    document = read(page, name="invoice.html")
    text = StoredText(document.text, document.pages, document.headings, document.blocks)
    found = Chooser(favouring("Caulking"), TERMS).choose(question, [hit(text)], [text], 1)
    return found.extracts[0].shown


@pytest.mark.parametrize(
    "last", ["To pay", "Total", "Balance due", "Amount due by 4 May", "Total (incl. VAT)", "TOTAL DUE"]
)
@pytest.mark.parametrize(
    "question", ["How much do I owe Ebb Boatyard?", "How much must I pay?", "What is the total of the invoice?"]
)
def test_the_total_answers_what_is_owed(question: str, last: str) -> None:
    assert first(question, last) == f"{last}: £182.40"


@pytest.mark.parametrize("question", ["How much do I owe the Ostvik ferry?", "How much do I pay if paint is late?"])
def test_another_total_does_not(question: str) -> None:
    assert not first(question, "To pay").startswith("To pay")


@pytest.mark.parametrize(
    ("question", "is_unasked"),
    [
        ("Which quays are full?", True),
        ("Where are eighteen berths taken?", True),
        ("Which is the total of the berths?", False),
        ("How many berths are there?", False),
    ],
)
def test_a_total_is_not_one_of_the_things_that_are_asked_for(question: str, is_unasked: bool) -> None:
    def quays(draft: Draft) -> None:
        draft.add_table(
            [["Quay", "Berths", "Taken"], ["North", "12", "12"], ["South", "8", "6"], ["Total", "20", "18"]]
        )

    _, *rows = passages(stored(quays))
    assert [is_unasked_total(question, row) for row in rows] == [False, False, is_unasked]


_INSTALMENTS = "<tr><td>Deposit</td><td>£75</td></tr><tr><td>Balance</td><td>£194</td></tr>"


@pytest.mark.parametrize(
    ("question", "total", "shown"),
    [
        ("How much do I pay in all for the cruise?", "", "- What: Deposit; Amount: £75\n- What: Balance; Amount: £194"),
        ("How much do I pay in all for the cruise?", "<tr><td>Total</td><td>£269</td></tr>", "Total: £269"),
        ("How much do I pay in all for the cruise?", "<tr><td>Sum</td><td>£269</td></tr>", "Sum: £269"),
    ],
)
def test_all_sums_answer_what_is_paid_in_all_where_none_is_the_total(question: str, total: str, shown: str) -> None:
    rows = f"<tr><th>What</th><th>Amount</th></tr>{_INSTALMENTS}{total}"
    document = read(f"<h1>The cruise</h1><table>{rows}</table>", name="cruise.html")
    text = StoredText(document.text, document.pages, document.headings, document.blocks)
    found = Chooser(favouring("Deposit"), TERMS).choose(question, [hit(text)], [text], 1)
    assert found.extracts[0].shown.startswith(shown)


def test_prices_for_a_time_are_not_all_paid() -> None:
    def berths(draft: Draft) -> None:
        draft.add_heading(1, "Berths")
        draft.add_table([["Boat", "Fee per night"], ["Sloop", "£12"], ["Dinghy", "£4"]])

    text = stored(berths)
    found = Chooser(favouring("Sloop"), TERMS).choose("How much is a berth in all?", [hit(text)], [text], 1)
    assert not found.extracts[0].is_computed
