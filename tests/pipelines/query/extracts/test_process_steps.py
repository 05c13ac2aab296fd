"""Questions for how something goes on, and steps that say how."""

from collections.abc import Callable

from pipelines.query.extracts.chooser import Chooser
from pipelines.reading.draft import Draft
from tests.pipelines.query.extracts.choices import TERMS, favouring
from tests.pipelines.query.extracts.drafts import hit, stored

_REASON = ", for which there are reasons that nobody remembers" * 8
_RULES = (
    "If the owner asks for a place, that place is taken, unless another boat lies there already",
    "If the wind is strong, the boat's place behind the wall is taken, and the crew puts out a second rope there",
    "Else the nearest free place is taken",
)


def berths(draft: Draft) -> None:
    draft.add("The harbour chooses the berth of a boat by these rules:")
    for number, rule in enumerate(_RULES, 1):
        draft.add(f"{number}. {rule}{_REASON}.", "item", level=1)


def locks(draft: Draft) -> None:
    draft.add(
        "Tugs can pass the lock without a pilot. Those that tow something are let in behind all the others, "
        "and none of them pays anything for the water that the keeper lets out of the chamber in the meantime."
    )
    draft.add("1. Call the keeper, who opens the gate.", "item", level=1)
    draft.add("channel 20 answers the keeper of the gate\n" * 20, "code", level=2)
    draft.add("2. Tie the tug to the wall.", "item", level=1)
    draft.add("Nobody waits at night.")


def shown(question: str, fill: Callable[[Draft], object], *words: str) -> str:
    text = stored(fill)
    return Chooser(favouring(*words), TERMS).choose(question, [hit(text)], [text], 1).extracts[0].shown


def test_a_process_is_told_by_all_of_its_steps_though_one_word_is_said_nowhere() -> None:
    said = shown("How does the harbour choose the berth where a boat anchors?", berths, "strong")
    assert [line[:2] for line in said.splitlines()[1:]] == ["1.", "2.", "3."]


def test_prose_on_a_task_comes_with_the_steps_right_behind_it() -> None:
    said = shown("How do I pass the lock without a pilot?", locks, "without a pilot")
    assert said.splitlines()[1:] == ["1. Call the keeper, who opens the gate.", "2. Tie the tug to the wall."]
    assert "1. Call" not in shown("Do tugs pass the lock without a pilot?", locks, "without a pilot")
