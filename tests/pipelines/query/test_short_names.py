"""Questions for what a short name stands for, and texts that say it."""

import re
import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest

from pipelines.profile.calibration import shipped_calibration
from pipelines.query.confidence.confidence import Confidence
from pipelines.query.extracts.chooser import Chooser
from pipelines.query.extracts.extract import Extraction
from pipelines.query.extracts.language.definitions import definition_of
from pipelines.query.extracts.reader import Reader
from pipelines.query.plain_question import plain_question
from pipelines.query.short_names import asked_in_full, in_full, says_short_name, short_name, spelled_out
from pipelines.reading.draft import Draft
from pipelines.types import CELL_BREAK, StoredText
from tests.pipelines.query.extracts.choices import TERMS, favouring_a_little
from tests.pipelines.query.extracts.drafts import hit, stored


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("What does OAMT stand for?", "OAMT"),
        ("what does the acronym LMICs mean in this report?", "LMICs"),
        ("What is PCR short for?", "PCR"),
        ("What's the full form of M&E?", "M&E"),
        ('Spell out "LoD"', "LoD"),
        ("What does a red lamp mean?", ""),
        ("What does error E5 mean?", ""),
        ("What does IT do?", ""),
        ("What is the full name of Ida Berg?", ""),
    ],
)
def test_the_short_name_is_read_out_of_the_question(question: str, named: str) -> None:
    assert short_name(question) == named


@pytest.mark.parametrize(
    ("short", "text"),
    [
        ("BKT", "All berths are kept by the Boat Keepers' Trust (BKT)."),
        ("HTG", "HTG (harbour traffic group)"),
        ("LMICs", "in low- and middle-income countries (LMICs)"),
        ("LoD", "LoD: limit of detection"),
        ("GRADE", "GRADE - grading of ropes, assessment, durability, elasticity"),
        ("MDS", "Short: MDS; Meaning: mooring data sheet"),
        ("IHC", "immunohistochemistry (IHC)"),
        ("PCR", "polymerase chain reaction (short: PCR)"),
        ("BAO", "the Boats and Anchors Office (BAO)"),
        ("MOD", "MOD: master of decks"),
    ],
)
def test_words_with_its_initials_beside_it_say_what_it_stands_for(short: str, text: str) -> None:
    assert says_short_name(f"What does {short} stand for?", text)


@pytest.mark.parametrize(
    "text",
    ["The BKT keeps berths.", "Boats keep to the BKT berths.", "bkt: boat keepers' trust", "All boatyards (BKT) pay."],
)
def test_other_words_do_not(text: str) -> None:
    assert not says_short_name("What does BKT stand for?", text)


def test_a_word_that_is_written_small_is_not_the_short_name() -> None:
    definition = definition_of("What does OR stand for?")
    assert definition is not None
    assert not definition.stands_in("Red or other ropes are used.")
    assert definition.stands_in("OR: odds ratio")


def test_the_full_form_is_asked_for_in_one_way() -> None:
    assert plain_question("What is the full form of WER?") == "What does WER stand for?"


@pytest.mark.parametrize("question", ["What does HALT mean?", "What is the meaning of HALT?"])
def test_the_meaning_of_a_state_is_no_full_form(question: str) -> None:
    asked = plain_question(question)
    assert asked == "What does HALT mean?"
    definition = definition_of(asked)
    assert definition is not None
    assert definition.is_said_in("HALT is a state in which no boat leaves.")
    assert not definition.stands_in("Harbours and lamps, torches (HALT)")


@pytest.mark.parametrize(
    ("question", "short"),
    [
        ("What does FORM mean?", ""),
        ("What is the acronym FORM an abbreviation of?", "FORM"),
        ("What's the long form of FORM?", "FORM"),
        ("What does the acronym KO mean?", "KO"),
    ],
)
def test_only_what_asks_for_words_in_full_asks_for_nothing_else(question: str, short: str) -> None:
    assert asked_in_full(question) == short


@pytest.mark.parametrize("text", ["boat " * 10_000, "b" * 50_000, "b-" * 25_000, "BKT;" * 12_000, "BKT ( " * 9_000])
def test_long_texts_are_read_in_linear_time(text: str) -> None:
    began = time.process_time()
    re.search(in_full("BKT"), text, re.IGNORECASE)
    assert time.process_time() - began < 2


@pytest.mark.parametrize("short", ["AAAAAA", "ATAOATAOATAO"])
def test_small_words_with_the_initials_are_read_in_linear_time(short: str) -> None:
    began = time.process_time()
    for text in ("a " * 20_000, "a to an of " * 5_000, "a' " * 15_000):
        assert not says_short_name(f"What does {short} stand for?", text)
    assert time.process_time() - began < 2


def chosen_at_berth_3(question: str, text: StoredText) -> Extraction:
    return Chooser(favouring_a_little("berth 3"), TERMS).choose(question, [hit(text, "berth 3")], [text], 1)


def test_the_row_of_a_list_of_abbreviations_answers_though_another_part_was_found() -> None:
    def report(draft: Draft) -> None:
        draft.add_heading(1, "Abbreviations")
        draft.add(f"MDS{CELL_BREAK}mooring data sheet", "row", level=1)
        draft.add(f"BKT{CELL_BREAK}Boat Keepers' Trust", "row", level=1)
        draft.add_heading(1, "Berths")
        for number in range(14):
            draft.add(f"The BKT keeps berth {number} for guests of the harbour.")

    text = stored(report)
    (first,) = chosen_at_berth_3("What does BKT stand for?", text).extracts
    assert first.shown == "BKT: Boat Keepers' Trust"


def test_the_sentence_that_spells_it_out_answers_though_another_part_was_found() -> None:
    def report(draft: Draft) -> None:
        draft.add_heading(1, "Summary")
        draft.add("All of this is paid by the Boat Keepers' Trust (BKT) in spring.")
        draft.add_heading(1, "Berths")
        for number in range(14):
            draft.add(f"The BKT keeps berth {number} for guests of the harbour.")

    (first,) = chosen_at_berth_3("What is BKT short for?", stored(report)).extracts
    assert "Boat Keepers' Trust (BKT)" in first.shown


@pytest.mark.parametrize(
    ("question", "text", "spelled"),
    [
        ("What does HMA offer?", "In 1990, the Harbour Mooring Act (HMA) was passed.", {"HMA": "Harbour Mooring Act"}),
        ("Who pays the H&M?", "H&M stands for harbour and mooring fee.", {"H&M": "harbour and mooring"}),
        ("What does HMA offer?", "HMA offers a berth.", {}),
        ("What does the act offer?", "The Harbour Mooring Act (HMA) was passed.", {}),
        ("WHAT DOES HMA OFFER?", "The Harbour Mooring Act (HMA) was passed.", {}),
    ],
)
def test_a_document_says_what_short_names_of_a_question_stand_for(
    question: str, text: str, spelled: dict[str, str]
) -> None:
    assert spelled_out(question, ["Nothing here.", text]) == spelled


def test_a_short_name_is_read_with_the_words_that_it_stands_for() -> None:
    """The reader knows the act by its words alone, and so does the passage that says what it gives."""

    def acts(draft: Draft) -> None:
        draft.add_heading(1, "Acts")
        draft.add("The HMA was passed in 1990. Many boats were counted under the HMA since then.")
        draft.add("The Harbour Mooring Act (HMA) was amended twice.")
        draft.add_heading(2, "Harbour Mooring Act")
        draft.add("The Harbour Mooring Act gives each boat a free berth in winter.")

    def read(question: str, texts: Sequence[str]) -> npt.NDArray[np.float64]:
        return np.array([3.0 * ("Mooring Act" in question and "berth" in text) for text in texts])

    text = stored(acts)
    found = Chooser(Reader(read), TERMS).choose("What does the HMA give?", [hit(text)], [text], 1)
    assert found.extracts[0].shown == "The Harbour Mooring Act gives each boat a free berth in winter."
    assert found.spelled == {"HMA": "Harbour Mooring Act"}
    sure = Confidence(shipped_calibration()).of_evidence("What does the HMA give?", [hit(text)], found)
    assert sure.signals["mismatch"] == 0.0
    unknown = Confidence(shipped_calibration()).of_evidence(
        "What does the HMA give?", [hit(text)], replace(found, spelled={})
    )
    assert unknown.signals["mismatch"] == 1.0


def test_looking_for_short_names_ends() -> None:
    began = time.process_time()
    for text in ("AB (" * 20_000, "a a " * 20_000 + "(AB)", "AB " * 30_000, "A B (AB" * 10_000):
        spelled_out("What does AB mean for CD and EF?", [text])
    spelled_out("AB " * 10_000, ["AB (CD)"])
    assert time.process_time() - began < 5
