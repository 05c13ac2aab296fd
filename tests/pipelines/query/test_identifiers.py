"""Names of settings, options and other things of programs."""

import pytest

from pipelines.query.identifiers import asks_effect_of_option, is_entry_of_option, lacks_identifier


@pytest.mark.parametrize(
    "text",
    [
        "The default of lamp.wick is 3.",
        "Settings > lamp: wick: How wide it is. Default: 3.",
        "Settings > lamp: - `wick`: How wide it is.",
        "[lamp]\n; in inches\nwick = 3\n",
        "lamp\nsettings.md\nHow lamps burn.\nwick\nHow wide it is. Default: 3.",
    ],
)
def test_a_key_stands_behind_or_below_the_name_of_its_section(text: str) -> None:
    assert not lacks_identifier("What is the default of lamp.wick?", text)


@pytest.mark.parametrize(
    "text",
    [
        "Settings > lamp: oil: What burns. Default: whale oil.",
        "Settings > stove: wick: How wide it is.",
        "A lamp has a wick.",
        "[lamp]\noil = whale\n\n[stove]\nlamp-wick-width = 3\n",
        f"[lamp]\n{'oil = whale' * 200}\nwick = 3\n",
    ],
)
def test_a_key_of_another_section_or_in_prose_is_another(text: str) -> None:
    assert lacks_identifier("What is the default of lamp.wick?", text)


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("What does -q do in tide?", True),
        ("What does the --quiet flag of tide do?", True),
        ("What does tide -q mean?", True),
        ("What do -q and -v do?", False),
        ("What does tide do?", False),
        ("What does -q need to work?", False),
        ("What is the default of -q?", False),
    ],
)
def test_it_is_asked_what_one_option_does(question: str, asks: bool) -> None:
    assert asks_effect_of_option(question) is asks


def test_the_entry_of_an_option_begins_with_one_of_its_names() -> None:
    assert is_entry_of_option("What does -q do?", "-q, --quiet: Says nothing.")
    assert is_entry_of_option("What does --quiet do?", "- -q LEVEL, --quiet=LEVEL: Says nothing.")
    assert not is_entry_of_option("What does -q do?", "-Q, --queue: Waits.")
    assert not is_entry_of_option("What does -q do?", "Use -q to be quiet.")
    assert not is_entry_of_option("What does quiet do?", "-q, --quiet: Says nothing.")


def test_a_protocol_of_another_version_is_not_in_a_text() -> None:
    question = "Does the lock speak EBBP/3?"
    assert lacks_identifier(question, "The lock speaks EBBP and EBBP/2.")
    assert not lacks_identifier(question, "The lock speaks EBBP/3 and EBBP/2.")
    assert not lacks_identifier(question, "The lock speaks EBBP 3.")
    assert not lacks_identifier(question, "Set ebbp3 to true.")
    assert not lacks_identifier("Does it open on 24/7 or AC/DC?", "It does.")
    assert not lacks_identifier("Is UDP/53 open?", "Port 53 is open for UDP.")


@pytest.mark.parametrize("question", ["What does the permission z mean?", 'What is the "z" flag for?'])
def test_a_letter_that_names_a_flag_is_not_replaced_by_others(question: str) -> None:
    assert lacks_identifier(question, "x: All permissions. Flags are set by the zone.")
    assert not lacks_identifier(question, "z: No permission.")
    assert not lacks_identifier("Does it need a key or a flag, and which option I should set?", "It needs none.")


def test_a_heading_names_an_option_without_its_hyphens() -> None:
    assert not lacks_identifier("What does --reef do?", "Settings > reef: Takes the sail in.\nreef")
    assert lacks_identifier("What does --reef do?", "Settings > reef: Takes the sail in.")
    assert lacks_identifier("What does -r do?", "Settings > r: Takes the sail in.\nr")


@pytest.mark.parametrize("question", ["Which boat has the code teal?", "Who sails the boat with the id `teal`?"])
def test_a_code_by_which_a_thing_goes_is_not_replaced_by_others(question: str) -> None:
    assert lacks_identifier(question, "Code: tern; Boat: Heron")
    assert not lacks_identifier(question, "Code: teal; Boat: Swan")


def test_a_thing_that_is_named_so_may_be_many() -> None:
    assert not lacks_identifier("Does every locker have a code pad?", "All lockers have code pads.")
    assert not lacks_identifier("Which boat has a code?", "Boat: Swan")


def test_the_name_of_a_decorator_is_looked_for_with_or_without_its_sign() -> None:
    assert lacks_identifier("What does the @moored decorator do?", "The @anchored decorator holds a boat.")
    assert not lacks_identifier("What does the @moored decorator do?", "Write @moored above the function.")
    assert not lacks_identifier("What does @moored do?", "The decorator moored holds a boat.")
    assert not lacks_identifier("Who reads ida@harbour.example?", "Mail is read daily.")
