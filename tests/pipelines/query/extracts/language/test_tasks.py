import pytest

from pipelines.query.extracts.chooser import Chooser
from pipelines.query.extracts.language.tasks import is_for_task, lacks_task
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import TERMS, favouring
from tests.pipelines.query.extracts.drafts import hit, stored


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How do I trim the sail?", "To trim the sail, pull the sheet."),
        ("How do I trim the sail in Ebbmoor?", "Each has a sheet. In order to trim a sail use it."),
        ("How do I hoist the flag on a dinghy?", "- To hoist the flag:"),
        ("How can I switch off the lamp?", "To disable the lamp, pull the plug."),
    ],
)
def test_an_instruction_begins_with_the_task_it_is_for(question: str, text: str) -> None:
    assert is_for_task(question, text, "Dinghies", TERMS)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How do I trim the sail?", "It is the duty of the crew to trim the sail."),
        ("How do I trim the sail?", "To trim the lamp, pull the wick."),
        ("How do I trim the sail?", "To mend the sail, ask for thread."),
        ("How do I trim the sail?", "To trim the sail of a trawler before night falls, pull the sheet."),
        ("How do I trim the sail at night?", "To trim the sail, pull the sheet."),
        ("How do I trim?", "To trim, pull the sheet."),
        ("Why is the sail trimmed?", "To trim the sail, pull the sheet."),
    ],
)
def test_another_purpose_is_of_another_task(question: str, text: str) -> None:
    assert not is_for_task(question, text, "Dinghies", TERMS)


def test_the_instruction_for_the_task_comes_before_what_is_near_to_it() -> None:
    def lamps(draft: Draft) -> None:
        draft.add("To dim the lamp use:")
        draft.add("wick = low", "code", level=1)
        draft.add_heading(1, "Kinds")
        draft.add("Harbour lamps use oil of several kinds, and some lamps have a shade that can be dimmed.")

    text = stored(lamps)
    chooser = Chooser(favouring("shade"), TERMS)
    (first, *_) = chooser.choose("How do I dim the lamp?", [hit(text)], [text], 2).extracts
    assert first.shown == "To dim the lamp use:\nwick = low"


@pytest.mark.parametrize(
    ("question", "told", "lacks"),
    [
        ("How do I book a berth?", "Booking a berth: ask at the yard.", False),
        ("How do I pay the fee?", "Payment of fees: by card.", False),
        ("How do I remove the mast?", "Removal: loosen the stays.", False),
        ("How do I plan a trip?", "A trip is planned on the chart.", False),
        ("How do I copy a chart?", "Copies are made at the desk.", False),
        ("How do I caulk the deck?", "Oil the deck in spring.", True),
        ("How do I pay the fee?", "The papers of the boat lie below.", True),
    ],
)
def test_a_task_may_be_named_by_another_form_of_its_verb(question: str, told: str, lacks: bool) -> None:
    assert lacks_task(question, told) == lacks
