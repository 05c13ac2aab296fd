"""How sure an answer from an extract may be at most."""

from dataclasses import replace

import pytest

from pipelines.query.extracts.certainty import least_sure, most_sure
from pipelines.query.extracts.extract import Extract
from pipelines.types import Hit, Span

THRESHOLD, SURE = 0.3, 0.6


def extract(text: str, title: str = "", headings: tuple[str, ...] = ()) -> Extract:
    hit = Hit("c", "d", 1, title, "s", text, {}, 0.8, {}, Span(0, len(text)), headings=headings)
    return Extract(hit, text, hit.span, text, headings)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("herring landed in Ostvik in 2031", "port: Ostvik; year: 2030; herring_t: 512"),
        ("Does Salvin 40 mg help?", "Salvin 20 mg helped half of them; Salvin 10 mg did not."),
        ("How wide is the lid of a 60 litre drum?", "The lid of the 30 l drum is 310 mm wide."),
        ("When does round 4 close?", "Round 2 closes on 1 May, round 3 on 1 August."),
    ],
)
def test_an_answer_with_another_figure_is_hardly_likely(question: str, text: str) -> None:
    assert THRESHOLD < most_sure(question, extract(text)) < 0.4


def test_what_is_so_now_does_not_answer_for_a_release_of_the_past() -> None:
    now = extract("Ebbmoor uses the chart of 2030.")
    assert most_sure("Which chart did Ebbmoor 0.7 use?", now) < THRESHOLD
    assert most_sure("Which chart does Ebbmoor 0.7 use?", now) > THRESHOLD


def test_what_changed_once_does_not_surely_say_what_is() -> None:
    place = ("Ebb 0.9.1 (2031-05-02)", "Deprecations and removals")
    change = extract("- Deprecate the tide table in favour of the tide wheel.", headings=place)
    assert most_sure("What is the tide table?", change) < SURE
    assert most_sure("What was deprecated in Ebb 0.9.1?", change) == 1.0


def test_who_does_not_speak_of_a_treatment_does_not_say_how_it_is_done() -> None:
    assert most_sure("Which key encrypts the log?", extract("The log has a key of brass.")) < THRESHOLD
    assert most_sure("Which key encrypts the log?", extract("It is a key of brass.", "Encryption")) == 1.0


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Who approves a boat of 14 m?", "Boats over 15 m are approved by the harbour master."),
        ("Who led the harbour in 1931?", "The harbour was led by Ida Fjeld."),
        ("What does it cost in Nordby?", "It costs 4 euros in Ostvik."),
        ("Does the yard have electric cranes?", "There are three cranes in the yard."),
        ("How many berths has a pier by default?", "The example has five berths."),
        ("How do I install Ebb plugins on a pilot boat?", "Ebb is installed on a pilot boat by its crew."),
        ("What does Ebb lamp oil cost?", "An Ebb lamp costs 4 euros."),
        ("What is a reef knot?", "Reefing means: to take in a part of the sail."),
        ("What is the dose of Salvin?", "Salvin is a powder for colds of type 2."),
        ("When is the next regatta after June?", "The next regatta is on 11 June."),
        ("What is the default depth of a cutter?", "The default depth is 3 m."),
        ("How much will the mast crane cost?", "The yard sets aside $900 for painting of the mast crane."),
        ("When does the west pier open?", "Pier: North; Opens: 7; Closes: 9"),
        ("How do I sharpen a knife?", "Each knife: length and weight of the knife."),
        ("Who is the treasurer of the crew?", "Crew: Ida Fjeld (captain), Tor Holm"),
        ("How much is pier parking?", "Pier lounge: 4 euros"),
        ("Which arguments can the furl command take?", "Moor takes two arguments."),
        ("Which flag does sloop 9 show?", "Cutter 9 shows a blue flag."),
    ],
)
def test_an_answer_without_what_the_question_names_is_not_sure(question: str, text: str) -> None:
    assert 0.4 < most_sure(question, extract(text)) < SURE


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("herring landed in Ostvik in 2030", "port: Ostvik; year: 2030; herring_t: 512"),
        ("Does Salvin 20 mg help?", "Salvin 10, 20 and 40 mg helped."),
        ("When does round 3 close?", "Round 2 closes on 1 May, round 3 on 1 August."),
        ("How many boats are there?", "There were 12 in 2030."),
        ("Does the yard have electric cranes?", "The cranes of the yard run on electricity."),
        ("What is the default depth of a berth?", "The default depth of berths is 3 m."),
        ("How much will painting of the mast crane cost?", "The yard sets aside $900 for painting of the mast crane."),
        ("When does the north pier open?", "Pier: North; Opens: 7; Closes: 9"),
        ("When does each pier open?", "Pier: North; Opens: 7; Closes: 9"),
        ("How do I sharpen a knife?", "Sharpening takes oil and a stone."),
        ("How do I delete a knife from the list?", "Knives are removed by their owner."),
        ("How do I get a knife?", "The cook lends them."),
        ("Who is the head of the school?", "Headmaster: Tor Holm"),
        ("How much is pier parking?", "Parking on the pier: 4 euros"),
        ("Which arguments can the furl command take?", "Furl takes two arguments."),
        ("Which arguments can the following command take?", "Moor takes two arguments."),
        ("How much is a ticket for the pier?", "Pier: 4 euros"),
        ("How much is covered for lost oars?", "The insurance pays up to 50 euros for lost oars."),
        ("How much is the fine for a lost oar?", "Each lost oar: 4 euros"),
        ("How much is the pier parking fee?", "Parking on the pier: 4 euros"),
        ("What is the default of max_depth?", "How deep it may be, in metres, max_depth. Default: 30"),
        ("Which flag does cutter 9 show?", "Cutters have a blue flag."),
    ],
)
def test_an_answer_with_what_the_question_names_may_be_sure(question: str, text: str) -> None:
    assert most_sure(question, extract(text)) == 1.0


def test_the_entry_of_an_option_is_likely_to_say_what_that_does() -> None:
    entry = extract("-q, --quiet: Says nothing of the tides.", "tide")
    assert least_sure("What does -q do in tide?", entry, covered=1.0) == SURE
    assert least_sure("What does -q do in ebb?", entry, covered=0.6) == 0.0
    assert least_sure("What does -x do in tide?", entry, covered=1.0) == 0.0
    assert least_sure("Does -q work in tide?", entry, covered=1.0) == 0.0


def test_what_stands_below_another_question_is_not_sure() -> None:
    told = "Within two weeks of the end of the crew's year."
    assert most_sure("How do I leave the crew?", extract(told, headings=("When is my locker emptied?",))) < SURE
    assert most_sure("How do I leave the crew?", extract(told, headings=("How do I leave?",))) == 1.0


def test_a_heading_may_say_that_what_stands_below_is_not_so() -> None:
    question = "What is not included in the trip?"
    assert most_sure(question, extract("- fares", headings=("Included",))) < SURE
    assert most_sure(question, extract("- fares", headings=("Not included",))) == 1.0


def test_a_row_that_was_computed_need_not_say_how_it_was_found() -> None:
    row = extract("Boat: Skiff; Price: 5 euros")
    assert most_sure("What does the cheapest boat cost?", row) < SURE
    assert most_sure("What does the cheapest boat cost?", replace(row, is_computed=True)) == 1.0


def test_the_page_of_another_command_is_not_sure() -> None:
    question = "Which charts does ebb furl read?"
    assert most_sure(question, extract("Two charts are read.", "ebb-moor")) < SURE
    assert most_sure(question, extract("Two charts are read.", "ebb-furl")) == 1.0
    assert most_sure(question, extract("Two charts are read, as by furl.", "ebb-moor")) == 1.0
    assert most_sure(question, extract("Two charts are read.", "Charts of ebb")) == 1.0
