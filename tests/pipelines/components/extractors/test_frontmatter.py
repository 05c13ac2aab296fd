from typing import Any

import pytest

from pipelines.components.extractors.frontmatter import extract_frontmatter
from pipelines.errors import CorruptDocument
from pipelines.profile.sections.documents import FieldType, MetadataField
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
        "a: !!map x",
        "a: {[x]: 2}",
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
    ("yaml", "message"),
    [
        ("a: 1\n404: b", "has a key that is not a word, 404; put it in quotes"),
        ("2024-05-01: b", "has a key that is not a word, 2024-05-01; put it in quotes"),
        ("a: 1\n? [b, c]\n: d", r"in line 3 \(a key must be a word\)"),
        ("a: 1\nb: 2024-99-99", r'in line 3 \("2024-99-99" is not a valid timestamp\)'),
        ("a: 2024-05-01T12:00:00+99:00", r'in line 2 \("2024-05-01T12:00:00\+99:00" is not a valid timestamp\)'),
        ("a: !!int " + "x" * 1000, rf'in line 2 \("{"x" * 60}" is not a valid int\)'),
    ],
)
def test_what_is_wrong_is_named(yaml: str, message: str) -> None:
    with pytest.raises(CorruptDocument, match=message):
        extract_frontmatter(markdown(yaml))


WORDS: list[tuple[str, Any]] = [
    ("no", "no"),
    ("Off", "Off"),
    ("true", True),
    ("False", False),
    ("01234", "01234"),
    ("1:30", "1:30"),
    ("12:30:00", "12:30:00"),
    ("0x1F", "0x1F"),
    ("0b11", "0b11"),
    ("1e5", "1e5"),
    ("1.5e3", "1.5e3"),
    (".inf", ".inf"),
    ("=", "="),
    ("~", None),
    ("0", 0),
    ("-12", -12),
    ("1_000", 1000),
    ("1.5", 1.5),
    (".5", 0.5),
    ("1.5e+3", 1500.0),
    ("2024-05-01", "2024-05-01"),
    ("2024-05-01 12:30:00", "2024-05-01T12:30:00"),
]


@pytest.mark.parametrize(("word", "value"), WORDS)
def test_a_word_is_what_people_take_it_for(word: str, value: Any) -> None:
    found = extract_frontmatter(markdown(f"a: {word}\nb: [{word}]")).metadata
    assert found == {"a": value, "b": [value]}
    assert [type(one) for one in (found["a"], *found["b"])] == [type(value)] * 2


@pytest.mark.parametrize("word", [word for word, _ in WORDS])
def test_a_text_of_toml_stays_text(word: str) -> None:
    document = read(f'+++\na = "{word}"\n+++\n# Body'.encode(), name="a.md")
    assert extract_frontmatter(document).metadata == {"a": word}


def test_a_word_that_begins_a_line_may_be_any() -> None:
    assert extract_frontmatter(markdown("on: push\nno: 1")).metadata == {"on": "push", "no": 1}


@pytest.mark.parametrize(
    ("kind", "word", "value"),
    [
        ("boolean", "yes", True),
        ("boolean", "Off", False),
        ("boolean", "false", False),
        ("boolean", "perhaps", "perhaps"),
        ("integer", "02020", 2020),
        ("integer", "-08", -8),
        ("integer", "12:30", "12:30"),
        ("float", "05", 5),
        ("keyword", "no", "no"),
        ("keyword", "01234", "01234"),
        ("keywords", "[no, 007]", ["no", "007"]),
        ("datetime", "2024-05-01", "2024-05-01"),
    ],
)
def test_a_word_of_a_declared_field_is_of_its_type(kind: FieldType, word: str, value: Any) -> None:
    fields = {"a": MetadataField(type=kind)}
    assert extract_frontmatter(markdown(f"a: {word}\nb: no"), fields).metadata == {"a": value, "b": "no"}


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
