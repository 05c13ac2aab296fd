"""Badges say nothing of what a document is about."""

import pytest

from pipelines.reading import read

SHIELD = "https://img.shields.io/pypi/v/lamps.svg"
TESTS = "https://github.com/keepers/lamps/actions/workflows/test.yml/badge.svg?branch=main"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.md", f"[![Version]({SHIELD})](https://lamps.example) ![Tests]({TESTS})\n\nLamps are lit at dusk.\n"),
        ("a.md", f'<p><img src="{SHIELD}" alt="Version"></p>\n\nLamps are lit at dusk.\n'),
        ("a.html", f'<body><p><a href="/"><img alt="Tests" src="{TESTS}"></a></p><p>Lamps are lit at dusk.</p></body>'),
        ("a.rst", f".. image:: {TESTS}\n   :alt: Tests\n   :target: /\n\nLamps are lit at dusk.\n"),
        ("a.rst", f"|version|\n\nLamps are lit at dusk.\n\n.. |version| image:: {SHIELD}\n   :alt: Version\n"),
    ],
)
def test_a_badge_leaves_no_words(name: str, text: str) -> None:
    assert read(text.encode(), name=name).text == "Lamps are lit at dusk."


def test_any_other_picture_keeps_its_words() -> None:
    assert read(b"![A lamp with two wicks](lamp.png)", name="a.md").text == "A lamp with two wicks"
