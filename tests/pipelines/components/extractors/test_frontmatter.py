import pytest

from pipelines.components.extractors.frontmatter import extract_frontmatter
from pipelines.errors import CorruptDocument
from pipelines.reading import read
from pipelines.types import ParsedDocument


def markdown(frontmatter: str) -> ParsedDocument:
    return ParsedDocument("Body", "text/markdown", frontmatter=frontmatter)


def test_keys_become_metadata_and_the_title_the_documents() -> None:
    found = extract_frontmatter(markdown("title: Care\ntopics: [a, b]\nsince: 2024-05-01"))
    assert found.title == "Care"
    assert found.metadata == {"title": "Care", "topics": ["a", "b"], "since": "2024-05-01"}


def test_toml_is_read_like_yaml() -> None:
    document = read(b'+++\ntitle = "Care"\nsince = 2024-05-01\n+++\n# Body', name="a.md")
    assert extract_frontmatter(document).metadata == {"title": "Care", "since": "2024-05-01"}


def test_a_document_without_frontmatter_stays_as_it_is() -> None:
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
def test_frontmatter_that_is_not_a_mapping_is_refused_with_advice(yaml: str) -> None:
    with pytest.raises(CorruptDocument, match="mend it or remove it"):
        extract_frontmatter(markdown(yaml))


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
        extract_frontmatter(markdown(yaml))


def test_the_line_of_an_alias_is_named() -> None:
    with pytest.raises(CorruptDocument, match=r'in line 3 \(an alias, "\*bold"'):
        extract_frontmatter(markdown("a: 1\nb: *bold"))
