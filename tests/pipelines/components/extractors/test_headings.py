from pipelines.components.extractors.headings import Outline, heading_path, page_at
from pipelines.types import Heading, Page, Span

OUTLINE = (Heading(1, "A", 10), Heading(2, "B", 20), Heading(3, "C", 30), Heading(2, "D", 40), Heading(1, "E", 50))


def test_a_path_holds_the_headings_above_a_position() -> None:
    assert [heading_path(OUTLINE, position) for position in (0, 10, 35, 45, 99)] == [
        (),
        ("A",),
        ("A", "B", "C"),
        ("A", "D"),
        ("E",),
    ]


def test_an_outline_answers_for_positions_in_any_order_as_a_path_does() -> None:
    outline = Outline(OUTLINE)
    for position in (99, 0, 45, 10, 35, 29, 30):
        assert outline.path(position) == heading_path(OUTLINE, position)


def test_a_skipped_level_is_not_part_of_a_path() -> None:
    headings = (Heading(3, "Deep", 0), Heading(1, "Top", 5), Heading(4, "Deeper", 10), Heading(2, "Below", 15))
    assert [heading_path(headings, position) for position in (0, 5, 10, 15)] == [
        ("Deep",),
        ("Top",),
        ("Top", "Deeper"),
        ("Top", "Below"),
    ]


def test_a_position_stands_on_the_page_that_began_last() -> None:
    pages = (Page(1, Span(0, 10), "i"), Page(2, Span(12, 20), "1"))
    assert [page and page.number for page in (page_at(pages, n) for n in (0, 11, 12, 99))] == [1, 1, 2, 2]
    assert page_at((), 5) is None


TEXT = "# A\n\n## B\n\nOf birds.\n\n## C\n\nOf cats."
HEADINGS = (Heading(1, "A", 0), Heading(2, "B", 5), Heading(2, "C", 22))


def test_a_text_that_begins_with_headings_stands_under_the_last_of_them() -> None:
    outline = Outline(HEADINGS)
    assert outline.path_of(0, TEXT) == ("A", "B")
    assert outline.path_of(22, TEXT[22:]) == ("A", "C")
    assert outline.path_of(11, TEXT[11:]) == ("A", "B")
    assert outline.path_of(0, TEXT[:10]) == ("A", "B")
    assert outline.path_of(0, "# A") == ("A",)


def test_a_text_that_runs_on_stands_under_every_heading_on_its_way() -> None:
    outline = Outline(HEADINGS)
    assert outline.under(0, TEXT) == ("A", "B", "C")
    assert outline.under(11, TEXT[11:20]) == ("A", "B")
    assert outline.under(11, TEXT[11:24]) == ("A", "B", "C")
    assert Outline(()).under(0, TEXT) == ()
