"""Names that only say what a question is about, and values under the name that it asks for."""

from __future__ import annotations

from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import choose, favouring


def test_a_name_is_no_answer_where_others_say_what_is_asked_of_it() -> None:
    def report(draft: Draft) -> None:
        draft.add("Ebb Ferries Cooperative")
        draft.add("The chair is Ada Voss. The treasurer of the cooperative is Dai Rees. Members are elected.")

    found = choose("Who is the treasurer of the ferries cooperative?", report, favouring("Ferries"), most=1)
    assert "Dai Rees" in found.extracts[0].shown


def test_of_two_paragraphs_the_one_with_the_office_that_is_asked_for_answers() -> None:
    def report(draft: Draft) -> None:
        draft.add("The year was the strongest of the harbour. Many guests came in spring. Ada Voss was glad of it.")
        draft.add("Chair: Ada Voss. Treasurer: Dai Rees. Members: Oona Kivela and Peter Strand, who are new.")

    found = choose("Who is the treasurer of the harbour?", report, favouring(), most=1)
    assert "Dai Rees" in found.extracts[0].shown


def test_a_value_under_its_name_is_no_bare_name() -> None:
    def report(draft: Draft) -> None:
        draft.add_heading(1, "Minutes")
        draft.add("The treasurer of the cooperative reported. The treasurer was thanked by the cooperative.")
        draft.add_heading(1, "Board")
        draft.add("Treasurer: Dai Rees")

    found = choose("Who is the treasurer of the cooperative?", report, favouring("Dai"), most=1)
    assert found.extracts[0].shown == "Treasurer: Dai Rees"
