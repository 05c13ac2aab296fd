from dataclasses import replace

import pytest

from pipelines.query.extracts.passages.passages import passages_of, sentences_of
from pipelines.reading.draft import Draft
from pipelines.types import Span, StoredText
from tests.pipelines.query.extracts.drafts import LONG, hit, passages, stored


def walks(draft: Draft) -> None:
    draft.add_heading(1, "Walks")
    draft.add("Dogs need walks every day.")
    draft.add("Take with you:")
    draft.add("- a lead", "item", level=1)
    draft.add("- water for\nthe dog", "item", level=1)


def test_a_list_is_shown_below_its_lead_in_and_quoted_as_one_stretch() -> None:
    text = stored(walks)
    found = next(passage for passage in passages(text) if passage.kind == "list")
    assert found.shown == "Take with you:\n- a lead\n- water for the dog"
    assert text.text[found.span.start : found.span.end] == "Take with you:\n\n- a lead\n- water for\nthe dog"
    assert found.in_context == f"Guide > Walks: {found.shown}"


def test_a_list_is_found_whole_by_a_hit_on_one_of_its_items() -> None:
    assert "list" in [passage.kind for passage in passages(stored(walks), "- a lead")]


@pytest.mark.parametrize("label", ["Note: Lamps at sea", "Note: Lamps burn at sea."])
def test_paragraphs_and_lists_of_a_long_note_are_passages_of_their_own(label: str) -> None:
    def note(draft: Draft) -> None:
        draft.add(label, "note")
        draft.add(f"A lamp without oil is no use. {LONG}", level=1)
        draft.add("To light it, bring:", level=1)
        draft.add("- a match", "item", level=2)
        draft.add("- some oil", "item", level=2)

    text = stored(note)
    found = {passage.kind: passage for passage in passages(text)}
    assert found["list"].shown == "To light it, bring:\n- a match\n- some oil"
    shown = [passage.shown for passage in passages(text) if passage.kind == "sentences"]
    assert any("A lamp without oil is no use." in one for one in shown)
    assert "Note: Lamps at sea" not in shown


def test_code_that_is_too_long_is_shown_by_its_first_lines_behind_its_lead_in() -> None:
    def manual(draft: Draft) -> None:
        draft.add("To light all lamps:")
        draft.add("lamps light\n" + "\n".join(f"lamp {number} is lit" for number in range(40)), "code", level=1)

    text = stored(manual)
    (found,) = passages(text)
    assert (found.kind, found.shown.splitlines()[:2]) == ("code", ["To light all lamps:", "lamps light"])
    assert found.shown.endswith("is lit …")
    assert text.text[found.span.start : found.span.end].split() == found.shown.removesuffix(" …").split()


def test_a_short_note_is_shown_whole() -> None:
    def note(draft: Draft) -> None:
        draft.add("Note: Lamps at sea", "note")
        draft.add("Bring:", level=1)
        draft.add("- a match", "item", level=2)

    assert passages(stored(note))[0].shown == "Note: Lamps at sea\nBring:\n- a match"


def test_an_item_is_shown_behind_the_lead_in_and_quoted_alone() -> None:
    text = stored(walks)
    item = next(passage for passage in passages(text) if passage.kind == "item")
    assert item.shown == "Take with you:\n- a lead\n…"
    assert text.text[item.span.start : item.span.end] == "- a lead"


def test_no_passage_is_a_lead_in_or_a_heading_alone() -> None:
    shown = [passage.shown for passage in passages(stored(walks))]
    assert "Dogs need walks every day." in shown
    assert not [one for one in shown if one.endswith(":") or one == "Walks"]


def test_prose_that_answers_nothing_is_not_a_passage() -> None:
    def fill(draft: Draft) -> None:
        draft.add_heading(1, "Walks")
        draft.add("How long are the walks?")
        draft.add("THE BOOK OF WALKS")
        draft.add("Dogs need walks every day.")

    assert [passage.shown for passage in passages(stored(fill))] == ["Dogs need walks every day."]


def test_lines_drawn_with_signs_are_not_shown() -> None:
    text = stored(lambda draft: draft.add("Boats leave at nine.\n-----------\nThey are back at a - b == c."))
    assert [passage.shown for passage in passages(text)] == ["Boats leave at nine. They are back at a - b == c."]


def test_terms_are_one_list_of_definitions() -> None:
    def fill(draft: Draft) -> None:
        draft.add("Two modes exist:")
        for term, said in (("fast", "It is quick and loud."), ("calm", "It is slow and saves power.")):
            draft.add(term, "term", level=1)
            draft.add(said, "definition", level=2)

    whole, *items = passages(stored(fill))
    assert whole.shown == "Two modes exist:\nfast: It is quick and loud.\ncalm: It is slow and saves power."
    assert [item.kind for item in items] == ["item", "item"]


def test_the_items_of_a_long_list_are_cut_short_with_a_sign() -> None:
    def fill(draft: Draft) -> None:
        draft.add("The parts are:")
        for name in ("frame", "wheel", "chain", "saddle"):
            draft.add(f"- the {name} {LONG}", "item", level=1)

    shortened = next(passage for passage in passages(stored(fill)) if passage.kind == "list")
    assert shortened.words <= 125
    lines = shortened.shown.split("\n")
    assert lines[0] == "The parts are:"
    assert [line[:11] for line in lines[1:]] == ["- the frame", "- the wheel", "- the chain", "- the saddl"]


def test_code_keeps_its_lines_and_what_leads_into_it() -> None:
    def fill(draft: Draft) -> None:
        draft.add("Start it so:")
        draft.add("lamp on\n  --warm", "code")

    assert [passage.shown for passage in passages(stored(fill))] == ["Start it so:\nlamp on\n  --warm"]


def test_long_prose_is_split_into_windows_of_sentences() -> None:
    text = stored(lambda draft: draft.add(LONG))
    windows = passages(text)
    assert len(windows) > 1
    for window in windows:
        assert window.words <= 120
        assert window.shown.startswith("Sentence number")
        assert window.shown.endswith("lit.")
    assert [one.shown for one in sentences_of(windows[-1])][-1].startswith("Sentence number 11")


def test_text_that_was_deleted_since_is_quoted_from_its_hit_at_its_place() -> None:
    text = stored(walks)
    gone = hit(text, "Dogs need walks every day.")
    (passage,) = passages_of([gone], [None])
    assert passage.deleted
    assert (passage.shown, passage.offset) == ("Dogs need walks every day.", gone.span.start)


def test_a_version_from_before_blocks_were_kept_has_those_that_its_lines_show() -> None:
    text = StoredText("Take with you:\n\n- a lead\n- water\n\nCome back soon.")
    assert passages(text)[0].shown == "Take with you:\n- a lead\n- water"


def test_citation_like_text_is_escaped_when_shown() -> None:
    text = stored(lambda draft: draft.add("Lamps last ten years [3]."))
    assert passages(text)[0].shown == "Lamps last ten years (3)."


def test_items_without_a_lead_in_are_one_list_and_terms_behind_them_another() -> None:
    def steps(draft: Draft) -> None:
        draft.add_heading(1, "Joining")
        draft.add("1. Fill in the form.", "item")
        draft.add("2. Fetch the key at the office.", "item")
        draft.add("Berth", "term", level=0)
        draft.add("A place for one boat.", "definition", level=1)

    shown = [passage.shown for passage in passages(stored(steps)) if not passage.is_part]
    assert shown == ["1. Fill in the form.\n2. Fetch the key at the office.", "Berth: A place for one boat."]


def test_a_default_is_shown_with_the_description_beside_it() -> None:
    def settings(draft: Draft) -> None:
        draft.add_heading(2, "MOORING_TIMEOUT")
        draft.add("Default: 45 (minutes)")
        draft.add("How long a berth is kept for a boat that is late.")
        draft.add("Boats that are later get another berth.")

    shown = [passage.shown for passage in passages(stored(settings))]
    assert "Default: 45 (minutes)\nHow long a berth is kept for a boat that is late." in shown
    assert "Boats that are later get another berth." in shown


def test_a_default_that_is_an_item_is_shown_with_the_description_behind_it() -> None:
    def settings(draft: Draft) -> None:
        draft.add_heading(2, "mooringTimeout")
        draft.add("- Type: number", "item", level=1)
        draft.add("- Default: 45 (minutes)", "item", level=1)
        draft.add("How long a berth is kept for a boat that is late.")
        draft.add("- Late boats go to the pier.", "item", level=1)
        draft.add("Boats that are later get another berth.")

    shown = [passage.shown for passage in passages(stored(settings)) if not passage.is_part]
    assert shown[0].startswith("- Type: number\n- Default: 45 (minutes)\nHow long a berth is kept")
    assert "Boats that are later get another berth." in shown


def test_a_default_is_shown_with_the_values_before_it() -> None:
    def settings(draft: Draft) -> None:
        draft.add_heading(2, "mooring.method")
        draft.add("Valid values:")
        draft.add("- rope", "item", level=1)
        draft.add("- chain", "item", level=1)
        draft.add("Default: rope")
        draft.add_heading(2, "mooring.pier")

    shown = [passage.shown for passage in passages(stored(settings)) if not passage.is_part]
    assert shown == ["Valid values:\n- rope\n- chain\nDefault: rope"]


def test_the_words_of_an_item_that_end_a_sentence_are_no_marks_of_items() -> None:
    def options(draft: Draft) -> None:
        draft.add("The ferry takes:")
        draft.add("- object: what to carry, such as:", "item", level=1)
        draft.add("  - weight: the least. If there is none, it is 1.", "item", level=2)
        draft.add("  - size: of its sides. By default, 2.", "item", level=2)
        draft.add(f"- nothing: {LONG}", "item", level=1)

    (found,) = (passage.shown for passage in passages(stored(options)) if passage.kind == "list")
    assert "weight: the least. If there is none, it is 1, size: of its sides. By default, 2" in found


def test_terms_that_are_listed_without_their_definitions_are_cut_short() -> None:
    def keys(draft: Draft) -> None:
        draft.add("The keys are:")
        for key in ("depth", "width"):
            draft.add(key, "term", level=1)
            draft.add("Type: number", "row", level=2)
            draft.add(LONG, level=2)

    (found,) = (passage.shown for passage in passages(stored(keys)) if passage.kind == "list")
    assert found == "The keys are:\ndepth …\nwidth …"


def test_a_captioned_list_belongs_to_the_paragraph_that_leads_into_it() -> None:
    def roles(draft: Draft) -> None:
        draft.add("The club knows two roles:")
        draft.add("Roles of members", "caption")
        draft.add("- skipper", "item", level=1)
        draft.add("- crew", "item", level=1)

    assert "The club knows two roles:\nRoles of members\n- skipper\n- crew" in [
        passage.shown for passage in passages(stored(roles))
    ]


def test_captions_of_figures_are_no_passages_and_no_part_of_the_paragraph_below() -> None:
    def harbour(draft: Draft) -> None:
        draft.add("Figure 2. The harbour; Boats at dawn", "caption")
        draft.add("The harbour has forty berths.")

    assert [passage.shown for passage in passages(stored(harbour))] == ["The harbour has forty berths."]


def test_the_name_of_a_tab_leads_into_the_paragraph_below() -> None:
    def tabs(draft: Draft) -> None:
        draft.add("Windows", "caption")
        draft.add("Start the installer.")

    assert [passage.shown for passage in passages(stored(tabs))] == ["Windows\nStart the installer."]


def test_an_item_that_leads_into_a_list_keeps_it_where_a_long_list_is_cut_short() -> None:
    def rules(draft: Draft) -> None:
        draft.add("1. A boat has one of these lights:", "item", level=1)
        draft.add("  - red", "item", level=2)
        draft.add("  - green", "item", level=2)
        draft.add(f"2. {LONG}", "item", level=1)

    whole = next(passage for passage in passages(stored(rules)) if passage.kind == "list")
    assert whole.shown.startswith("1. A boat has one of these lights: red, green\n2. Sentence number 0 says")


def test_neither_a_list_of_other_pages_nor_its_items_are_passages() -> None:
    def fill(draft: Draft) -> None:
        walks(draft)
        draft.add_heading(1, "Next steps")
        draft.add("- Learn about the leads of large dogs.", "item")
        draft.add("- Read the guide to long walks.", "item")

    found = passages(stored(fill))
    assert not [passage for passage in found if passage.headings[-1] == "Next steps"]


@pytest.mark.parametrize(
    ("source", "context"),
    [
        ("guides/paddock.md", "paddock > Guide > Walks: "),
        ("guides/long_walks_guide.md", "long walks guide > Guide > Walks: "),
        ("walks.md", "Guide > Walks: "),
        ("12.md", "Guide > Walks: "),
        ("walks 1234.56", "Guide > Walks: "),
    ],
)
def test_a_file_that_has_another_name_than_its_title_is_named_above_its_passages(source: str, context: str) -> None:
    text = stored(walks)
    (found, *_) = passages_of([replace(hit(text), source=source)], [text])
    assert found.in_context.startswith(context)


def test_text_without_stops_is_shown_in_parts() -> None:
    said = "dogs bark at night and cats sleep all day " * 2000
    text = stored(lambda draft: draft.add(said.strip()))
    found = passages(text)
    assert len(found) > 100
    for passage in found:
        assert passage.words <= 120
        assert text.text[passage.span.start : passage.span.end] == passage.shown
    assert " ".join(one.shown for one in sentences_of(replace(found[0], span=Span(0, len(text.text))))) == text.text


def test_terms_before_one_definition_are_one_entry() -> None:
    def fill(draft: Draft) -> None:
        for terms, said in ((("-a", "--all"), "Shows all."), (("-q", "--quiet"), "Shows none of them.")):
            for term in terms:
                draft.add(term, "term")
            draft.add(said, "definition", level=1)

    whole, *items = passages(stored(fill))
    assert whole.shown == "-a, --all: Shows all.\n-q, --quiet: Shows none of them."
    assert [item.shown for item in items] == ["-a, --all: Shows all.", "-q, --quiet: Shows none of them."]


def test_terms_that_nothing_defines_are_no_passages() -> None:
    def fill(draft: Draft) -> None:
        draft.add("Ports of the northern coast", "term")
        draft.add("Ports of the southern coast", "term")
        draft.add_heading(1, "Ships")

    assert passages(stored(fill)) == []


def test_a_term_without_its_definition_is_no_item() -> None:
    def fill(draft: Draft) -> None:
        for number in range(30):
            draft.add(f"trim_sail_{number}(angle, speed)", "term")
            draft.add(LONG, "definition", level=1)
        draft.add("trim_all(angle, speed)", "term")

    assert not any(one.shown.startswith("trim_all") for one in passages(stored(fill)))


def test_definitions_that_would_be_cut_to_a_few_words_are_shown_one_by_one_and_their_names_together() -> None:
    def fill(draft: Draft) -> None:
        for number in range(30):
            draft.add(f"--option-{number}", "term")
            draft.add(LONG, "definition", level=1)

    whole, *others = (passage for passage in passages(stored(fill)) if not passage.is_inside)
    assert whole.shown.startswith("- --option-0, --option-1, --option-2, ")
    assert {passage.kind for passage in others} == {"item"}


def test_a_list_behind_see_names_other_pages() -> None:
    def fill(draft: Draft) -> None:
        draft.add("For lamps of other makers see:")
        draft.add("- Lamps with a round wick", "item", level=1)
        draft.add("- Lamps with a flat wick", "item", level=1)

    assert passages(stored(fill)) == []


def test_code_is_shown_behind_the_sentence_that_it_ends() -> None:
    def check(draft: Draft) -> None:
        draft.add("You can see whether the lamp burns by running")
        draft.add("lamp --check", "code")
        draft.add("It burns. Then run this.")
        draft.add("lamp --out", "code")

    shown = [passage.shown for passage in passages(stored(check))]
    assert "You can see whether the lamp burns by running\nlamp --check" in shown
    assert "lamp --check" not in shown
    assert not any("Then run this.\nlamp" in one for one in shown)


def test_an_item_that_only_names_another_page_is_no_passage_of_its_own() -> None:
    def mooring(draft: Draft) -> None:
        draft.add("- For examples of mooring at a bollard, see Safe harbours.", "item", level=1)
        draft.add("- Mooring at a bollard takes two ropes.", "item", level=1)

    items = [passage.shown for passage in passages(stored(mooring)) if passage.kind == "item"]
    assert items == ["- Mooring at a bollard takes two ropes."]


def test_a_short_lead_in_without_a_colon_is_shown_whole_above_its_item() -> None:
    def lamps(draft: Draft) -> None:
        draft.add("The fields port and starboard say which lamps burn. Both are optional.")
        draft.add("- port: the red lamp at the left side", "item", level=1)
        draft.add("- starboard: the green lamp at the right side", "item", level=1)

    (port, _) = [passage.shown for passage in passages(stored(lamps)) if passage.kind == "item"]
    assert port.startswith("The fields port and starboard say which lamps burn. Both are optional.\n- port")
