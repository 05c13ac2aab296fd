"""HTML: questions and answers in the rows of a table."""

from __future__ import annotations

from tests.pipelines.reading.html.html_pages import html_page


def _rows(number: str, asked: str, *said: str) -> str:
    answer = "".join(f"<p>{one}</p>" for one in said)
    return (
        f'<tr class="question"><td><a name="x"></a><p><b>{number}</b></p></td><td><p>{asked}</p></td></tr>'
        f'<tr class="answer"><td></td><td>{answer}</td></tr>'
    )


def test_each_question_is_a_heading_above_its_answer() -> None:
    rows = _rows("2.1.", "May I swim?", "Not at ebb.", "At flood you may.") + _rows("2.2.", "Who pays?", "The club.")
    page = html_page(f'<h2>Questions</h2><table border="0"><colgroup><col></colgroup><tbody>{rows}</tbody></table>')
    assert page.text == (
        "Questions\n\n2.1. May I swim?\n\nNot at ebb.\n\nAt flood you may.\n\n2.2. Who pays?\n\nThe club."
    )
    assert [(heading.title, heading.level) for heading in page.headings] == [
        ("Questions", 2),
        ("2.1. May I swim?", 3),
        ("2.2. Who pays?", 3),
    ]


def test_the_letters_before_questions_and_answers_go() -> None:
    rows = _rows("Q:", "May I swim?", "Not at ebb.") + _rows("Q:", "Who pays?", "The club.")
    assert html_page(f"<table>{rows}</table>").text == "May I swim?\n\nNot at ebb.\n\nWho pays?\n\nThe club."


def test_long_questions_titles_and_tables_of_answers_are_kept() -> None:
    price = "<table><tr><th>Boat</th><th>Fee</th></tr><tr><td>Ebb</td><td>4</td></tr></table>"
    long = "May I swim " + "and dive " * 60 + "there?"
    title = '<tr class="qandadiv"><td colspan="2"><h3>Fees</h3></td></tr>'
    text = html_page(f"<table>{title}{_rows('1.', long, 'No.')}{_rows('2.', 'What are fees?', price)}</table>").text
    assert text.startswith(f"Fees\n\n{long}\n\nNo.\n\n2. What are fees?\n\n")
    assert "Ebb" in text


def test_many_rows_are_read_quickly() -> None:
    assert html_page(f"<table>{_rows('1.', 'May I swim?', 'No.') * 800}</table>").text.count("No.") == 800
