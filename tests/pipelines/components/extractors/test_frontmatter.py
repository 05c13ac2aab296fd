import pytest

from pipelines.components.extractors.frontmatter import extract_frontmatter
from pipelines.errors import CorruptDocument
from pipelines.types import Heading, ParsedDocument


def markdown(text: str, **parts: object) -> ParsedDocument:
    return ParsedDocument(text=text, media_type="text/markdown", **parts)  # type: ignore[arg-type]


def test_keys_become_metadata_and_the_text_begins_behind_them() -> None:
    head = "---\ntitle: Care\ntopics: [a, b]\nsince: 2024-05-01\n---\n"
    found = extract_frontmatter(markdown(head + "# Body\n", headings=(Heading(1, "Body", len(head)),)))
    assert found.text == "# Body\n"
    assert found.title == "Care"
    assert found.metadata == {"title": "Care", "topics": ["a", "b"], "since": "2024-05-01"}
    assert found.headings == (Heading(1, "Body", 0),)


@pytest.mark.parametrize("head", ["---\n---\n", "---\n\n---\n", "--- \n  \n...\n"])
def test_empty_frontmatter_is_taken_off_too(head: str) -> None:
    found = extract_frontmatter(markdown(head + "# Body\n", headings=(Heading(1, "Body", len(head)),)))
    assert (found.text, found.metadata, found.headings) == ("# Body\n", {}, (Heading(1, "Body", 0),))


@pytest.mark.parametrize(
    "text",
    ["Body\n---\na: 1\n---\n", "--- a\nb", "---\nnever: closed", "----\na: 1\n----\n", "---\nProse.\n\n---\nMore."],
)
def test_what_is_no_frontmatter_is_left_alone(text: str) -> None:
    assert extract_frontmatter(markdown(text)).text == text


def test_other_formats_have_none() -> None:
    plain = ParsedDocument(text="---\na: 1\n---\n", media_type="text/plain")
    assert extract_frontmatter(plain) is plain


@pytest.mark.parametrize(
    "yaml",
    [
        "a: [1",
        "a: 1\n- b",
        "a: 'open",
        "1: 2",
        "d: 2024-99-99",
        "a: b: c",
        "a: !!int",
        "a: !!bool perhaps",
        "a: !!timestamp soon",
        "a: !!float 1" + ":1" * 300 + ".5",
    ],
)
def test_frontmatter_that_is_no_mapping_is_refused_with_advice(yaml: str) -> None:
    with pytest.raises(CorruptDocument, match="mend it or remove it"):
        extract_frontmatter(markdown(f"---\n{yaml}\n---\nBody"))


@pytest.mark.parametrize(
    "yaml",
    [
        "a: &a [*a]",
        "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]",
        "base: &base {a: 1}\nb: {<<: *base}",
        "a: " + "[" * 5_000,
        "a: " + "[" * 5_000 + "]" * 5_000,
    ],
)
def test_frontmatter_that_holds_itself_or_grows_without_end_is_refused_with_advice(yaml: str) -> None:
    with pytest.raises(CorruptDocument, match="mend it or remove it"):
        extract_frontmatter(markdown(f"---\n{yaml}\n---\nBody"))


def test_the_line_of_an_alias_is_named() -> None:
    with pytest.raises(CorruptDocument, match=r'in line 3 \(an alias, "\*bold"'):
        extract_frontmatter(markdown("---\na: 1\nb: *bold\n---\nBody"))
