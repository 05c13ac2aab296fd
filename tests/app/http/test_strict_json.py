import pytest

from app.http.strict_json import MOST_NODES, InvalidJson, parse_json


def test_valid_json_is_parsed_as_python_does() -> None:
    text = '{"a": [1, 2.5, true, null, "\\ud83d\\ude00 \\u00e9"], "b": {"a": "x"}}'
    assert parse_json(text) == {"a": [1, 2.5, True, None, "\U0001f600 é"], "b": {"a": "x"}}


def test_64_levels_are_not_too_many() -> None:
    assert parse_json("[" * 64 + "]" * 64) is not None


def test_a_byte_order_mark_is_passed_over() -> None:
    assert parse_json(b'\xef\xbb\xbf{"a": 1}') == {"a": 1}


@pytest.mark.parametrize(
    ("raw", "path", "message"),
    [
        (b"", "", "not JSON: Expecting value (line 1, column 1)"),
        (b'{"a": }', "", "not JSON: Expecting value (line 1, column 7)"),
        (b'{"a": 1} x', "", "not JSON: Extra data (line 1, column 10)"),
        (b"\xff\xfe", "", "not UTF-8 text"),
        (b'{"a": NaN}', "", "NaN is not a number in JSON"),
        (b'{"a": -Infinity}', "", "-Infinity is not a number in JSON"),
        (b'{"a": [1e999]}', "a -> 0", "is too large a number"),
        (b'{"a": 9223372036854775808}', "a", "is a number beyond 64 bits"),
        (b'{"a": 1' + b"0" * 5000 + b"}", "", "is a number beyond 64 bits"),
        (b'{"a": 1, "a": 2}', "", 'the key "a" is written twice'),
        (b'{"x": {"a": "\\ud800"}}', "x -> a", "holds half a surrogate pair at character 0"),
        (b'{"\\udfff": 1}', "\\udfff", "holds half a surrogate pair at character 0"),
        (b'{"a": ["b\\u0000"]}', "a -> 0", "holds a NUL character"),
        (b"[" * 65 + b"]" * 65, "", "nested deeper than 64 levels"),
        (b"[" * 50_000, "", "nested deeper than 64 levels"),
    ],
)
def test_what_cannot_be_kept_is_refused_with_its_place(raw: bytes, path: str, message: str) -> None:
    with pytest.raises(InvalidJson) as caught:
        parse_json(raw)
    assert [(problem.path, problem.message) for problem in caught.value.problems] == [(path, message)]


def test_the_place_of_the_text_itself_comes_first() -> None:
    with pytest.raises(InvalidJson, match="metadata -> a: holds a NUL character"):
        parse_json('{"a": "\\u0000"}', "metadata")


def test_a_key_written_twice_is_found_among_hundreds() -> None:
    many = ", ".join(f'"a{number}": 1' for number in range(900))
    with pytest.raises(InvalidJson, match='the key "z" is written twice'):
        parse_json(f'{{{many}, "z": 1, "z": 1}}')


def test_a_list_may_hold_so_many_values_and_no_more() -> None:
    listed = f"[{','.join(['1'] * MOST_NODES)}]"
    with pytest.raises(InvalidJson, match="holds more than 100,000 values and keys"):
        parse_json(listed)
    assert len(parse_json(listed.replace("1,", "", 1))) == MOST_NODES - 1
