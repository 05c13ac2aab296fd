"""YAML, TOML and INI files: kept as they are, cut at their sections with the comments above these."""

from __future__ import annotations

import pytest
from block_checks import assert_blocks_fit, shown

from pipelines.reading import read
from pipelines.types import ParsedDocument

YAML = """# The kennel's service.
port: 80
host: example.org

# What is kept.
storage:
  # Days.
  keep: 30
  disks:
    - name: a
      size: 1
  path: /var
limits: {rate: 5}
"""


def titles(document: ParsedDocument) -> list[tuple[int, str]]:
    return [(heading.level, heading.title) for heading in document.headings]


def test_yaml_is_cut_at_the_keys_that_hold_others() -> None:
    document = read(YAML.encode(), name="a.yaml")
    assert_blocks_fit(document)
    assert document.text == YAML.rstrip()
    assert titles(document) == [(1, "storage"), (2, "disks"), (2, "path"), (1, "limits")]
    assert shown(document)[1] == ("code", 0, "# What is kept.\nstorage:\n  # Days.\n  keep: 30")
    assert [block.line for block in document.blocks] == [1, 5, 9, 12, 13]


def test_toml_and_ini_are_cut_at_their_sections() -> None:
    text = "name = 1\n\n# Tests.\n[tool.tests]\nfast = true\n\n[[people]]\nname = 'Ann'\n"
    document = read(text.encode(), name="a.toml")
    assert_blocks_fit(document)
    assert document.text == text.rstrip()
    assert titles(document) == [(1, "tool.tests"), (1, "people")]
    assert shown(document)[1][2] == "# Tests.\n[tool.tests]\nfast = true"
    assert titles(read(b"; main\n[server]\nport=1\n", name="a.ini")) == [(1, "server")]


def test_a_file_without_sections_is_code() -> None:
    assert shown(read(b"# Where.\npath=/x\n", name="a.conf")) == [("code", 0, "# Where.\npath=/x")]


def test_long_values_are_cut_at_blank_lines() -> None:
    long = "text: |\n" + "\n\n".join(f"  line {number}" for number in range(100))
    document = read(long.encode(), name="a.yml")
    assert_blocks_fit(document)
    assert len(document.blocks) > 2
    assert document.text == long


@pytest.mark.parametrize("part", ["a:\n", " a:\n", "- ", "[", "[a", "'", "a: {", "!x ", "\t"])
def test_a_million_of_anything_is_read_in_time(part: str) -> None:
    content = part * (1_000_000 // len(part)) + "\nend: 1"
    for name in ("a.yaml", "a.toml"):
        assert_blocks_fit(read(content.encode(), name=name))
