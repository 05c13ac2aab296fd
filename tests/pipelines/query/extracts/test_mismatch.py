from dataclasses import replace

import pytest

from pipelines.query.extracts.language.commands import asked_command
from pipelines.query.extracts.mismatch import is_off_subject, of_one_subject
from tests.pipelines.query.extracts.drafts import extract


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What did Toyota rebrand as the Ram?", "Mitsubishi rebranded it as the Ram."),
        ("What did the network X.75 replace?", "The network X.25 replaced the older one."),
        ("Which cats do not purr?", "Most cats purr."),
        ("What does chart 2.2 show?", "Chart 12.2 shows the south."),
        ("When was the breed recognised?", "The breed was recognised during a show."),
        ("What increases the risk?", "Exercise reduces the risk."),
        ("When was the breed recognised?", "The breed was recognised."),
        ("What does the scope read:fees allow?", "Scope: read:boats; Allows: reading the list of boats."),
        ("What does maxTide do?", "It limits the wind."),
        ("What does Alt+a do?", "Key: Alt+w; Does: furls the sail."),
        ("What is the default of max_tide?", "The default of max_tide_per_day is 5."),
        ("What does harbour.max_tide do?", "A harbour limits the wind."),
        ("What does -T do?", "- -t, --tide: Limits the tide."),
        ("What does --tide do?", "- --tide-table: Shows the tides."),
        ("Which breeds come with it?", "It comes with a choice of breeds."),
        ("Which cats are supported?", "The goals are:\n- to be quick\n- to be plain"),
        ("Which breeds are supported?", "Choose a breed by what your family needs."),
        ("Which tools are there?", "Tools sail boats, so that you can work on them without being on deck yourself."),
        (
            "Which boats are there?",
            "Many boats are built after these, and most of them sail as well as those did before.",
        ),
        ("What is Ebb?", "ebbd is a small server that offers what Ebb does to other programs."),
        ("What flags does Ebb send?", "All flags are instances of one class."),
        ("Which ports were closed?", "The council proposed that ports be closed."),
        ("Which ports are served?", "Ebb has no support for several ports yet; it is started once for each of them."),
        (
            "Which ports are served?",
            "Each file begins with:\n- its name\n- its size\n- its owner\n- the ports it is for",
        ),
        ("What is the default fee?", "A fee is taken from every boat that stays."),
        ("Is the anchor attached out of the box?", "The anchor is attached by two sailors."),
        ("Who maintains Ebb?", "Certain changes need two maintainers."),
        ("How do I stop leaks?", "Changes:\n* 2026/05/04 - Leaks are stopped.\n* 2026/06/01 - Leaks are found."),
        ("Are Manx cats hypoallergenic?", "Manx cats have thick coats."),
        ("What is the dose of Ebbol?", "Ebbol is taken once a day."),
        ("When is the lock open on Mondays?", "The lock is open from Tuesday to Friday from 9 to 5."),
        ("when is the lock open on mondays", "The lock is open from Tuesday to Friday from 9 to 5."),
        ("What do we lose 60 days before the trip?", "From 29 to 56 days before it, half the fare is lost."),
        ("What do meals cost in year 2?", "From year 3 meals cost £2."),
        ("What do meals cost in year 4?", "From year 1 to year 3 meals cost £2."),
        ("What does AWS cost?", "An AW tug costs £90."),
        ("Which sails are not on board?", "Sail: jib; Place: on board"),
    ],
)
def test_a_sentence_can_be_near_and_speak_of_something_else(question: str, text: str) -> None:
    assert is_off_subject(question, extract(text))


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("When is the lock open on Wednesdays?", "The lock is open from Tuesday to Friday from 9 to 5."),
        ("When is the lock open on Thursday?", "Lock: north; Mon: 8 to 12; Thu: 9 to 5."),
        ("Which berth have the Lunds?", "Mrs Lund has berth 12."),
        ("What do we lose 30 days before the trip?", "From 29 to 56 days before it, half the fare is lost."),
        ("What do meals cost in year 4?", "From year 3 meals cost £2."),
        ("What is included in the silver wash?", "The silver wash cleans the hull and the deck."),
        ("What's on in the north hall on Thursday mornings?", "North hall; Mon: Choir; Thu: Knots."),
        ("Who can hire a tug?", "A tug is hired out to skippers over 23 only."),
        ("Is the north path safe?", "The north path is dangerous in winter."),
        ("Are letters encrypted out of the box?", "By default, letters are stored unencrypted."),
        ("What did Mitsubishi rebrand?", "Mitsubishi rebranded its Forte."),
        ("How old do cats get?", "Cats get 15 years old."),
        ("Do cats need baths?", "A cat is never put into a bath."),
        ("Are cats allowed?", "No pets may come in."),
        ("Why do cats purr?", "They purr because they are content."),
        ("Which cats do not purr?", "Lions do not purr."),
        ("What does maxTide do?", "MAXTIDE limits the tide."),
        ("What does harbour.max_tide do?", "Port.max_tide(): Limits the tide."),
        ("What does -T do?", "- -T, --tide: Limits the tide."),
        ("What does -T do?", "Write -T4 for four hours."),
        ("Is read-only access possible?", "Access is read only."),
        ("Which breeds are supported?", "Every breed of these:\n- Manx\n- Siamese"),
        ("Which breeds are supported?", "Manx and Siamese are."),
        ("Which breeds are supported?", "Every breed: Manx, Siamese."),
        ("Which breed is supported?", "Manx is."),
        (
            "Which breeds are supported?",
            "All breeds can be shown, with Manx, Siamese, and every Persian among them so far.",
        ),
        ("Which breeds are supported?", "The breeds which every judge has to know by heart are Manx and Siamese."),
        ("Which versions are supported?", "Version 3.8 and every one that came out after it until now is."),
        ("What is Ebb?", "Ebb is a program for backups."),
        ("What is the default fee?", "Default: 12 EUR a night."),
        ("What is the default fee?", "Unless the harbour says otherwise, 12 EUR a night."),
        ("Who maintains Ebb?", "Ebb is maintained by Mara Lind."),
        ("Which ports are served?", "- Ostvik, a port in the north\n- Nordby, a port in the south\n- Hallingen"),
        ("What is maxTide?", "- maxTide (number): Limits the tide."),
        ("What is the harbour's mark?", "The mermaid is the mark of the harbour."),
        ("What are ropes made of?", "Hemp was used for centuries."),
        ("What does Signe Lind have to mend?", "Task: mend the sail; Who: S. Lind"),
        (
            "How many days before departure is the fee due?",
            "It is due 10 days ahead, and may be paid back after a storm.",
        ),
        ("In which cabin are cats not welcome?", "Cats are welcome in all cabins but those of the crew."),
        ("Which ferry severities are there?", "There are two levels of severity:\n- calm\n- storm"),
    ],
)
def test_a_sentence_that_answers_does_not(question: str, text: str) -> None:
    assert not is_off_subject(question, extract(text))


def test_a_change_of_it_is_told_where_none_is_asked_about() -> None:
    told = extract("- tide fetch prints a list of tides.", "Tides", ("Version 1.0.8rc1 (2016-10-17)", "New features"))
    assert is_off_subject("What does tide fetch do?", told)
    assert not is_off_subject("What is new in tide fetch?", told)
    assert not is_off_subject("What does tide fetch do?", replace(told, headings=("Figures of 2016",)))


def test_the_number_of_other_things_is_no_answer() -> None:
    question = "How many berths does the harbour have?"
    assert not is_off_subject(question, extract("There are 40 berths."))
    assert not is_off_subject(question, extract("There are 40 of them.", headings=("Berths",)))
    assert is_off_subject(question, extract("The harbour has 3 cranes."))


def test_what_is_to_be_confirmed_may_have_several_parts() -> None:
    told = extract("The work of tide-runner must not be ended.")
    assert not is_off_subject("Can I end the work of tide-runner?", told)
    assert is_off_subject("Can I end the work of tide-walker?", told)


def test_rows_that_were_computed_need_not_call_the_things_by_their_name() -> None:
    rows = extract("- Kind: Leak; State: done\n- Kind: Rot; State: done", "Tasks")
    assert is_off_subject("Which urgent repairs are done?", rows)
    assert not is_off_subject("Which urgent repairs are done?", replace(rows, is_computed=True))


@pytest.mark.parametrize(
    ("headings", "shown", "is_off"),
    [
        (("Version 3.2 (4 May 2025)", "Berths by harbour"), "Harbour: Ebb; Berths: 40", False),
        (("Version 3.2 (4 May 2025)",), "Changed: the harbour has 40 berths instead of 30.", False),
        (("Version 3.2 (4 May 2025)",), "The number of berths went from 30 to 40.", False),
        (("Version 3.2 (4 May 2025)",), "Lay out 40 berths at once.", True),
        (("Version 3.2 (4 May 2025)", "Added"), "Lay out 40 berths at once.", True),
        (("Berths by harbour", "Version 3.2 (4 May 2025)"), "Lay out 40 berths at once.", True),
    ],
)
def test_notes_on_a_release_also_tell_what_is_so(headings: tuple[str, ...], shown: str, is_off: bool) -> None:
    told = extract(shown, "Release notes", headings)
    assert is_off_subject("How many berths are there?", told) == is_off


def test_what_stands_below_the_name_of_a_thing_may_say_what_it_is_in_any_words() -> None:
    said = "Coordinates what the ships of a fleet do, and when."
    assert is_off_subject("What is a convoy?", extract(said, "Fleets"))
    assert not is_off_subject("What is a convoy?", extract(said, "Fleets", ("Convoys",)))


def test_the_entry_of_another_thing_does_not_say_what_the_heading_names() -> None:
    entry = extract("convoy_size (number): How many ships it has.", "Fleets", ("Convoys",))
    assert is_off_subject("What is a convoy?", entry)


def test_a_name_may_stand_in_the_title_or_a_heading() -> None:
    question = "What does a Maine Coon eat?"
    assert is_off_subject(question, extract("It eats meat."))
    assert not is_off_subject(question, extract("It eats meat.", title="Maine Coon"))
    assert not is_off_subject(question, extract("It eats meat.", headings=("Maine Coon",)))


ABOUT_MANX = extract("Manx cats have no tail.")
ABOUT_SIAMESE = extract("Siamese cats have a long tail.")


def test_behind_an_extract_on_the_subject_none_stands_that_is_off_it() -> None:
    assert of_one_subject("Do Manx cats have a tail?", [ABOUT_MANX, ABOUT_SIAMESE]) == (ABOUT_MANX,)
    assert of_one_subject("Do Persian cats have a tail?", [ABOUT_MANX, ABOUT_SIAMESE]) == (ABOUT_MANX, ABOUT_SIAMESE)


def test_a_comparison_has_two_subjects() -> None:
    asked = "What is the difference between Manx and Siamese cats?"
    both = extract("Manx cats differ from Siamese cats.")
    assert of_one_subject(asked, [both, ABOUT_SIAMESE]) == (both, ABOUT_SIAMESE)


def test_what_the_name_of_the_file_says_is_not_missing() -> None:
    lease = extract("The rent is due on the first of each month.", "Lease")
    asked = "What rent does the lease of Okonkwo name?"
    assert is_off_subject(asked, lease)
    assert not is_off_subject(asked, replace(lease, hit=replace(lease.hit, source="leases/okonkwo_2019.docx")))


@pytest.mark.parametrize(
    "text",
    [
        "This example page shows how to reef with a winch.",
        "Let us consider the second chapter of a book on knots.",
        "In this notebook we tie knots.",
        "First, we load the data.",
        "This document describes how reefing is done.",
    ],
)
def test_what_a_page_does_is_no_definition_though_it_stands_under_the_name(text: str) -> None:
    assert is_off_subject("What is reefing?", extract(text, headings=("Reefing",)))
    assert not is_off_subject("What is reefing?", extract("Makes a sail smaller.", headings=("Reefing",)))
    assert not is_off_subject("What is reefing?", extract("Makes a sail smaller.", headings=("Reefing", "Overview")))
    assert is_off_subject("What is reefing?", extract("Makes a sail smaller.", headings=("Reefing", "Winches")))


@pytest.mark.parametrize(
    "text",
    [
        "Loading brings cargo on board with a crane.",
        "We use it to make a sail smaller in a storm.",
        "These posts are set one mile apart along the road.",
        "Let's Reef is a guide for sailors.",
        "Lets sailors make a sail smaller.",
    ],
)
def test_what_people_and_things_do_may_say_what_a_thing_is(text: str) -> None:
    assert not is_off_subject("What is reefing?", extract(text, headings=("Reefing",)))


@pytest.mark.parametrize("text", ["Ivan the skipper sails at nine.", "Klaus the skipper makes soup."])
def test_a_name_before_what_somebody_is_names_him(text: str) -> None:
    assert not is_off_subject("Who is the skipper?", extract(text))


def test_prose_with_a_colon_gives_no_setting_its_value() -> None:
    words = extract("Language: the words that sailors speak.", headings=("Language",))
    assert is_off_subject("What is the default language?", words)


def test_an_identifier_above_that_has_the_word_says_no_default() -> None:
    said = extract("Set debug_tide to see why a boat is late.", headings=("@tide_defaults", "Late boats"))
    assert is_off_subject("What is the default value of debug_tide?", said)
    assert not is_off_subject("What is the default value of debug_tide?", replace(said, headings=("Defaults",)))


def test_a_verb_that_begins_a_sentence_names_nobody() -> None:
    sends = "# Sends a mail to the harbour master. Off until spring."
    assert is_off_subject("Who is the harbour master?", extract(sends))
    assert not is_off_subject("Who is the harbour master?", extract("# Ann Lee, the harbour master."))


def test_what_a_command_of_two_words_does_is_told_where_both_stand_together() -> None:
    question = "What does rope check do?"
    assert is_off_subject(question, extract("Sailors should check every rope by hand."))
    assert not is_off_subject(question, extract("Tells which ropes are worn.", headings=("rope-check",)))
    assert not is_off_subject(question, extract("`rope check` tells which ropes are worn."))
    assert not is_off_subject("What does Ebb mostly do?", extract("Ebb shows when the tide is low."))


def test_the_entry_of_a_glossary_says_what_its_term_is() -> None:
    shown = "Slack water: The time between two tides."
    assert not is_off_subject("What is slack water?", extract(shown, headings=("Glossary",)))
    assert is_off_subject("What is high water?", extract(shown, headings=("Glossary",)))


def test_what_a_command_of_three_words_does_is_told_by_its_entry_on_the_page_of_the_other_two() -> None:
    entry = extract("slack [-q] <rope>: Loosen one rope.", headings=("rope-check(1)", "COMMANDS"))
    assert not is_off_subject("What does rope check slack do?", entry)
    assert is_off_subject("What does rope check knot do?", entry)
    assert is_off_subject("What does rope furl slack do?", entry)


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("What does the timeout setting do?", "timeout: How long the harbour waits for a boat."),
        ("What does the parameter timeout do?", "The timeout parameter sets how long the harbour waits."),
        ("What does a capstan do?", "The capstan winds the rope."),
        ("What does your harbour do?", "Our harbour keeps boats."),
    ],
)
def test_a_thing_with_its_kind_or_article_is_no_command_of_two_words(question: str, shown: str) -> None:
    assert asked_command(question) is None
    assert not is_off_subject(question, extract(shown))


@pytest.mark.parametrize(
    ("shown", "tells"),
    [
        ("Names are written as in this example: ${tide}.", False),
        ("The variables are: tide, wind.", True),
        ("tide: How high the water is.\nwind: How it blows.", True),
    ],
)
def test_an_example_behind_a_colon_is_no_list(shown: str, tells: bool) -> None:
    assert is_off_subject("Which variables are there?", extract(shown, headings=("Variables",))) != tells


@pytest.mark.parametrize(
    ("shown", "is_off"),
    [
        ("Date: 2030-12-11; Keeper: Liv", True),
        ("Date: 2030-12-08; Keeper: Per", False),
        ("Per keeps the lock from 5 to 9 December.", False),
    ],
)
def test_the_row_of_another_day_is_off_the_subject(shown: str, is_off: bool) -> None:
    assert is_off_subject("Who keeps the lock on 8 December?", extract(shown)) is is_off


def test_the_price_of_another_thing_is_off_the_subject() -> None:
    asked = "How much does a harbour repair contract cost?"
    assert is_off_subject(asked, extract("The harbour thanks all who gave $5,000 or more for its repair."))
    assert not is_off_subject(asked, extract("Contracts: $5,000 a year"))
    assert not is_off_subject("How much does the pro plan cost?", extract("Pro: $20 a month"))


@pytest.mark.parametrize(
    "shown",
    [
        "The lamp burns for 30 hours unless it is set.",
        "burn: how many hours it burns; 30 when left out.",
        "It burns as long as you say, otherwise for 30 hours.",
    ],
)
def test_what_is_so_without_a_value_may_be_said_without_a_denial(shown: str) -> None:
    assert not is_off_subject("How many hours does it burn if I don't set any?", extract(shown))
    assert is_off_subject("How many hours does it not burn?", extract("It burns for 30 hours."))
