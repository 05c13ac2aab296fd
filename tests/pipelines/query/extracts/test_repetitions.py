from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import choose, favouring


def test_an_extract_that_repeats_the_one_before_it_is_left_out() -> None:
    def twice(draft: Draft) -> None:
        draft.add("Boats leave the harbour at nine every day of the week but Sunday.")
        draft.add_heading(1, "Again")
        draft.add("Boats always leave the harbour at nine every day of the week but Sunday.")

    assert len(choose("When do boats leave?", twice, favouring("nine")).extracts) == 1


def test_an_extract_with_a_sentence_of_the_one_before_it_is_left_out() -> None:
    def twice(draft: Draft) -> None:
        draft.add("Gulls sleep. Boats leave the harbour at nine every day but Sunday.")
        draft.add_heading(1, "Again")
        draft.add(
            "Boats leave the harbour at nine every day but Sunday. Late guests wait for the boat of the afternoon."
        )

    assert len(choose("When do boats leave?", twice, favouring("nine")).extracts) == 1


def test_two_items_of_one_list_are_no_repetition_though_both_are_shown_behind_its_lead_in() -> None:
    def tickets(draft: Draft) -> None:
        draft.add("The price of a ticket depends on these two things alone:")
        draft.add("- the age of the guest", "item", level=1)
        draft.add("- the length of the trip", "item", level=1)

    (extract,) = choose("Do age and length count?", tickets, favouring("age", "length")).extracts
    assert "age" in extract.shown
    assert "length" in extract.shown


def test_items_behind_two_extracts_are_shown_as_the_list_that_one_of_them_is_of() -> None:
    def tickets(draft: Draft) -> None:
        draft.add("Both crews must be paid.")
        draft.add_heading(1, "Crews")
        draft.add("The recommended way to pay two crews on one and the same day is like this:")
        draft.add("- pay crew1", "item", level=1)
        draft.add("- pay crew2", "item", level=1)

    found = choose("Can I pay both crews?", tickets, favouring("crew"))
    assert "- pay crew1\n- pay crew2" in found.extracts[-1].shown


def test_a_list_does_not_grow_beyond_the_words_of_an_answer() -> None:
    long = "of the harbour, which the whole village has known for many years and whose name the old sailors still sing"

    def fleet(draft: Draft) -> None:
        for place in ("harbour", "river"):
            draft.add_heading(1, f"Boats of the {place}")
            draft.add(f"These are the boats of the {place}:")
            for number in range(3):
                draft.add(f"- {place} boat {number} {long}", "item", level=1)

    found = choose("Does the boat sail?", fleet, favouring("boat 1"))
    assert sum(len(one.shown.split()) for one in found.extracts) <= 110


def test_a_definition_is_the_whole_answer_to_what_a_thing_is() -> None:
    def bollards(draft: Draft) -> None:
        draft.add("A bollard is a short post that ships are tied to.")
        draft.add_heading(1, "Paint")
        draft.add("The bollard of each pier is painted by the crew in spring.")

    assert len(choose("What is a bollard?", bollards, favouring("bollard")).extracts) == 1
    assert len(choose("Who paints a bollard?", bollards, favouring("bollard")).extracts) == 2


def test_a_sentence_that_only_names_another_page_is_left_out_at_the_end_of_an_extract() -> None:
    def boats(draft: Draft) -> None:
        draft.add("Boats leave at nine. For more information about boats, see Safe harbours.")

    (extract,) = choose("When do boats leave?", boats, favouring("nine")).extracts
    assert extract.shown == extract.quote == "Boats leave at nine."
    (extract,) = choose("Which page has more information about boats?", boats, favouring("nine")).extracts
    assert extract.shown.endswith("see Safe harbours.")
