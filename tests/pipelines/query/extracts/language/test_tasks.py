import pytest

from pipelines.query.extracts.chooser import Chooser
from pipelines.query.extracts.language.tasks import is_for_task, lacks_task, leads_into_ways, lists_ways, names_task
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


def _sails(draft: Draft) -> None:
    draft.add_heading(1, "Raising a sail")
    draft.add("A sail that is raised in the lee of the pier is raised with less work, and the sail stays dry.")
    draft.add("This can be done in several ways:")
    draft.add("- Raising it by hand", "item", level=1)
    draft.add("- Raising it with the winch", "item", level=1)


def test_the_ways_to_do_a_thing_come_before_what_is_said_of_it() -> None:
    text = stored(_sails)
    found = Chooser(favouring("lee"), TERMS).choose("How do I raise a sail?", [hit(text)], [text], 2)
    assert any("- Raising it with the winch" in one.shown for one in found.extracts)


@pytest.mark.parametrize(
    ("shown", "above", "are_ways"),
    [
        ("This can be done in several ways:\n- by hand", "Raising a sail", True),
        ("There are two methods to raise a sail:\n- by hand", "Boats", True),
        ("There are two methods:\n- by hand", "Boats", False),
        ("The sail has several colours:\n- red", "Raising a sail", False),
        ("A sail is raised in several ways.", "Raising a sail", False),
    ],
)
def test_a_list_is_of_ways_to_do_the_task(shown: str, above: str, are_ways: bool) -> None:
    assert lists_ways("How do I raise the sail?", shown, above, TERMS) == are_ways


def test_looking_for_ways_ends() -> None:
    for text in ("two ways " * 10_000, "several " * 10_000, "a" * 50_000 + " in two ways:\n"):
        assert not leads_into_ways(text)


def test_code_of_the_section_is_read_where_it_is_asked_how() -> None:
    """Fourteen sentences share more words with the question than the code below a heading of their section."""

    def lamps(draft: Draft) -> None:
        draft.add_heading(1, "Lamps")
        for number in range(14):
            draft.add(f"Lamp {number} of the harbour is a lamp that nobody may dim at night.")
        draft.add_heading(2, "By hand")
        draft.add("Set its level:")
        draft.add("level = 3", "code")

    text = stored(lamps)
    chooser = Chooser(favouring("level = 3"), TERMS)
    found = chooser.choose("How do I dim a lamp of the harbour at night?", [hit(text)], [text], 1)
    assert "level = 3" in found.extracts[0].shown


@pytest.mark.parametrize(
    ("question", "code", "is_named"),
    [
        ("How do I trim the sails?", "ebb trimsails main", True),
        ("How do I trim a sail?", "boat.trim_sail()", True),
        ("How can I trim my sails?", "TrimSail(boat)", True),
        ("How do I trim the sails?", "ebb trim", False),
        ("How do I trim?", "trim()", False),
        ("Why are sails trimmed?", "trimsails", False),
    ],
)
def test_code_may_have_a_name_made_of_the_task(question: str, code: str, is_named: bool) -> None:
    assert names_task(question, code) is is_named


def test_the_command_of_the_task_comes_before_prose_on_it() -> None:
    def sails(draft: Draft) -> None:
        draft.add_heading(1, "Sails")
        draft.add("You trim the sails once the anchor is up, then you watch the wind, and trim them again at night.")
        draft.add("The command behind it:")
        draft.add("ebb trimsails main", "code")

    text = stored(sails)
    found = Chooser(favouring("wind"), TERMS).choose("How do I trim the sails?", [hit(text)], [text], 1)
    assert "ebb trimsails main" in found.extracts[0].shown
