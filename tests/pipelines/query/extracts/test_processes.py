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


def shown(question: str, fill: Callable[[Draft], object], *words: str) -> str:
    text = stored(fill)
    return Chooser(favouring(*words), TERMS).choose(question, [hit(text)], [text], 1).extracts[0].shown


def test_a_process_is_told_by_all_of_its_steps_though_one_word_is_said_nowhere() -> None:
    said = shown("How does the harbour choose the berth where a boat anchors?", berths, "strong")
    assert [line[:2] for line in said.splitlines()[1:]] == ["1.", "2.", "3."]
