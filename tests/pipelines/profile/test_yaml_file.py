from pathlib import Path

import pytest

from pipelines.errors import ProfileError
from pipelines.profile.yaml_file import read_yaml


def test_an_empty_file_is_an_empty_mapping(write):
    assert read_yaml(write("")) == {}
    assert read_yaml(write("# only words\n---\n")) == {}


def test_words_that_yaml_1_1_takes_for_booleans_are_words(write):
    assert read_yaml(write("a: no\nb: off\nc: Yes\nd: y\ne: true")) == {
        "a": "no",
        "b": "off",
        "c": "Yes",
        "d": "y",
        "e": True,
    }


@pytest.mark.parametrize("written", ["2026-01-25", "12:30", "007", "0x1f", "1.2.3", "_1", ".", "-", "1e", "<"])
def test_number_like_words_are_text(written, write):
    assert read_yaml(write(f"a: '{written}'\nb: {written}" if written != "-" else "a: '-'\nb: '-'"))["b"] == written


@pytest.mark.parametrize(
    ("written", "number"),
    [("0", 0), ("-12", -12), ("5_000_000", 5_000_000), ("0.5", 0.5), (".5", 0.5), ("1e8", 1e8), ("-2.5e-3", -0.0025)],
)
def test_numbers_are_numbers(written, number, write):
    value = read_yaml(write(f"a: {written}"))["a"]
    assert (value, type(value)) == (number, type(number))


def test_nothing_is_null_however_it_is_written(write):
    assert read_yaml(write("a:\nb: ~\nc: null")) == {"a": None, "b": None, "c": None}


def test_anchors_and_merge_keys_work(write):
    text = "nested: {deep: &one {<<: &zero {m: 1, k: 2}, m: 3}}\nother: {<<: *one, k: 4}\nagain: *one"
    found = read_yaml(write(text))
    assert found["nested"]["deep"] == found["again"] == {"m": 3, "k": 2}
    assert found["other"] == {"m": 3, "k": 4}


def test_a_byte_order_mark_is_not_part_of_the_text(write):
    assert read_yaml(write(b"\xef\xbb\xbftenant: acme")) == {"tenant": "acme"}


def test_windows_line_ends_are_line_ends(write):
    assert read_yaml(write("a: 1\r\nb: x\r\n")) == {"a": 1, "b": "x"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: 1\nretrieval:\n\ttop_k: 3", "line 3, column 1: found character '\\t' that cannot start any token"),
        ("a: 1\nb: {c: 1, c: 2}", 'line 2, column 11: key "c" is written twice'),
        ("a: 1\nb: 2\na: 3", 'line 3, column 1: key "a" is written twice'),
        ("a: [1, 2", "line 1, column 9"),
        ("a: b: c", "line 1, column 5: mapping values are not allowed here"),
        ("a: 1\n---\nb: 2", "line 2, column 1: but found another document"),
        ("a: *gone", "line 1, column 4: no finished anchor has this name"),
        ("a: &a [*a]", "line 1, column 8: no finished anchor has this name"),
        ("a: 1\nb: !secret x", 'line 2, column 4: text that begins with "!" must stand in quotes'),
        ("a: !!python/object:os.system x", "line 1, column 4"),
        ("a: !!int x", "line 1, column 4"),
        ("? [a, b]\n: c", "line 1, column 3: a key must be a word"),
        ("a: 1\nb: x\x07y", "line 2, column 5: the character #x07 is not allowed"),
        ("[" * 5000, "nests too deep"),
    ],
)
def test_bad_yaml_is_refused_with_its_place(text, said, problems):
    (problem,) = problems(text)
    assert said in problem


def test_a_tab_is_called_a_tab(problems):
    assert problems("a:\n\tb: 1")[0].endswith("(a tab: indent with spaces)")


def test_a_reference_that_yaml_takes_for_a_mapping_is_explained(problems):
    (problem,) = problems("store: {engine: server, url: ${QDRANT_URL}}")
    assert 'between { } a ${NAME} must stand in quotes: "${NAME}"' in problem


def test_text_that_begins_with_a_star_is_not_repeated(problems):
    """It may be a secret that somebody pasted."""
    assert "s3cret" not in problems("auth: {keys: [{name: a, secret: *s3cret, role: reader}]}")[0]


@pytest.mark.parametrize("text", ["[a, b]", "just text", "7", "true"])
def test_a_file_that_is_not_a_mapping_is_refused(text, problems):
    assert problems(text) == ["must be a mapping of keys to values"]


def test_a_file_that_is_not_utf_8_is_refused_with_the_place(problems):
    assert problems("title: Käse".encode("latin-1")) == ["not UTF-8 text: byte 9 cannot be read; save it as UTF-8"]
    assert "not UTF-8 text" in problems("title: x".encode("utf-16"))[0]


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs Linux's /proc")
def test_a_file_that_cannot_be_read_is_refused():
    with pytest.raises(ProfileError, match="cannot be read: Input/output error"):
        read_yaml(Path("/proc/self/mem"))


def test_a_folder_is_not_a_file(tmp_path):
    with pytest.raises(ProfileError, match="cannot be read: Is a directory"):
        read_yaml(tmp_path)


@pytest.mark.parametrize("form", ["[{}]", "{{<<: [{}]}}"])
def test_aliases_that_stand_for_a_flood_of_values_are_refused(form, problems):
    lines = ["a0: &a0 " + ("{x: 1}" if "<<" in form else "[1]")]
    lines += [f"a{n}: &a{n} " + form.format(", ".join([f"*a{n - 1}"] * 9)) for n in range(1, 9)]
    (problem,) = problems("\n".join(lines))
    assert "its aliases stand for more than 100000 values" in problem
