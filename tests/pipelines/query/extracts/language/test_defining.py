"""The paragraphs of a document that say what a thing is."""

from pipelines.query.extracts.language.defining import defining_paragraphs
from pipelines.query.extracts.language.definitions import definition_of_any
from pipelines.reading.draft import Draft
from pipelines.types import StoredText
from tests.pipelines.query.extracts.drafts import hit, stored

_FIRST = "The yard plans to buy hemp, a fibre that ropes are twisted from."


def _found(text: StoredText, said: str) -> list[str]:
    definition = definition_of_any("What is hemp?")
    assert definition is not None
    return [text.text[one.start : one.end] for one in defining_paragraphs(text, definition, hit(text, said).span)]


def test_one_is_found_where_a_thing_is_named_first_though_it_is_named_often_behind_it() -> None:
    def manual(draft: Draft) -> None:
        draft.add(_FIRST)
        for number in range(60):
            draft.add(f"Boat number {number} is moored with hemp.")
        draft.add("The last boat needs none.")

    assert _found(stored(manual), "The last boat") == [_FIRST]
