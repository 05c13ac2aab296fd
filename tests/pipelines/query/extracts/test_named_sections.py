"""The sections, and the documents, that a question names."""

from dataclasses import replace

import numpy as np
import pytest

from pipelines.query.extracts.chooser import Chooser
from pipelines.query.extracts.language.absence import names_absent
from pipelines.query.extracts.mismatch import is_off_subject
from pipelines.query.extracts.reader import Reader
from pipelines.query.extracts.sections import NamedSections
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import TERMS, choose, favouring, favouring_a_little
from tests.pipelines.query.extracts.drafts import hit, stored


def test_the_section_that_asks_the_same_is_read_though_another_part_of_its_document_was_found() -> None:
    def manual(draft: Draft) -> None:
        draft.add_heading(1, "What is a bollard?")
        draft.add('Short for "bole", these posts hold the ropes of ships.')
        draft.add_heading(1, "Painting")
        for number in range(14):
            draft.add(f"The bollard of pier {number} is painted in spring.")

    text = stored(manual)
    found = Chooser(favouring("bollard"), TERMS).choose("What is a bollard?", [hit(text, "pier 3")], [text], 1)
    (first,) = found.extracts
    assert first.shown == 'Short for "bole", these posts hold the ropes of ships.'
    assert first.quote == text.text[first.span.start : first.span.end]


def test_the_section_of_the_setting_that_is_named_comes_before_others_that_mention_it() -> None:
    def settings(draft: Draft) -> None:
        draft.add_heading(1, "ROPE_SLOTS")
        draft.add("Overrides the default value of ROPE_DELAY for one slot.")
        draft.add_heading(1, "ROPE_DELAY")
        draft.add("Default: 0 seconds between two ropes.")

    found = choose("What is the default value of ROPE_DELAY?", settings, favouring("efault"), most=1)
    assert found.extracts[0].shown == "Default: 0 seconds between two ropes."


@pytest.mark.parametrize("named", ["rope-delay", "ropeDelay", "rope delay"])
def test_a_setting_is_named_by_its_words_too(named: str) -> None:
    def settings(draft: Draft) -> None:
        draft.add_heading(1, "rope-delay-factor")
        draft.add("Default: 10 for every rope.")
        draft.add_heading(1, "rope-delay")
        draft.add("Default: 2 seconds.")

    found = choose(f"What is the default value of {named}?", settings, favouring("Default", "rope"), most=1)
    assert found.extracts[0].shown == "Default: 2 seconds."


@pytest.mark.parametrize(
    ("question", "heading"),
    [
        ("What does the delay option do?", "`delay` (Number):"),
        ("What is the default value of delay?", "delay (Number)"),
        ("What is the default rope delay of the winch?", "delay (Number)"),
        ("What does rope.delay do?", ".delay(seconds)"),
    ],
)
def test_what_stands_behind_a_name_in_a_heading_does_not_count(question: str, heading: str) -> None:
    sections = NamedSections(question, TERMS)
    assert sections.names(heading)
    assert not sections.names(heading.replace("delay", "delayFactor"))


def test_the_default_of_what_goes_by_its_last_word_stands_in_the_section_of_that_name() -> None:
    def settings(draft: Draft) -> None:
        draft.add_heading(1, "Ropes")
        draft.add("Winches make the rope delay visible by default, and each rope is called by its own name.")
        draft.add_heading(1, "delay (Number)")
        draft.add("Default: 2 seconds.")

    for question in ("What is the default rope delay of the winch?", "What is the default rope delay?"):
        found = choose(question, settings, favouring("rope"), most=1)
        assert found.extracts[0].shown.endswith("Default: 2 seconds.")
    assert not NamedSections("What is the default rope delay?", TERMS).names("rope")


def test_what_a_document_begins_with_says_what_its_title_is() -> None:
    def manual(draft: Draft) -> None:
        draft.add_heading(1, "Description")
        draft.add("Updated 1 May.")
        draft.add("Holds the ropes of ships that lie at a pier.")
        for number in range(14):
            draft.add_heading(1, f"Pier {number}")
            draft.add(f"The bollard of pier {number} does well.")

    text = stored(manual)
    found = replace(hit(text, "pier 3"), title="Bollard")
    (first,) = Chooser(favouring("ropes"), TERMS).choose("What does a bollard do?", [found], [text], 1).extracts
    assert first.shown == "Holds the ropes of ships that lie at a pier."


def test_a_definition_is_read_though_many_sections_have_the_name() -> None:
    def manual(draft: Draft) -> None:
        for number in range(20):
            draft.add_heading(1, "bollard")
            draft.add(f"The bollard number {number}.")
        draft.add_heading(1, "Description")
        draft.add("Bollards is a word for posts of many kinds.")

    text = stored(manual)
    found = Chooser(favouring(), TERMS).choose("What is a bollard?", [hit(text)], [text], 1)
    assert found.extracts[0].shown == "Bollards is a word for posts of many kinds."


@pytest.mark.parametrize(
    "question", ["What is rope-delay?", "What does rope-delay do?", "What is the rope-delay setting?"]
)
def test_what_a_section_begins_with_says_what_its_setting_does(question: str) -> None:
    def settings(draft: Draft) -> None:
        draft.add_heading(1, "rope-delay")
        draft.add("- Default: rope-delay of 2", "item", level=1)
        draft.add("How many seconds pass between two of them.")
        draft.add("A rope-delay cannot be used together with rope-slots.")

    text = stored(settings)
    (first, *_) = Chooser(favouring(), TERMS).choose(question, [hit(text)], [text], 1).extracts
    assert "How many seconds pass" in first.shown


@pytest.mark.parametrize(
    "before", ["Syntax: :capstan-turn speed", "Harbour \u2265 2.9, updated in version 3.5.", "Type: Bool"]
)
def test_how_a_thing_is_written_and_since_when_there_is_one_do_not_say_what_it_does(before: str) -> None:
    def commands(draft: Draft) -> None:
        draft.add_heading(1, "capstan-turn")
        draft.add(before)
        draft.add("Wind the rope slowly")
        draft.add("A capstan-turn is needed for each capstan-turn.")

    text = stored(commands)
    (first,) = Chooser(favouring(), TERMS).choose("What does capstan-turn do?", [hit(text)], [text], 1).extracts
    assert "Wind the rope slowly" in first.shown


def test_the_description_of_a_setting_does_not_say_what_the_thing_is_that_it_is_called_after() -> None:
    def manual(draft: Draft) -> None:
        draft.add_heading(1, "3.1. capstan")
        draft.add("This variable specifies which capstan of the harbour turns.")
        draft.add_heading(1, "2.2. Capstan")
        draft.add("Ropes of ships are wound with it by four sailors.")

    text = stored(manual)
    for question, said in (("What is a capstan?", "Ropes"), ("What is the capstan variable?", "This variable")):
        (first,) = Chooser(favouring(), TERMS).choose(question, [hit(text)], [text], 1).extracts
        assert first.shown.startswith(said)


def glossary(draft: Draft) -> None:
    """Entries of which the first ones are long, and lines that share more words with a question."""
    draft.add_heading(1, "Words")
    for terms, said in (
        (("bole",), "A round stem."),
        (("bollard", "mooring post"), "Posts that hold ropes."),
        (("-d", "--depth=<metres>"), "Stops above the ground."),
        (("class Rope.Knot(length, *, bollard=None)",), "Ties a rope."),
        (("rope",), "Twisted yarn."),
    ):
        for term in terms:
            draft.add(term, "term")
        draft.add(said, "definition", level=1)
    draft.add_heading(1, "Painting")
    for number in range(14):
        draft.add(f"The bollard of pier {number} does its depth option, the Rope.Knot is painted.")


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("What is a bollard?", "bollard, mooring post: Posts that hold ropes."),
        ("What are mooring posts?", "bollard, mooring post: Posts that hold ropes."),
        ("What is the --depth option?", "-d, --depth=<metres>: Stops above the ground."),
        ("What does the -d option of the anchor do?", "-d, --depth=<metres>: Stops above the ground."),
        ("What does Rope.Knot do?", "class Rope.Knot(length, *, bollard=None): Ties a rope."),
    ],
)
def test_the_entry_of_a_glossary_says_what_its_term_is_though_another_part_was_found(question: str, shown: str) -> None:
    text = stored(glossary)
    found = Chooser(favouring(), TERMS).choose(question, [hit(text, "pier 3")], [text], 1)
    assert found.extracts[0].shown == shown


def test_the_page_of_a_manual_is_known_by_its_title_without_the_number() -> None:
    def manual(draft: Draft) -> None:
        draft.add("rope-stow - Lay ropes into the locker")
        for number in range(14):
            draft.add_heading(1, f"Pier {number}")
            draft.add(f"The command rope stow of pier {number} does well.")

    text = stored(manual)
    found = replace(hit(text, "pier 3"), title="rope-stow(1)")
    (first,) = Chooser(favouring(), TERMS).choose("What does rope stow do?", [found], [text], 1).extracts
    assert first.shown == "rope-stow - Lay ropes into the locker"


@pytest.mark.parametrize(
    "first", ["For more hints see also rope-stow.", "rope [options] <command> [arguments] [--] path"]
)
def test_what_a_section_begins_with_is_neither_a_pointer_nor_a_synopsis(first: str) -> None:
    def manual(draft: Draft) -> None:
        draft.add_heading(1, "rope")
        draft.add(first)
        draft.add("Keeps ships where they are put.")

    found = choose("What is rope?", manual, favouring(), most=1)
    assert found.extracts[0].shown == "Keeps ships where they are put."


@pytest.mark.parametrize("question", ["Who is the skipper?", "Who's our Skipper?", "What is the skipper"])
def test_the_row_of_what_is_asked_for_goes_before_what_speaks_of_it(question: str) -> None:
    def crew(draft: Draft) -> None:
        draft.add("The skipper shall keep the log.")
        draft.add_heading(1, "Crew")
        draft.add_table([["Deckhand", "Dan"], ["Cook", "Ben"], ["Skipper", "Ann"], ["Skipper's mate", "Cid"]])

    assert "Ann" in choose(question, crew, favouring_a_little("keep the log"), most=1).extracts[0].shown


def installing(draft: Draft) -> None:
    draft.add_heading(1, "Using the Ebb of a distribution")
    draft.add("Some offices install Ebb from their distribution:")
    draft.add("distribution add ebb", "code", level=1)
    draft.add_heading(1, "Installation")
    draft.add("Pumps are set up by their makers.")
    draft.add("To get Ebb, type:")
    draft.add("tide add ebb", "code", level=1)


def test_code_below_the_name_of_the_task_says_how_to_do_it() -> None:
    text = stored(installing)
    chooser = Chooser(Reader(lambda _, texts: np.zeros(len(texts))), TERMS)
    (first, *_) = chooser.choose("How do I install Ebb?", [hit(text, "Some offices")], [text], 2).extracts
    assert first.shown == "To get Ebb, type:\ntide add ebb"


@pytest.mark.parametrize("heading", ["Mooring new boats", "Moor boats", "Mooring"])
def test_code_below_the_name_of_the_task_and_its_thing_says_how_to_do_it(heading: str) -> None:
    def manual(draft: Draft) -> None:
        draft.add_heading(1, "Chains")
        draft.add("A chain is used in Ebb where boats cannot moor.")
        draft.add_heading(1, heading)
        draft.add("Type in Ebb for each of the boats:")
        draft.add("tide moor", "code", level=1)

    chooser = Chooser(Reader(lambda _, texts: np.array([1.5 * ("chain" in text) for text in texts])), TERMS)
    text = stored(manual)
    assert chooser.choose("How do I moor boats in Ebb?", [hit(text)], [text], 1).extracts[0].shown.endswith("tide moor")


def test_a_section_of_the_task_says_nothing_of_what_it_does_not_name() -> None:
    text = stored(installing)
    chooser = Chooser(Reader(lambda _, texts: np.zeros(len(texts))), TERMS)
    found = chooser.choose("How do I install pumps on Ebb?", [hit(text, "Some offices")], [text], 2).extracts
    assert "tide add ebb" not in found[0].shown


def test_the_line_that_a_page_on_a_thing_begins_with_says_what_it_is() -> None:
    def front(draft: Draft) -> None:
        draft.add_heading(1, "ebb")
        draft.add("A backup program for sailors, made of shell scripts.")
        draft.add_heading(2, "Name")
        draft.add("Ebb means the fall of the tide.")

    text = stored(front)
    found = Chooser(favouring("tide"), TERMS).choose("What is ebb?", [replace(hit(text), title="ebb")], [text], 1)
    assert found.extracts[0].shown == "A backup program for sailors, made of shell scripts."


def test_the_entry_comes_before_what_stands_inside_of_it() -> None:
    def settings(draft: Draft) -> None:
        draft.add("rope_delay (number)", "term")
        draft.add("Waits between two ropes.", "definition", level=1)
        for number in range(12):
            draft.add(f"On pier {number} a rope_delay of {number} is good for ropes that are old and heavy.", level=1)

    found = choose("What is rope_delay?", settings, favouring(), most=1)
    assert found.extracts[0].shown.startswith("- rope_delay (number): Waits between two ropes.")


@pytest.mark.parametrize("question", ["What does maxTide do?", "What is the default of maxTide?"])
def test_an_item_that_begins_with_the_identifier_comes_before_one_that_begins_like_it(question: str) -> None:
    def options(draft: Draft) -> None:
        draft.add("- maxTideMargin (number): What is taken off maxTide, default 2.", "item", level=1)
        draft.add("- maxTide (number): Limits the tide, default 5.", "item", level=1)

    found = Chooser(favouring(), TERMS).choose(question, [hit(text := stored(options))], [text], 1)
    assert found.extracts[0].shown == "- maxTide (number): Limits the tide, default 5."


@pytest.mark.parametrize(
    "question", ["What does -T do in rope?", "What does the -T option do?", "What is --tar for?", "Can I use -T twice?"]
)
def test_the_entry_of_an_option_comes_before_others(question: str) -> None:
    def options(draft: Draft) -> None:
        for term, meaning in (("-t N", "Ties N knots."), ("-T N, --tar=N", "Tars it."), ("--tar-all", "Tars all.")):
            draft.add(term, "term", level=1)
            draft.add(meaning, "definition", level=2)

    found = Chooser(favouring(), TERMS).choose(question, [hit(text := stored(options))], [text], 1)
    assert found.extracts[0].shown == "-T N, --tar=N: Tars it."


def test_prose_that_names_no_several_gives_way_to_a_list() -> None:
    def ropes(draft: Draft) -> None:
        draft.add("A boat comes with a number of ropes.")
        draft.add("These ropes are:")
        draft.add("- a mooring rope", "item", level=1)
        draft.add("- an anchor rope", "item", level=1)

    found = choose("Which ropes come with a boat?", ropes, favouring(), most=1)
    assert found.extracts[0].shown == "These ropes are:\n- a mooring rope\n- an anchor rope"


@pytest.mark.parametrize(
    ("question", "party"), [("Who is the landlord?", "Ebb Harbours"), ("Who are the tenants?", "Priya Raman")]
)
def test_a_party_of_a_contract_is_who_is_called_so(question: str, party: str) -> None:
    def contract(draft: Draft) -> None:
        draft.add(
            'This lease is made between Ebb Harbours Ltd. ("the Landlord") and Priya Raman (hereinafter "the Tenants").'
        )
        draft.add("The Landlord repairs the house for the Tenants. The Tenants let the Landlord in.")

    found = choose(question, contract, favouring_a_little("repairs"), most=1)
    assert party in found.extracts[0].shown


def test_the_entry_of_a_command_says_what_it_does_under_the_name_of_its_tool() -> None:
    def manual(draft: Draft) -> None:
        draft.add_heading(1, "ebb - command the fleet")
        draft.add("sail", "term")
        draft.add("Lets the boats leave. It is quicker than ebb furl, as no sail is furled.", "definition", level=1)
        draft.add("furl", "term")
        draft.add("Rolls every sail up.", "definition", level=1)
        for number in range(9):
            draft.add(f"moor{number}", "term")
            draft.add(f"Moors the boats at pier {number}. {'Boats wait there. ' * 9}", "definition", level=1)

    found = choose("What does ebb furl do?", manual, favouring_a_little("ebb furl"), most=1).extracts[0]
    assert found.shown.startswith("furl: Rolls every sail up.")
    assert not is_off_subject("What does ebb furl do?", found)
    assert is_off_subject("What does tide furl do?", found)


@pytest.mark.parametrize("heading", ["AUTHOR", "Authors", "Maintainers and contributors", "The original author"])
def test_who_made_a_thing_stands_below_the_heading_for_it(heading: str) -> None:
    def page(draft: Draft) -> None:
        draft.add_heading(1, "Ebbline")
        draft.add_heading(2, "Use")
        draft.add("Ebbline writes down what the tides of Ostvik do.")
        draft.add_heading(2, heading)
        draft.add("Ida Lund and Ole Berg")

    first = choose("Who wrote Ebbline?", page, favouring_a_little("tides"), most=1).extracts[0]
    assert first.shown == "Ida Lund and Ole Berg"
    assert not is_off_subject("Who wrote Ebbline?", first)
    assert not names_absent("Who wrote Ebbline?", [replace(first.hit, headings=first.headings, content=first.shown)])
