"""Texts on the sibling of what a question names: on v1 for v2, on staging for production."""

from time import process_time

import pytest

from pipelines.query.extracts.language.siblings import tells_of_sibling
from pipelines.query.extracts.mismatch import is_off_subject
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import choose, favouring
from tests.pipelines.query.extracts.drafts import extract

GUIDE = "Tide API v2 guide"


@pytest.mark.parametrize(
    ("question", "text", "title"),
    [
        ("When will the tide API v2 be closed?", "Tide API v1 will be closed on 4 March 2025.", GUIDE),
        ("When will v2 be closed?", "v1 will be closed on 4 March 2025. Both v1 and v2 give tides.", GUIDE),
        ("When will v2 be closed?", "From 1 July on v1 rests at night, and it is closed in May 2031.", GUIDE),
        ("When will v2 be closed?", "Deprecated: tide API v1. It will be closed on 4 March 2025.", "News"),
        ("When will v2 be closed?", "- New: lamps until May\n- Tide API v1 will be closed on 4 March 2025", "News"),
        ("What is the address of v2?", "The address is tides.example/v1/ports.", "Tide API"),
        ("How many ports does v2 have?", "It has 40 ports.", "Tide API v1"),
        ("When is production upgraded?", "Staging is upgraded on 9 June 2025.", "Upgrades of production"),
        ("When does the upgrade of production begin?", "The staging hosts begin on 9 June 2025.", "Upgrades"),
        ("How long are logs kept in prod?", "They are kept for 3 days.", "Sandbox"),
        ("How many hosts has the test cluster?", "The development cluster has 4 hosts.", "Hosts"),
        ("How large is the primary database?", "The replica database has 40 GB.", "Databases"),
        ("What is the read timeout?", "Write timeout: 40 s", "Timeouts"),
        ("How much does the gold plan cost?", "The price is $25 for Lite and $50 for the Deep Water tier.", "Prices"),
        ("How many berths has the premium membership?", "The basic membership has 2 berths.", "Members"),
    ],
)
def test_what_is_said_of_the_sibling_is_off_the_subject_though_the_title_names_the_thing(
    question: str, text: str, title: str
) -> None:
    assert is_off_subject(question, extract(text, title))


@pytest.mark.parametrize(
    ("question", "text", "title"),
    [
        ("When will v1 be closed?", "v1 will be closed on 4 March 2025.", GUIDE),
        ("How many ports does v2 have?", "Unlike v1, it has 40 ports.", GUIDE),
        ("How many ports does v2 have?", "It has 40 ports.", "From v1 to v2"),
        ("How many ports does v2 have?", "It has 40 ports. Since May, v1 is closed.", GUIDE),
        ("How long are logs kept in production?", "Logs are kept for 9 days. Staging has room for 3 days.", "Logs"),
        ("How do I move from v1 to v2?", "Replace each v1 in the addresses.", GUIDE),
        ("What differs between staging and production?", "Staging has one host.", "Hosts"),
        ("How many hosts has production?", "Staging: 1; production: 4", "Hosts"),
        ("How many hosts has production?", "It has 4 hosts.", "Production and staging"),
        ("Which port has v2.1?", "v1.4 has port 80.", "Ports"),
        ("What is the read timeout?", "Read timeout: 20 s; write timeout: 40 s", "Timeouts"),
        ("How much does the gold plan cost?", "The silver plan is $25, and the gold plan $50.", "Prices"),
        ("How much does the gold plan cost?", "It is $50.", "Prices"),
        ("How much does the gold plan cost?", "Every month $50. Each Plan has its berth.", "Gold plan"),
        ("How do I upgrade from the free plan?", "Choose the Deep Water plan in the settings.", "Plans"),
    ],
)
def test_what_is_said_of_the_thing_or_beside_the_sibling_is_not(question: str, text: str, title: str) -> None:
    assert not tells_of_sibling(question, text, (title,))


def guide(draft: Draft) -> None:
    draft.add_heading(1, GUIDE)
    draft.add("Move from v1 to v2 soon.")
    draft.add_heading(2, "Dates")
    draft.add("The tide API v1 will be closed on 4 March 2025.")
    draft.add("The old manual of v1 lies in the harbour.")


def test_a_time_of_the_sibling_is_not_shown() -> None:
    for version, is_shown in (("v1", True), ("v2", False)):
        found = choose(f"When will {version} be closed?", guide, favouring("closed"))
        assert any("4 March" in one.shown for one in found.extracts) == is_shown
        assert found.about_another == (not is_shown)


def test_what_is_said_of_the_thing_goes_before_what_is_said_of_its_sibling() -> None:
    def both(draft: Draft) -> None:
        guide(draft)
        draft.add_heading(2, "Later")
        draft.add("In 2031 the tide API v2 will follow.")

    found = choose("When will v2 be closed?", both, favouring("API"), most=1)
    assert "2031" in found.extracts[0].shown


@pytest.mark.parametrize(("version", "absent"), [("v2", 1.0), ("v1", 0.0)])
def test_a_thing_is_absent_where_the_best_text_is_about_its_sibling(version: str, absent: float) -> None:
    found = choose(f"Is there a manual of {version}?", guide, favouring("manual"), most=1)
    assert "manual" in found.extracts[0].shown
    assert found.signals["absent"] == absent


def test_a_long_text_is_read_in_little_time() -> None:
    began = process_time()
    tells_of_sibling("When will v2 be closed?", "v1 v" * 50_000, ("v1 " * 20_000,))
    assert process_time() - began < 5
