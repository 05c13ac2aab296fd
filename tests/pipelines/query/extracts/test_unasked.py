import pytest

from pipelines.query.extracts.passages.passages import Passage, PassageKind
from pipelines.query.extracts.unasked import repeats, tells_only_changes, unasked
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.drafts import hit, stored


def lost(question: str, shown: str, headings: tuple[str, ...] = (), kind: PassageKind = "sentences") -> float:
    text = stored(lambda draft: draft.add(shown))
    found = hit(text)
    return unasked(question, Passage(found, kind, found.span, shown, headings, text, 0))


@pytest.mark.parametrize("shown", ["Info: Added in 25.0.0.", "New in version 2.4", "Deprecated since v3."])
def test_since_when_a_thing_exists_answers_questions_about_changes_alone(shown: str) -> None:
    assert lost("How long does a boat wait?", shown) > 0
    assert lost("How do I change the berth of a boat?", shown) > 0
    assert lost("Since when does a boat wait?", shown) == 0


@pytest.mark.parametrize("shown", ["Visit https://harbour.example/boats to see and try all boats of the harbour."])
def test_a_sentence_that_sends_to_an_address_answers_where_one_is_asked_for(shown: str) -> None:
    assert lost("What does the harbour do?", shown) > 0
    assert lost("Where are the pages of the harbour?", shown) == 0


@pytest.mark.parametrize(
    "shown", ["Added in 2.4: boats wait.", "The harbour is at https://harbour.example by the sea, with its boats."]
)
def test_what_says_more_loses_nothing(shown: str) -> None:
    assert lost("What does the harbour do?", shown) == 0


def test_the_head_of_a_message_tells_of_the_message_alone() -> None:
    head = "From: Ada <ada@harbour.example> To: Ben <ben@harbour.example> Date: Wed, 21 Dec 2022 10:28:53"
    assert lost("When is the regatta?", head) > 0
    assert lost("Where does the club sail?", head) > 0
    assert lost("Who asked the club to sail?", head) == 0  # whom it is from may be what is asked for
    assert lost("When was the mail on the regatta sent?", head) == 0


def test_what_is_kept_of_a_document_answers_where_it_is_asked_for() -> None:
    head = "- Author: Ada Quay\n- Status: Active\n- Created: 19-Aug-2004"
    assert lost("What is the code of sailors?", head) > 0
    assert lost("Who wrote the code of sailors?", head) == 0
    assert lost("What is the status of the code of sailors?", head) == 0
    assert lost("What is the code of sailors?", "- Length: 4\n- Status: Active\n- Width: 2") == 0
    report = "Date: 4 May 2025 Author: Ada Quay Duration: 2 h Boats affected: 31"
    assert lost("How long did the storm last?", report) == 0
    assert lost("How many boats were affected?", report) == 0
    assert lost("How many ropes were torn?", report) > 0


def test_who_may_copy_a_document_is_not_what_it_is_about() -> None:
    free = "This document may be copied by everybody."
    assert lost("What is the code of sailors?", free, ("Code of sailors", "Copyright")) > 0
    assert lost("May I copy the code of sailors?", free, ("Code of sailors", "Copyright")) == 0
    assert lost("What is the code of sailors?", free, ("Code of sailors", "Licensed boats of the club")) == 0


def test_the_options_of_a_command_do_not_say_what_it_does() -> None:
    options = "The furl command takes the following options:\n- --all: every sail\n- --dry-run: none"
    assert lost("What does the furl command do?", options, kind="list") > 0
    assert lost("Which options does the furl command take?", options, kind="list") == 0


def test_that_something_can_be_done_does_not_say_how() -> None:
    assert repeats("How do I splice two ropes?", "Riggers can splice ropes.")
    assert not repeats("How do I splice two ropes?", "Riggers splice ropes.")
    assert not repeats("How do I splice two ropes?", "Ropes can be spliced with a fid.")
    assert not repeats("Who can splice two ropes?", "Riggers can splice ropes.")


def test_a_note_says_something_besides_where_things_are_asked_for() -> None:
    assert lost("Which sails are there?", "Note: sails of other makers fit, too.") > 0
    assert lost("Does the sail fit?", "Note: sails of other makers fit, too.") == 0


def test_a_note_that_lists_or_forbids_things_does_not_say_how() -> None:
    listed = "Note:\n- A wet sail is heavy.\n- A sail has two sheets."
    assert lost("How do I reef a sail?", listed, kind="list") > 0
    assert lost("How do I reef a sail?", "Note: You cannot reef a sail that is wet.") > 0
    assert lost("How do I reef a sail?", "Note: it is best to lower the sail and tie its foot.") == 0
    assert lost("Why is a sail heavy?", listed, kind="list") == 0


def test_steps_are_not_the_things_that_are_asked_for() -> None:
    steps = "To reef the sails of a boat:\n- Lower them.\n- Tie them."
    assert lost("Which sails does a boat have?", steps, kind="list") > 0
    assert lost("How do I reef a sail?", steps, kind="list") == 0
    assert lost("Which sails does a boat have?", "To the sails belong:\n- jib\n- main", kind="list") == 0


def test_the_name_of_what_is_asked_about_says_nothing() -> None:
    assert repeats("What is the port of Heron Boats?", "HERON BOATS, INC.")
    assert not repeats("What is the port of Heron Boats?", "Heron Boats, Northport")
    assert repeats("How do I rent a boat at Heron Boats?", "Heron Boats Ltd. Last revised 3 September 2024.")
    assert repeats("What is the port of Heron Boats?", "Heron Boats Inc. Updated: 2024-09-03")
    assert not repeats("When were the rules of Heron Boats revised?", "Heron Boats Ltd. Last revised September 2024.")
    assert not repeats("What is the port of Heron Boats?", "Heron Boats Ltd. Rules revised for Northport.")
    assert not repeats("Do boats float?", "Boats float.")


@pytest.mark.parametrize(
    "shown",
    [
        "After the boat is moored, you can check the ropes by pulling",
        "Once all questions are answered, you will see the new berth.",
        "There are two ways to moor a boat, which are described below.",
        "Boats are moored in the ways that are listed in the following sections:",
        "Here are the basics of mooring a boat at the pier.",
        "It is therefore recommended not to moor at night.",
        "This is strongly discouraged in a gale.",
    ],
)
def test_what_is_seen_behind_a_task_or_told_below_does_not_say_how(shown: str) -> None:
    assert lost("How do I moor a boat?", shown) > 0
    assert lost("Where is a boat?", shown) == 0


@pytest.mark.parametrize(
    "shown",
    [
        "After the engine is off, throw the rope over the bollard.",
        "Moor as described below the deck of each boat.",
        "You can see the bollard once you are close.",
        "It is recommended to moor with two ropes.",
        "Here is the basic knot. Throw it over the bollard.",
    ],
)
def test_what_comes_first_says_how(shown: str) -> None:
    assert lost("How do I moor a boat?", shown) == 0


def test_what_is_seen_afterwards_is_shown_where_that_is_asked() -> None:
    shown = "After the boat is moored, you can check the ropes by pulling."
    assert lost("How do I check the ropes?", shown) == 0


@pytest.mark.parametrize(
    "code",
    [
        "import tides\nfrom harbours import piers",
        "%matplotlib inline\n\nimport tides",
        "To begin:\n#include <tides.h>",
        "To begin:\n>>> import tides\n>>> from harbours import piers",
        "In [1]: import tides",
    ],
)
def test_code_that_only_imports_answers_questions_about_imports_alone(code: str) -> None:
    assert lost("How do I compute the mean tide?", code, kind="code") > 0
    assert lost("Which packages does it load?", code, kind="code") == 0
    assert lost("How do I compute the mean tide?", f"{code}\ntides.mean()", kind="code") == 0


@pytest.mark.parametrize(
    "code",
    [
        "/server add harbour -tls",
        "use the lamp at dusk",
        "# Turned off.\n#light = auto",
        "* 5 * * * /bin/sound-horn",
        "%run lamp.py --start",
        "# How to start",
    ],
)
def test_commands_comments_and_settings_are_no_imports(code: str) -> None:
    assert lost("How do I light the lamp?", code, kind="code") == 0


@pytest.mark.parametrize(
    ("shown", "kind"),
    [
        ("If the rope does not hold, cast off again:\ncast_off()", "code"),
        ("Mooring can take some time. Meanwhile the lamp is red:\nlamp()", "code"),
        ("A list of moored boats:\nboats()", "code"),
        ("Note:\nlamp()\nIf the lamp is red, wait.", "code"),
    ],
)
def test_what_follows_a_task_or_goes_wrong_with_it_does_not_say_how(shown: str, kind: PassageKind) -> None:
    assert lost("How do I moor a boat?", shown, kind=kind) > 0
    assert lost("What does the boat weigh?", shown, kind=kind) == 0


def test_a_few_words_tell_nothing_to_do() -> None:
    assert lost("How do I moor a boat?", "Mooring on land") > 0
    assert lost("How do I moor a boat?", "Throw a rope.") == 0
    assert lost("What is a mooring?", "Mooring on land") == 0


@pytest.mark.parametrize(
    "shown",
    [
        "If you do not have a rope, throw an anchor.",
        "To moor a boat, throw the rope over the bollard. A moored boat needs a lamp.",
        "Note:\nmoor(boat)\nThis moors the boat.",
        "Throw a rope over the bollard. A moored boat needs a lamp.",
    ],
)
def test_what_says_how_to_do_a_task_loses_nothing(shown: str) -> None:
    assert lost("How do I moor a boat?", shown, kind="code") == 0


def test_how_to_do_what_goes_wrong_is_shown_where_that_is_asked() -> None:
    shown = "If the rope does not hold, cast off again."
    assert lost("How do I moor a boat if the rope does not hold?", shown) == 0


def test_what_a_page_is_about_does_not_say_what_a_thing_is() -> None:
    shown = "This chapter describes moorings of all kinds."
    assert lost("What is a mooring?", shown) > 0
    assert lost("Which moorings are there?", shown) > 0
    assert lost("How do I moor a boat?", shown) > 0
    assert lost("What is this chapter about?", shown) == 0


def test_when_a_page_was_written_is_shown_where_that_is_asked() -> None:
    assert lost("How do I moor a boat?", "Last modified 18 October 2022") > 0
    assert lost("When was the page last updated?", "Last modified 18 October 2022") == 0
    assert lost("How do I moor a boat?", "Last modified by Ann, who moors her boat with two ropes at the bow.") == 0


def test_what_happened_on_which_day_is_shown_where_that_is_asked() -> None:
    days = "Changes:\n- 2026/05/04 - Added a rope to moor boats.\n- 2026/06/01 - Boats are moored with two ropes."
    assert lost("How do I moor a boat?", days, kind="list") > lost(
        "How do I moor a boat?", days.replace("/", " "), kind="list"
    )
    assert lost("When were ropes added?", days, kind="list") == 0


def test_the_question_in_other_words_answers_nothing() -> None:
    assert repeats("How do I moor a boat?", "- how to moor a boat")
    assert not repeats("How do I moor a boat?", "- how to moor a raft")


def test_whom_a_document_thanks_is_shown_where_that_is_asked() -> None:
    thanks = "Many thanks to the sailors of all types of boats, and to their creators."
    assert lost("What types of boats are there?", thanks, ("Boats", "Acknowledgements")) > 0
    assert lost("Who helped with the boats?", thanks, ("Boats", "Acknowledgements")) == 0
    assert lost("What types of boats are there?", thanks, ("Acknowledgements of receipt by boats",)) == 0


def test_a_list_of_sections_of_the_document_answers_where_a_list_is_asked_for() -> None:
    def fill(draft: Draft) -> None:
        draft.add("Mind these if you moor a boat by night:")
        draft.add("- Lights.", "item", level=1)
        draft.add_heading(1, "Lights")
        draft.add("Every boat has one.")

    text = stored(fill)
    found = hit(text)

    def lost_by(question: str, shown: str) -> float:
        return unasked(question, Passage(found, "list", found.span, shown, (), text, 0))

    assert lost_by("How do I moor a boat?", "Mind these if you moor a boat by night:\n- Lights.") > 0
    assert lost_by("Which things count by night?", "Mind these if you moor a boat by night:\n- Lights.") == 0
    assert lost_by("How do I moor a boat?", "Mind these if you moor a boat by night:\n- Lights.\n- the rope") == 0


def test_the_parts_of_each_thing_are_not_the_things() -> None:
    parts = "A sail is a sheet of cloth with these:\n- a head\n- a foot"
    assert lost("Which sails are there?", parts, kind="list") > 0
    assert lost("Which parts does a sail have?", parts, kind="list") == 0
    assert lost("Which sails are there?", "Sails of the harbour:\n- lug\n- gaff", kind="list") == 0


def test_the_names_of_rows_are_the_things_or_any() -> None:
    def lost_by(column: str) -> float:
        return lost("Which sails are there?", f"Sails by place.\n{column}: Ebb; Flow; Neap …", kind="table")

    assert lost_by("Harbour") > 0
    assert lost_by("Sail") == lost_by("Name") == 0
    assert lost("Where are sails sewn?", "Sails by place.\nHarbour: Ebb; Flow; Neap …", kind="table") == 0


def test_a_list_of_questions_answers_none() -> None:
    questions = "Sailors ask:\n- How can I moor a boat?\n- Why does my boat drift?"
    assert lost("How can I moor a boat?", questions, kind="list") > 0
    assert lost("Which questions do sailors ask?", questions, kind="list") == 0
    assert lost("How can I moor a boat?", "- Tie it up.\n- Drifting still?", kind="list") == 0


@pytest.mark.parametrize("heading", ["Objectives", "Learning outcomes", "What you'll learn"])
def test_what_a_lesson_is_for_does_not_say_how(heading: str) -> None:
    aims = "- Moor a boat to the pier."
    assert lost("How do I moor a boat?", aims, ("What we do with old boats",), kind="list") == 0
    assert lost("How do I moor a boat?", aims, ("Mooring", heading), kind="list") > 0
    assert lost("How do I moor a boat?", aims, ("Mooring", "Steps"), kind="list") == 0
    assert lost("What will I learn about mooring?", aims, ("Mooring", heading), kind="list") == 0
    assert lost("How do I reach the objectives of mooring?", aims, ("Mooring", heading), kind="list") == 0


def test_what_a_release_brought_says_little_of_what_there_is() -> None:
    news = "- Ebb now sails on the Tay."
    assert lost("Which rivers can Ebb sail on?", news, ("Ebb v1.18.0", "Rivers"), kind="list") > 0
    assert lost("Which Ebb versions do pilots support?", news, ("Ebb v1.18.0",), kind="list") > 0
    assert lost("Which Ebb versions sail on the Tay?", news, ("Ebb v1.18.0",), kind="list") == 0
    assert lost("Which versions of Ebb do pilots support?", news, ("Ebb v1.18.0",), kind="list") > 0
    assert lost("Which rivers can Ebb sail on?", news, ("Ebb on rivers",), kind="list") == 0
    assert lost("Which rivers can Ebb sail on?", news, ("Reference manual v2.1",), kind="list") == 0


def test_prose_of_nothing_but_questions_answers_none() -> None:
    assert lost("Who has the key of the pier?", "Who has the key? I need it at noon.") == 0
    assert lost("Who has the key of the pier?", "Who has the key of the pier? Is it you?") > 0
    assert lost("Who has the key of the pier?", "5.1. Who has the key of the pier?") > 0
    assert lost("Which questions are asked about the pier?", "Who has the key of the pier?") == 0


def test_what_a_task_leads_to_does_not_say_how_it_is_done() -> None:
    led_to = "When a sail is furled:\n- The wind does not catch it.\n- The boat lies still."
    assert lost("How do I furl a sail?", led_to, kind="list") > 0
    assert lost("How do I check a sail?", led_to, kind="list") == 0
    ways = "If the sail is wet you can:\n- Dry it.\n- Furl it."
    assert lost("How do I furl a sail?", ways, kind="list") == 0


def test_a_table_tells_of_no_changes_though_it_stands_among_them() -> None:
    headings = ("Ebb v1.18.0", "Berths by harbour")
    assert lost("Which harbours can Ebb use?", "Harbour: Tay; Berths: 40", headings, kind="row") == 0
    assert lost("Which harbours can Ebb use?", "Harbour Tay got 40 berths.", headings) > 0


@pytest.mark.parametrize(
    "lead_in",
    [
        "After this chapter you should be able to:",
        "In this guide, you have seen how to:",
        "You will learn:",
        "By the end of the course you'll be able to tie boats and:",
    ],
)
def test_what_leads_into_the_aims_of_a_lesson_says_so_too(lead_in: str) -> None:
    aims = f"{lead_in}\n- Moor a boat to the pier."
    assert lost("How do I moor a boat?", aims, kind="list") > 0
    assert lost("What will I learn about mooring?", aims, kind="list") == 0
    assert lost("How do I moor a boat?", "You have seen the pier. There:\n- Moor a boat.", kind="list") == 0


def test_a_list_of_pages_names_the_task_and_does_not_tell_it() -> None:
    pages = "- Mooring a boat: About ropes.\n- Sailing a boat: About wind."
    assert lost("How do I moor a boat?", pages, kind="list") > 0
    assert lost("How do I moor a boat?", "- Mooring a boat\nAbout ropes.", kind="item") > 0
    assert lost("How do I moor a boat?", "- Mooring a boat: use a rope.", kind="item") == 0
    assert lost("How do I moor a boat?", "- Moor a boat to the pier.", kind="item") == 0
    assert lost("Which pages are there?", pages, kind="list") == 0


def test_what_was_added_to_some_things_does_not_say_which_there_are() -> None:
    added, place = "- Ebb now supports the lower Tay, too.", ("Ebb 0.9 (2031-05-02)", "Features")
    assert lost("Which rivers does Ebb support?", added, place) > lost(
        "Which rivers does Ebb support?", "It sails.", place
    )
    assert lost("Since when does Ebb support rivers?", added, place) == 0
    assert tells_only_changes("Which rivers does Ebb support?", place, added)
    assert not tells_only_changes("Does Ebb support rivers?", place, added)


def test_what_is_named_in_one_form_is_looked_for_in_that_form() -> None:
    question = "On which operating systems does Ebb run?"
    assert lost(question, "It runs on an operating system.") > lost(question, "It runs on Linux.")


def test_an_item_that_is_a_note_says_something_besides_the_other_items() -> None:
    note = "- NOTE: The crew of a boat that waits may sleep."
    assert lost("When does a boat wait?", note, kind="item") > lost("When does a boat wait?", note[8:], kind="item")
