"""Whose a thing is that a question asks about."""

from time import process_time

import pytest

from pipelines.query.extracts.language.holders import is_of_another
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import choose, favouring


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("When was Ida Fjeld's son born?", "Ida Fjeld: Ida was born in 1890, the fourth of seven children."),
        ("When was Ida Fjeld's eldest daughter born?", "Ida Fjeld: Ida was born in 1890."),
        ("Where did the brother of Ida live?", "Ida lived in Ostvik."),
        ("Who is the harbour master's deputy?", "The harbour master is Olav Lie."),
        ("Who is the vice president of the club?", "Ida Fjeld (president), Olav Lie (treasurer)"),
        ("Who was the former harbour manager or the acting director?", "Olav Lie is the director."),
        ("What is the drowning rate in Ostvik?", "port: Ostvik; accident_rate_pct: 2.1"),
        ("Who is the chief salvage officer?", "Olav Lie, Chief Executive, signs for the harbour."),
        ("What are the dues for companies?", "The dues are 40 crowns. Students pay half."),
        ("What does a berth cost for children?", "A berth costs adults 40 crowns."),
        ("How tall is the Grey Stack?", "Ebb Light: With 38 m it was the tallest until Grey Stack passed it."),
        ("How tall is the Grey Stack?", "Ebb Light: At 38 m it is lower than the Grey Stack."),
    ],
)
def test_what_is_said_of_another_does_not_answer(question: str, told: str) -> None:
    assert is_of_another(question, told)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("When was Ida Fjeld's son born?", "Ida Fjeld: In 1921 her son Per was born."),
        ("Who was Ida Fjeld's husband?", "Ida Fjeld: 1919: Marries the painter Jon Lie."),
        ("Who was Olav Lie's predecessor?", "Olav Lie took over from Ida Fjeld."),
        ("Who was the mother of Ida?", "Ida was born to Berit Fjeld."),
        ("What is the unemployment rate in Ostvik?", "port: Ostvik; unemployment_rate_pct: 2.1"),
        ("Who is the vice president of the club?", "Deputy president: Olav Lie"),
        ("Who is the deputy head?", "The vice-head is Ida Fjeld."),
        ("Who is the vice president of the club?", "Olav Lie, VP"),
        ("Who is the former mayor?", "Ida Fjeld was mayor for nine years."),
        ("What is the daily rate of a diver?", "A diver is paid 620 crowns a day."),
        ("What are the dues for students?", "The dues are 40 crowns. A student pays half."),
        ("What does a berth cost for the two of us?", "A berth costs 40 crowns."),
        ("How tall is the Grey Stack?", "Lights: Ebb Light is 38 m tall, Grey Stack 41 m, more than Grey Stack had."),
        ("How tall is the Grey Stack?", "Grey Stack: It is 41 m tall, more than the old Grey Stack."),
        ("Is Ebb Light taller than Grey Stack?", "Ebb Light: It is lower than Grey Stack."),
        ("Which season is best?", "Ida recommends May."),
    ],
)
def test_what_is_said_of_the_same_may_answer(question: str, told: str) -> None:
    assert not is_of_another(question, told)


@pytest.mark.parametrize("part", ["A-", "a-", "for all ", "A ", "'s son of ", "for a a ", "than A"])
def test_long_questions_are_read_in_linear_time(part: str) -> None:
    began = process_time()
    is_of_another(part * 20_000, "Ebb Light is lower than A A.")
    assert process_time() - began < 3


def test_whom_a_role_is_given_to_goes_before_others() -> None:
    def crew(draft: Draft) -> None:
        draft.add("The crew of the ferry has met at the pier each year since the war.")
        draft.add_heading(2, "Posts")
        draft.add("Treasurer: Ida Fjeld, until the next war.")

    found = choose("Who is the treasurer of the ferry?", crew, favouring("war", "met"), most=1)
    assert found.extracts[0].shown.startswith("Treasurer")
