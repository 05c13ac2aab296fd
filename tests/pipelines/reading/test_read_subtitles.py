"""Subtitles: what is said is text in paragraphs, with its speakers, and each paragraph is a page with its time."""

from __future__ import annotations

import time

import pytest

from pipelines.errors import CorruptDocument
from pipelines.reading import read
from pipelines.types import ParsedDocument
from tests.pipelines.reading.block_checks import assert_blocks_fit, shown_blocks

MEETING = """WEBVTT - Harbour meeting

NOTE recorded by hand

STYLE
::cue { color: white }

1f0a/7-0
00:00:01.000 --> 00:00:03.500 align:start
<v Ann Reed>We close the north pier on Monday,

1f0a/7-1
00:00:03.500 --> 00:00:06.000
<v Ann Reed>for <i>three</i> weeks.</v>

1f0a/9-0
00:00:06.500 --> 00:00:08.000
<v Ben Oak>And the ferry &amp; the barges?

00:01:10.000 --> 00:01:12.000
<v Ann Reed>They use the south pier.
"""


def read_subtitles(text: str, name: str = "a.vtt") -> ParsedDocument:
    document = read(text.encode(), name=name)
    assert_blocks_fit(document)
    return document


def paragraphs(document: ParsedDocument) -> list[str]:
    return [text for _, _, text in shown_blocks(document)]


def test_what_one_speaker_says_is_a_paragraph_with_the_name() -> None:
    document = read_subtitles(MEETING)
    assert paragraphs(document) == [
        "Ann Reed: We close the north pier on Monday, for three weeks.",
        "Ben Oak: And the ferry & the barges?",
        "Ann Reed: They use the south pier.",
    ]
    assert document.title == "Harbour meeting"
    assert [block.line for block in document.blocks] == [9, 17, 20]


def test_a_paragraph_is_a_page_with_the_time_of_its_first_words() -> None:
    document = read_subtitles(MEETING + "\n01:02:03.000 --> 01:02:05.000\n<v Ben Oak>Good.\n")
    found = [(page.number, page.label, document.text[page.span.start : page.span.end]) for page in document.pages]
    assert [found[0][:2], *found[1:]] == [
        (1, "0:01"),
        (2, "0:06", "Ben Oak: And the ferry & the barges?"),
        (3, "1:10", "Ann Reed: They use the south pier."),
        (4, "1:02:03", "Ben Oak: Good."),
    ]


def test_names_in_front_of_several_cues_are_speakers_and_a_note_is_none() -> None:
    document = read_subtitles(
        "1\n00:00:01,000 --> 00:00:02,000\nAnn Reed: Good morning,\n\n"
        "2\n00:00:02,000 --> 00:00:03,000\neverybody.\n\n"
        "3\n00:00:03,000 --> 00:00:04,000\nReminder: we stop at ten.\n\n"
        "4\n00:00:04,000 --> 00:00:05,000\nBen: Yes.\n\n"
        "5\n00:00:09,000 --> 00:00:10,000\nBen: Let us begin.\n",
        "a.srt",
    )
    assert paragraphs(document) == [
        "Ann Reed: Good morning, everybody. Reminder: we stop at ten.",
        "Ben: Yes.",
        "Ben: Let us begin.",
    ]


def cues(*shown: str) -> str:
    times = (f"00:00:{n:02}.000 --> 00:00:{n:02}.900" for n in range(len(shown)))
    return "WEBVTT\n\n" + "".join(f"{time}\n{text}\n\n" for time, text in zip(times, shown, strict=True))


def test_where_every_cue_has_a_name_who_speaks_once_is_a_speaker() -> None:
    document = read_subtitles(cues("Reed, Ann: Good morning.", "Oak, Ben: Hi.", "Reed, Ann: Let us begin."))
    assert paragraphs(document) == ["Reed, Ann: Good morning.", "Oak, Ben: Hi.", "Reed, Ann: Let us begin."]


@pytest.mark.parametrize("shown", ["<v Reed, Ann>We close.</v> It rains.", "<v Reed, Ann>We close.\n<v >It rains."])
def test_nobody_says_what_follows_a_voice_or_has_one_without_a_name(shown: str) -> None:
    assert paragraphs(read_subtitles(cues(shown))) == ["Reed, Ann: We close.", "It rains."]


@pytest.mark.parametrize(
    "times",
    [
        "00:00:01 --> 00:00:02",
        "00: 00: 01, 000 --> 00: 00: 02, 000",
        "-00:00:01,000 --> 00:00:02,000",
        "123456:00:01.000-->123456:00:02.000000",
    ],
)
def test_times_that_are_written_oddly_lose_no_cue(times: str) -> None:
    document = read_subtitles(f"1\n{times}\nIt opens.\n\n2\n00:00:09,000 --> 00:00:10,000\nIt closes.\n", "a.srt")
    assert document.text.split() == ["It", "opens.", "It", "closes."]


def test_a_cue_goes_on_after_an_empty_line() -> None:
    document = read_subtitles(
        "1\n00:00:01,000 --> 00:00:02,000\n\nIt opens\n\nat nine\n\n"
        "2\n00:00:02,000 --> 00:00:03,000\n\n3\n00:00:03,000 --> 00:00:04,000\nand closes\n\nat ten.\n",
        "a.srt",
    )
    assert document.text == "It opens at nine and closes at ten."


def test_comments_and_names_of_cues_are_not_said() -> None:
    comments = "NOTE\nheard badly\ntwice\n\nNOTE once\n\nSTYLE\n::cue { color: red }\n\ncue b\n"
    document = read_subtitles(cues("NOTE that it opens") + comments + "00:00:01.000 --> 00:00:02.000\nat nine.\n")
    assert document.text == "NOTE that it opens at nine."


def test_a_number_of_no_character_is_left_out() -> None:
    assert read_subtitles(cues(f"It opens &#{'1' * 5000}; &#97;t nine.")).text == "It opens at nine."


def test_dashes_and_arrows_begin_what_another_one_says() -> None:
    document = read_subtitles(
        "1\n00:00:01,000 --> 00:00:02,000\n{\\an8}- Where is it?\n- In the\nharbour.\n\n"
        "2\n00:00:02,000 --> 00:00:03,000\n>> Thank you.\n",
        "a.srt",
    )
    assert paragraphs(document) == ["Where is it?", "In the harbour.", "Thank you."]


def test_lines_that_scroll_up_are_said_once() -> None:
    document = read_subtitles(
        "WEBVTT\nKind: captions\nLanguage: en\n\n"
        "00:00:00.000 --> 00:00:02.000\n \nthe <00:00:00.500><c>tide</c> comes\n\n"
        "00:00:02.000 --> 00:00:02.010\nthe tide comes\n \n\n"
        "00:00:02.010 --> 00:00:04.000\nthe tide comes\ntwice a<c> day</c>\n\n"
        "00:00:04.000 --> 00:00:04.010\ntwice a day\n \n"
    )
    assert document.text == "the tide comes twice a day"
    assert document.title is None


def test_what_is_said_twice_stays_where_lines_do_not_scroll() -> None:
    cues = ["No.", "No.", "We said it before.", "It is closed."]
    document = read_subtitles("\n\n".join(f"00:00:0{n}.000 --> 00:00:0{n}.900\n{cue}" for n, cue in enumerate(cues)))
    assert document.text == "No. No. We said it before. It is closed."


def test_a_pause_after_a_sentence_and_a_long_paragraph_begin_another_one() -> None:
    document = read_subtitles(
        "WEBVTT\n\n00:01.000 --> 00:02.000\nIt opens\n\n00:09.000 --> 00:10.000\nat nine.\n\n"
        "00:20.000 --> 00:21.000\nIt closes at six.\n"
    )
    assert paragraphs(document) == ["It opens at nine.", "It closes at six."]
    long = [f"{n // 60:02}:{n % 60:02}.000 --> {n // 60:02}:{n % 60:02}.900\nWords number {n}." for n in range(100)]
    assert all(len(text) < 600 for text in paragraphs(read_subtitles("WEBVTT\n\n" + "\n\n".join(long))))


def test_cues_that_no_empty_line_parts_are_read() -> None:
    bare = read_subtitles("00:01.000 --> 00:02.000\nOne\n00:02.000 --> 00:03.000\ntwo.\n")
    assert bare.text == "One two."
    document = read_subtitles(
        "1\n00:00:01,000 --> 00:00:02,000\nOne\n2\n00:00:02,000 --> 00:00:03,000\ntwo.\n", "a.srt"
    )
    assert document.text == "One two."


def test_a_question_is_the_heading_of_what_another_one_replies() -> None:
    turns = ["Ann: When does the pier open?", "Ben: At nine.", "Ann: Who has the key?", "Ben: The harbour master."]
    cues = [f"00:00:0{n}.000 --> 00:00:0{n}.900\n{turn}" for n, turn in enumerate(turns)]
    document = read_subtitles("WEBVTT\n\n" + "\n\n".join(cues))
    assert [heading.title for heading in document.headings] == [turns[0], turns[2]]
    assert [page.label for page in document.pages] == ["0:00", "0:01", "0:02", "0:03"]


def test_a_file_without_times_says_what_to_do() -> None:
    with pytest.raises(CorruptDocument, match=r"no line has times .* call it \.txt"):
        read(b"WEBVTT\n\nNothing is said.\n", name="a.vtt")


@pytest.mark.parametrize(
    "cue",
    [
        "<v " * 100_000,
        "<v" + " " * 4_000_000 + "x",
        "a\n" * 100_000,
        "<v A>" * 50_000 + "x",
        "{\\" * 100_000,
        "Ann. Reed. " * 50_000 + ": x",
    ],
)
def test_a_hostile_cue_takes_linear_time(cue: str) -> None:
    began = time.process_time()
    read(f"WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n{cue}\n".encode(), name="a.vtt")
    assert time.process_time() - began < 6
