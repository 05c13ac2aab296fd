"""PDF: what is told by where words stand, such as columns, tables, lists, headings and running heads."""

from __future__ import annotations

import pytest

from pipelines.reading import read
from pipelines.types import ParsedDocument
from tests.pipelines.reading.block_checks import assert_blocks_fit, shown_blocks
from tests.pipelines.reading.reader_files import pdf, placed, ruled

PROSE = [
    "The clinic keeps a record of each animal that",
    "is seen, and of what was given to it. Records",
    "are kept for seven years. They may be read by",
    "the owner, who is told what the words mean. A",
    "copy is sent by mail when the owner asks for",
    "it in writing, and is free of charge.",
]
BODY = 10.0


def page(*parts: bytes | list[bytes]) -> list[bytes]:
    return [drawn for part in parts for drawn in (part if isinstance(part, list) else [part])]


def column(x: float, top: float, lines: list[str], size: float = BODY) -> list[bytes]:
    return [placed(x, top - 12 * place, line, size=size) for place, line in enumerate(lines)]


def row(y: float, *cells: tuple[float, str], font: str = "F1") -> list[bytes]:
    return [placed(x, y, text, size=BODY, font=font) for x, text in cells]


def document_of(*pages: list[bytes], bookmarks: tuple[tuple[str, int], ...] = ()) -> ParsedDocument:
    document = read(pdf(pages, bookmarks=bookmarks))
    assert_blocks_fit(document)
    return document


def blocks_of(*pages: list[bytes]) -> list[tuple[str, int, str]]:
    return shown_blocks(document_of(*pages))


def test_columns_are_read_one_after_the_other_below_what_goes_across() -> None:
    right = [line.replace("clinic", "school") for line in PROSE]
    title = placed(150, 740, "Two columns side by side under a title", size=18)
    blocks = blocks_of(page(title, column(50, 700, PROSE), column(320, 697, right)))
    assert blocks == [
        ("heading", 1, "Two columns side by side under a title"),
        ("paragraph", 0, " ".join(PROSE)),
        ("paragraph", 0, " ".join(right)),
    ]


def test_a_sentence_continues_over_columns_and_pages() -> None:
    first = document_of(
        page(column(50, 700, PROSE[:4]), column(320, 700, [*PROSE[4:5], *PROSE[:4]])),
        page(column(50, 700, ["copy of this is kept.", "Then it ends."])),
    )
    assert [text for _, _, text in shown_blocks(first)] == [
        " ".join([*PROSE[:5], *PROSE[:4], "copy of this is kept. Then it ends."])
    ]
    assert [first.text[span.start : span.end][:12] for span in (each.span for each in first.pages)] == [
        "The clinic k",
        "copy of this",
    ]


def test_a_grid_is_a_table_and_its_wrapped_cells_are_whole() -> None:
    grid = ruled([60, 200, 320, 440], [620, 640, 675, 700])
    cells = [
        row(685, (65, "Breed"), (205, "Weight"), (325, "Remark"), font="F2"),
        row(663, (65, "Basset"), (205, "29.5 kg"), (325, "has long ears, and")),
        row(651, (325, "is slow to train")),
        row(626, (65, "Pug"), (205, "8 kg"), (325, "snores")),
    ]
    assert blocks_of(page(placed(60, 715, "Breeds that we saw:", size=BODY), grid, *cells)) == [
        ("paragraph", 0, "Breeds that we saw:"),
        ("header", 1, "Breed | Weight | Remark"),
        ("row", 1, "Basset | 29.5 kg | has long ears, and is slow to train"),
        ("row", 1, "Pug | 8 kg | snores"),
    ]


def test_a_name_above_several_columns_names_each_of_them() -> None:
    upper = ruled([60, 200, 440], [680, 700])
    lower = ruled([60, 200, 320, 440], [620, 640, 660, 680])
    cells = [
        row(686, (300, "2024"), font="F2"),
        row(666, (65, "Breed"), (205, "born"), (325, "sold"), font="F2"),
        row(646, (65, "Basset"), (205, "12"), (325, "9")),
        row(626, (65, "Pug"), (205, "31"), (325, "30")),
    ]
    blocks = blocks_of(page(upper, lower, *cells))
    assert [text for _, _, text in blocks] == ["Breed | 2024 born | 2024 sold", "Basset | 12 | 9", "Pug | 31 | 30"]


def test_cells_below_each_other_are_a_table_without_a_grid() -> None:
    cells = [
        row(700, (60, "Dose"), (180, "Weight"), (300, "Cost")),
        row(686, (60, "5 mg ........."), (180, "up to 10 kg"), (300, "$2.50")),
        row(672, (60, "10 mg ........"), (180, "up to 20 kg"), (300, "$4.10")),
        row(658, (180, "with food")),
        row(644, (60, "20 mg ........"), (180, "above"), (300, "$8.00")),
    ]
    blocks = blocks_of(page(*cells, column(60, 600, PROSE)))
    assert blocks[:4] == [
        ("header", 1, "Dose | Weight | Cost"),
        ("row", 1, "5 mg | up to 10 kg | $2.50"),
        ("row", 1, "10 mg | up to 20 kg with food | $4.10"),
        ("row", 1, "20 mg | above | $8.00"),
    ]
    assert blocks[4] == ("paragraph", 0, " ".join(PROSE))


@pytest.mark.parametrize(
    "entries",
    [
        [("C-k", "kill the line"), ("C-y", "yank the line"), ("C-x k", "kill the node")],
        [("1. Scope", "3"), ("1.1 Words", "4"), ("2. Records", "7")],
    ],
)
def test_terms_with_what_they_mean_have_no_header(entries: list[tuple[str, str]]) -> None:
    fonts = ["F2" if meaning == "3" else "F1" for _, meaning in entries]  # chapters stand out in contents
    rows = [row(700 - 14 * at, (60, a), (220, b), font=fonts[at]) for at, (a, b) in enumerate(entries)]
    blocks = blocks_of(page(*rows, column(60, 600, PROSE)))
    assert blocks[:3] == [("row", 1, " | ".join(entry)) for entry in entries]


def test_two_columns_have_a_header_above_figures_or_in_bold() -> None:
    drugs = [(686, "Aspirin", "12"), (672, "Quinine", "7"), (658, "Ether", "3")]
    figures = [row(y, (60, name), (220, count)) for y, name, count in drugs]
    words = [row(y, (60, name), (220, f"taken {count} times")) for y, name, count in drugs]
    assert blocks_of(page(row(700, (60, "Drug"), (220, "Number")), *figures))[0] == ("header", 1, "Drug | Number")
    assert blocks_of(page(row(700, (60, "Drug"), (220, "Use"), font="F2"), *words))[0] == ("header", 1, "Drug | Use")


def test_years_from_spring_to_spring_head_columns_of_figures() -> None:
    cells = [
        row(700, (60, "Drug"), (180, "2024/25"), (300, "2025/26")),
        row(686, (60, "Aspirin"), (180, "12"), (300, "14")),
        row(672, (60, "Quinine"), (180, "7"), (300, "9")),
        row(658, (60, "Ether"), (180, "3"), (300, "2")),
    ]
    blocks = blocks_of(page(*cells, column(60, 600, PROSE)))
    assert blocks[:2] == [("header", 1, "Drug | 2024/25 | 2025/26"), ("row", 1, "Aspirin | 12 | 14")]


def test_numbers_far_before_their_text_are_those_of_a_list() -> None:
    steps = ["Wash your hands and dry them.", "Open the box with care.", "Read the label to the owner."]
    rows = [row(700 - 14 * at, (60, str(at + 1)), (100, step)) for at, step in enumerate(steps)]
    blocks = blocks_of(page(placed(60, 720, "What to do:", size=BODY), *rows, column(60, 600, PROSE)))
    assert blocks[1:4] == [("item", 1, f"{at}. {step}") for at, step in enumerate(steps, start=1)]


def test_a_table_continues_over_pages_and_repeats_its_header() -> None:
    def half(start: int, *, header: bool) -> list[bytes]:
        heights = [700 - 20 * place for place in range(5)]
        cells = [row(y - 14, (65, f"part {start + place}"), (205, "7")) for place, y in enumerate(heights[:-1])]
        if header:
            cells[0] = row(686, (65, "Part"), (205, "Number"), font="F2")
        return page(ruled([60, 200, 320], heights), *cells)

    document = document_of(half(0, header=True), half(4, header=False))
    assert [block.kind for block in document.blocks] == ["header", *["row"] * 7]
    assert document.text.endswith("part 3 | 7\npart 4 | 7\npart 5 | 7\npart 6 | 7\npart 7 | 7")
    assert document.text[document.pages[1].span.start :].startswith("part 4 | 7")


def test_a_frame_around_text_is_not_a_table() -> None:
    blocks = blocks_of(page(ruled([40, 400], [600, 720]), column(50, 700, PROSE), column(50, 560, ["Below it."])))
    assert [kind for kind, _, _ in blocks] == ["paragraph", "paragraph"]


def test_a_box_beside_text_does_not_cut_it() -> None:
    box = b"320 640 150 60 re S"
    beside = column(330, 685, ["Ask for a copy at", "the front desk."])
    assert [text for _, _, text in blocks_of(page(column(50, 700, PROSE), box, *map(page, beside)))] == [
        " ".join(PROSE),
        "Ask for a copy at the front desk.",
    ]


def test_lists_have_their_lead_in_and_their_depth() -> None:
    lines = [
        placed(60, 700, "Bring these things with you:", size=BODY),
        placed(70, 686, "\x95 a letter from the vet who", size=BODY),
        placed(80, 674, "saw the animal last", size=BODY),
        placed(70, 660, "\x95 papers:", size=BODY),
        placed(90, 648, "- proof of age", size=BODY),
        placed(90, 636, "- proof of address", size=BODY),
        placed(70, 622, "\x95 money", size=BODY),
        placed(60, 600, "Then wait. It may take an hour.", size=BODY),
    ]
    content = pdf([lines]).replace(b"/BaseFont /Helvetica ", b"/BaseFont /Helvetica /Encoding /WinAnsiEncoding ")
    start = content.index(b"startxref")
    document = read(content[:start] + content[start:])
    assert shown_blocks(document) == [
        ("paragraph", 0, "Bring these things with you:"),
        ("item", 1, "- a letter from the vet who saw the animal last"),
        ("item", 1, "- papers:"),
        ("item", 2, "  - proof of age"),
        ("item", 2, "  - proof of address"),
        ("item", 1, "- money"),
        ("paragraph", 0, "Then wait. It may take an hour."),
    ]


def test_numbers_of_items_stay_and_numbers_inside_a_sentence_are_words() -> None:
    lines = [
        "Do this:",
        "1. Wash your hands.",
        "2. Open the box.",
        "Of all boxes, the one with the number",
        "3. is not",
    ]
    kinds = [(kind, text) for kind, _, text in blocks_of(page(column(60, 700, [*lines, "ours at all, said the man"])))]
    assert kinds[1:3] == [("item", "1. Wash your hands."), ("item", "2. Open the box.")]
    assert kinds[-1][1].endswith("3. is not ours at all, said the man")


def test_without_bookmarks_larger_and_bold_lines_are_headings() -> None:
    parts = page(
        placed(60, 740, "Annual report", size=20),
        placed(60, 715, "1. Animals", size=BODY, font="F2"),
        column(60, 700, PROSE),
        placed(60, 610, "2. Money", size=BODY, font="F2"),
        column(60, 595, PROSE),
    )
    headings = [(heading.level, heading.title) for heading in document_of(parts).headings]
    assert headings == [(1, "Annual report"), (2, "1. Animals"), (2, "2. Money")]
    marked = document_of(parts, bookmarks=(("Money", 0),))
    assert [(heading.level, heading.title) for heading in marked.headings] == [(1, "2. Money")]


def test_a_heading_left_of_a_title_in_the_middle_is_another() -> None:
    parts = page(
        placed(180, 740, "Report on the animals", size=20),
        placed(180, 718, "that the clinic keeps", size=20),
        placed(60, 690, "Money", size=20),
        column(60, 670, PROSE),
    )
    titles = [heading.title for heading in document_of(parts).headings]
    assert titles == ["Report on the animals that the clinic keeps", "Money"]


def test_running_heads_and_page_numbers_are_left_out() -> None:
    pages = [
        page(
            placed(60, 770, f"Clinic handbook, chapter {number}", size=8),
            column(60, 650, [line.replace("clinic", f"clinic {number}") for line in PROSE]),
            placed(300, 30, str(number), size=8),
        )
        for number in (1, 2, 3)
    ]
    text = document_of(*pages).text
    assert "handbook" not in text
    assert [text.count(f"clinic {number}") for number in (1, 2, 3)] == [1, 1, 1]
    assert text.endswith("free of charge.")


def test_running_heads_that_change_with_each_section_are_left_out() -> None:
    heads = [("iv", "Contents"), ("v", "Contents and tables"), *((str(at), f"{at}.1 Section {at}") for at in (1, 2, 3))]
    pages = [
        page(
            column(60, 650, [line.replace("clinic", f"clinic {number}") for line in PROSE]),
            row(30, (60, number), (380, head)) if number == "2" else row(30, (60, head), (500, number)),
        )
        for number, head in heads
    ]
    text = document_of(*pages).text
    assert "Section" not in text
    assert "Contents" not in text
    assert text.count("clinic") == len(heads)


def test_a_date_beside_a_running_head_goes_with_it() -> None:
    head = row(760, (60, "Clinic handbook"), (500, "2004-06"))
    assert "2004-06" not in document_of(*[page(head, column(60, 650, PROSE))] * 4).text


def test_repeated_lines_stay_on_a_page_without_other_text() -> None:
    assert document_of(*[page(placed(60, 770, "Draft copy"))] * 4).text.count("Draft copy") == 4


@pytest.mark.parametrize("left", [63, 68])
def test_a_note_number_is_not_part_of_a_word_and_the_note_is_kept(left: float) -> None:
    lines = page(
        b"BT /F1 10 Tf 60 700 Td (It weighs 12 pounds) Tj /F1 6 Tf 4 Ts (1) Tj /F1 10 Tf 0 Ts ( when it is grown,) Tj "
        b"( and has 10) Tj /F1 6 Tf 4 Ts (6) Tj /F1 10 Tf 0 Ts ( hairs.) Tj ET",
        column(60, 688, PROSE),
        placed(60, 103, "1", size=5),
        placed(left, 100, "As told by its owner.", size=8),
    )
    blocks = blocks_of(lines)
    assert blocks[0][2].startswith("It weighs 12 pounds when it is grown, and has 10^6 hairs. The")
    assert blocks[-1] == ("note", 0, "1 As told by its owner.")


def test_a_word_that_is_broken_goes_on_in_letters_of_another_kind() -> None:
    lines = page(
        placed(60, 700, "Why is a record kept? There are sev-", size=BODY, font="F2"),
        placed(60, 688, "eral reasons, of which the owner is", size=BODY),
        placed(60, 676, "told.", size=BODY),
        column(60, 630, PROSE),
    )
    assert blocks_of(lines)[0][2] == "Why is a record kept? There are several reasons, of which the owner is told."


def test_letters_of_one_width_are_code() -> None:
    code = [placed(60, 590 - 12 * place, line, size=9, font="F3") for place, line in enumerate(["if ready:", "go()"])]
    code[1] = placed(60 + 4 * 5.4, 578, "go()", size=9, font="F3")
    blocks = blocks_of(page(column(60, 700, PROSE), placed(60, 605, "Type this:", size=BODY), code))
    assert blocks[-2:] == [("paragraph", 0, "Type this:"), ("code", 1, "if ready:\n    go()")]


def test_pages_that_lie_on_their_side_are_read_as_they_are_turned() -> None:
    lines = [placed(100 + 14 * place, 60, line, turned=True) for place, line in enumerate(PROSE)]
    stamp = placed(300, 770, "Copy made for the owner of it", size=8)
    assert [text for _, _, text in blocks_of(page(lines, stamp))] == [" ".join(PROSE), "Copy made for the owner of it"]


def test_numbers_before_the_lines_of_a_transcript_are_left_out() -> None:
    said = ["Q. Did you see the dog?", "A. I did see it, in the yard."] * 6
    lines = [
        drawn for place, line in enumerate(said) for drawn in row(700 - 20 * place, (60, str(place + 1)), (100, line))
    ]
    text = document_of(lines).text
    assert text.startswith("Q. Did you see the dog?")
    assert "12" not in text


@pytest.mark.parametrize("words", ["right", "wrong"])
def test_overprinted_text_appears_once(words: str) -> None:
    twice = page(placed(60, 700, f"All is {words}."), placed(60.2, 700, f"All is {words}."))
    assert document_of(twice).text == f"All is {words}."


def test_the_farewell_of_a_letter_is_no_part_of_the_paragraph_above_it() -> None:
    lines = [*PROSE, "Yours sincerely,", "Ada Moor"]
    blocks = blocks_of(page(column(50, 700, lines)))
    assert blocks == [
        ("paragraph", 0, " ".join(PROSE)),
        ("paragraph", 0, "Yours sincerely,"),
        ("paragraph", 0, "Ada Moor"),
    ]
