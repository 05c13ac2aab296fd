from pipelines.query.extractive import Extract
from pipelines.query.quoting import quoted, readable, without_repetition
from pipelines.types import Hit, Span, StoredText

TABLE = (
    "Breeds.\n\n| Breed | Walk | Note |\n|---|:---:|---|\n"
    "| Beagle | **60** min |  |\n| Pug | 20 min | snores \\| wheezes |\n"
)
LIST = "See a vet.\n\nSigns of bloat are:\n\n- a swollen belly\n- *drooling*, and\n- retching\n\nGo at once."


def extract(text: str, said: str, chunk: str | None = None) -> Extract:
    """The extract ``said`` of the chunk ``chunk`` of a text; without one the chunk is the whole text."""
    start = text.index(said)
    begin = text.index(chunk) if chunk else 0
    span = Span(begin, begin + len(chunk or text))
    hit = Hit("c", "d", 1, "t", "s", chunk or text, {}, 0.8, {}, span)
    return Extract(hit, said, Span(start, start + len(said)), 0.8)


def show(text: str, said: str, chunk: str | None = None) -> str:
    one = quoted(extract(text, said, chunk), StoredText(text))
    assert text[one.span.start : one.span.end] == one.quote
    return one.shown


def test_a_sentence_cut_at_the_edge_of_its_chunk_is_completed() -> None:
    text = "Cats purr. A beagle needs a walk of an hour every day, whatever the weather. Dogs bark."
    assert show(text, "A beagle needs a walk", "Cats purr. A beagle needs a walk") == text[11:76]
    assert show(text, "an hour every day, whatever the weather.", "an hour every day, whatever the weather. Dogs") == (
        "A beagle needs a walk of an hour every day, whatever the weather."
    )


def test_a_sentence_inside_its_chunk_is_left_as_it_is() -> None:
    text = "Cats purr. Dogs bark. Fish swim."
    assert show(text, "Dogs bark.") == "Dogs bark."


def test_a_sentence_without_an_end_in_reach_is_left_as_it_is() -> None:
    text = "word " * 1000
    assert show(text, "word word word", "word word word") == "word word word"


def test_of_a_deleted_text_the_hit_is_quoted() -> None:
    one = quoted(extract("Dogs bark. Cats pu", "Cats pu"), None)
    assert (one.quote, one.shown, one.stored) == ("Cats pu", "Cats pu", None)


def test_a_table_row_is_shown_with_the_names_of_its_columns() -> None:
    assert show(TABLE, "| Beagle | **60** min |  |") == "Breed: Beagle; Walk: 60 min"
    assert show(TABLE, "| Pug | 20 min | snores \\| wheezes |") == "Breed: Pug; Walk: 20 min; Note: snores | wheezes"


def test_a_row_of_a_table_without_a_head_is_shown_as_its_cells() -> None:
    text = "| Beagle | 60 min |\n| Pug | 20 min |\n"
    assert show(text, "| Pug | 20 min |") == "Pug; 20 min"


def test_a_list_item_that_is_no_sentence_is_shown_with_what_the_list_begins_with() -> None:
    assert show(LIST, "- a swollen belly") == "Signs of bloat are: a swollen belly"
    assert show(LIST, "- retching") == "Signs of bloat are: retching"


def test_a_list_item_that_is_a_sentence_stands_alone() -> None:
    text = "Do this:\n\n1. Wash the bowl.\n2. Dry it well."
    assert show(text, "2. Dry it well.") == "Dry it well."


def test_a_list_item_without_a_lead_in_stands_alone() -> None:
    assert show("Cats purr.\n\n- a swollen belly\n", "- a swollen belly") == "a swollen belly"
    assert show("Cats purr: loudly.\n\nNot this.\n\n- a belly\n", "- a belly") == "a belly"


def test_what_overlaps_or_was_shown_is_not_quoted_again() -> None:
    text = "Signs are:\n\n- a swollen belly\n- retching\n\nDogs bark."
    quotes = [quoted(extract(text, said), StoredText(text)) for said in ("- a swollen belly", "- retching")]
    assert without_repetition(quotes) == quotes[:1]
    other = quoted(extract(text, "Dogs bark."), StoredText(text))
    assert without_repetition([other, *quotes, other]) == [other, quotes[0]]


def test_a_quote_reads_as_prose_in_the_answer() -> None:
    assert readable("- **Hip dysplasia**: common\n  in `large` breeds.") == "Hip dysplasia: common in large breeds."
    assert readable("12. Wash the bowl.") == "Wash the bowl."
    assert readable("See [the guide](https://x.org/a_(b)) and ![a cat](cat.png).") == "See the guide and a cat."
    assert readable("A [note] (in brackets).") == "A [note] (in brackets)."


def test_footnotes_of_the_document_are_none_of_the_answer() -> None:
    text = "Beagles bark [1, 2], howl [3]【4】 and dig, see [5](https://a.b/c) and [the guide][6]."
    assert show(text, text) == "Beagles bark (1, 2), howl (3)(4) and dig, see 5 and [the guide](6)."
    table = "| Breed | Walk |\n|---|---|\n| Beagle [1] | 60 min |\n"
    assert show(table, "| Beagle [1] | 60 min |") == "Breed: Beagle (1); Walk: 60 min"
