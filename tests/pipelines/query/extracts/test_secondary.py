"""What should stand behind another passage."""

from collections.abc import Callable

import pytest

from pipelines.query.extracts.chooser import Chooser
from pipelines.query.extracts.language.defaults import tells_thing
from pipelines.query.extracts.mismatch import is_off_subject
from pipelines.query.extracts.secondary import denies_asked, is_change_file
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import TERMS, choose, favouring_a_little
from tests.pipelines.query.extracts.drafts import extract, hit, stored


def paragraphs(*texts: str) -> Callable[[Draft], None]:
    def fill(draft: Draft) -> None:
        for text in texts:
            draft.add(text)

    return fill


@pytest.mark.parametrize(
    ("question", "second", "first"),
    [
        ("Why does the mast bend?", "Another reason is a loose stay.", "The mast bends because the stay is too tight."),
        ("How do I bend a mast?", "It is also wise to bend its top.", "A mast is bent by a tight stay at its foot."),
        ("How do I check the mast?", "The second check is of the stay.", "Check the foot of the mast first of all."),
    ],
)
def test_what_follows_another_thing_of_its_kind_comes_behind_it(question: str, second: str, first: str) -> None:
    found = choose(question, paragraphs(first, "Stays are of steel.", second), favouring_a_little(second), most=1)
    assert first in found.extracts[0].shown


def test_a_way_that_is_given_up_comes_behind_the_other_one() -> None:
    def fill(draft: Draft) -> None:
        for heading, told in (
            ("Hoist", "Pull the halyard to hoist the sail."),
            ("Hoist (deprecated)", "Push the sail."),
        ):
            draft.add_heading(1, heading)
            draft.add(told)

    found = choose("How do I hoist the sail?", fill, favouring_a_little("Push"), most=1)
    assert found.extracts[0].shown == "Pull the halyard to hoist the sail."


@pytest.mark.parametrize("heading", ["Rejected ideas", "Alternatives considered", "5. Future work", "Open questions"])
@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("How do I hoist the sail?", "Pull the halyard to hoist the sail."),
        ("Which idea to hoist the sail was rejected?", "Push the sail with a pole to hoist it."),
        ("Why is the sail not pushed with a pole?", "Push the sail with a pole to hoist it."),
        ("Which ways to hoist the sail might come later?", "Push the sail with a pole to hoist it."),
        ("How do I hoist an open sail?", "Pull the halyard to hoist the sail."),
    ],
)
def test_what_was_only_thought_of_comes_behind_what_is_done(heading: str, question: str, first: str) -> None:
    def fill(draft: Draft) -> None:
        draft.add_heading(1, "Hoisting")
        draft.add("Pull the halyard to hoist the sail.")
        draft.add_heading(1, heading)
        draft.add_heading(2, "Poles")
        draft.add("Push the sail with a pole to hoist it.")

    found = choose(question, fill, favouring_a_little("pole"), most=1)
    assert found.extracts[0].shown == first


DENIED = "The following do not count as damage, unless it leaks:\n- scratches\n- stains"


def test_a_list_of_what_is_not_meant_answers_only_what_is_not() -> None:
    assert is_off_subject("How do I report damage?", extract(DENIED))
    assert is_off_subject("Which things count as damage?", extract(DENIED))
    assert not is_off_subject("Which things do not count as damage?", extract(DENIED))
    assert not is_off_subject("Which things count as damage?", extract(DENIED.replace("do not count", "count")))
    contrast = "They do not count as wear, but are damage:\n- scratches\n- stains"
    assert not is_off_subject("Which things count as damage?", extract(contrast))


@pytest.mark.parametrize(
    ("question", "text", "is_off"),
    [
        ("Which boats are affected by the recall?", "Boats of type B are not affected.", True),
        ("Which boats are affected by the recall?", "Boats of type B are unaffected.", True),
        (
            "Which boats are affected by the recall?",
            "Boats of type A are affected. Those of type B are not affected.",
            False,
        ),
        ("Which boats are not affected by the recall?", "Boats of type B are not affected.", False),
        ("Which boats are affected by the recall?", "No boats are affected but those of type A.", False),
        ("Which boats are affected by the recall?", "No boats are affected.", False),
        ("Which boats are affected by the recall?", "No sloops are affected.", True),
        ("What is needed to come aboard?", "No pass is needed.", False),
        ("Who is allowed aboard?", "No guests are allowed aboard.", True),
        ("Which boats are insured?", "Boats of up to 9 m. Not insured: the dinghy.", False),
    ],
)
def test_what_something_is_not_so_of_does_not_say_of_which_it_is_so(question: str, text: str, is_off: bool) -> None:
    assert denies_asked(question, text) == is_off
    assert is_off_subject(question, extract(text)) or not is_off


def test_steps_below_what_to_do_are_no_things() -> None:
    steps = "What to do\n1. Check the boats of your pier.\n2. Moor them."
    assert is_off_subject("Which boats are recalled?", extract(steps))
    assert not is_off_subject("Which boats are recalled?", extract(steps.replace("What to do", "Recalled boats")))
    told = "To be plain, here are the recalled boats:\n1. the dinghy of the pilot\n2. the tender of the tug"
    assert not is_off_subject("Which boats are recalled?", extract(told))


@pytest.mark.parametrize(
    ("source", "is_one"),
    [
        ("docs/CHANGELOG.md", True),
        ("ebb_NEWS.txt", True),
        ("release-notes-2.md", True),
        ("newsletter.md", False),
        ("exchanges.md", False),
    ],
)
def test_a_file_of_changes_is_known_by_its_name(source: str, is_one: bool) -> None:
    assert is_change_file(source) == is_one


@pytest.mark.parametrize(
    ("question", "said"), [("How do I start the boat?", "is started"), ("What changed when the boat starts?", "starts")]
)
def test_a_change_comes_behind_what_the_manual_says_unless_changes_are_asked_about(question: str, said: str) -> None:
    texts = [stored(paragraphs("The boat starts at dawn.")), stored(paragraphs("The boat is started by a crew."))]
    hits = [hit(text, document_id=name) for text, name in zip(texts, ("NEWS.md", "manual.md"), strict=True)]
    found = Chooser(favouring_a_little("starts"), TERMS).choose(question, hits, texts, 1)
    assert said in found.extracts[0].shown


@pytest.mark.parametrize(
    ("question", "text", "told"),
    [
        ("Which port is used by default?", "By default the gate is open.", False),
        ("Which port is used by default?", "By default it listens on port 80.", True),
        ("How many mooring ropes are used by default?", "Default: 4 ropes", True),
        ("How many mooring ropes are used by default?", "By default 4 boats.", False),
        ("What is the default harbour of Ebb?", "The default port is Ostvik.", False),
        ("What is the default value of rope?", "Default: 4", True),
        ("Is it open by default?", "By default it is.", True),
    ],
)
def test_a_default_is_of_the_thing_that_is_asked_about(question: str, text: str, told: bool) -> None:
    assert tells_thing(question, text) == told
