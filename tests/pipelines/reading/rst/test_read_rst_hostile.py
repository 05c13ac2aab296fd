"""reStructuredText with faults, or made to harm: it is read in time, reaches nothing, and changes nothing outside."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipelines.reading.rst import parsing
from pipelines.types import Heading
from tests.pipelines.reading.rst.rst_samples import rst, shown


def test_directives_read_no_files(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "secret.txt"
    path.write_text("Secret\n======\n")
    reading = f".. include:: {path}\n\n.. raw:: html\n   :file: {path}\n\n.. csv-table::\n   :file: {path}\n"
    assert shown(f"Top\n===\n\n{reading}\n.. literalinclude:: {path}\n") == "Top"
    assert capfd.readouterr() == ("", "")


def test_errors_of_markup_do_not_fail_the_file(capfd: pytest.CaptureFixture[str]) -> None:
    titles = "Top\n===\n\nDeep\n~~~~\n\nBack\n---\n"
    document = rst(f"{titles}\n`unclosed *emphasis |x|_\n\n.. figure::\n\nTitle too long\n=====\n\n====\nNo end\n")
    assert document.headings[0] == Heading(1, "Top", 0)
    assert "Title too long" in [heading.title for heading in document.headings]
    assert document.text.endswith("No end")
    assert capfd.readouterr() == ("", "")


def test_docutils_stays_as_it_is_for_others() -> None:
    from docutils.parsers.rst import directives, roles, states

    def registries() -> tuple[object, ...]:
        return dict(directives._directives), dict(roles._roles), list(states.RSTState.nested_sm_cache)

    before = registries()
    shown(".. role:: tea\n.. default-role:: code\n.. setting:: X\n\n:tea:`a` `b`\n\n.. note:: c\n\n   * d\n")
    assert registries() == before


@pytest.mark.parametrize(
    "text",
    [
        "- " * 50_000,
        "\n".join("  " * depth + "- a" for depth in range(400)),
        "\n".join("   " * depth + ".. note::\n" for depth in range(400)) + "   " * 400 + "a",
        "a " * 60_000,
    ],
)
def test_markup_too_deep_or_wide_to_parse_is_kept_as_text(text: str) -> None:
    assert rst(text).text.split() == text.split()


def test_markup_that_takes_too_many_steps_is_kept_as_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsing, "_MOST_STEPS", 1000)
    assert rst("First.\n\n" + ":a: b\n" * 1000).text.startswith("First.\n\n:a: b\n:a: b")


@pytest.mark.parametrize(
    "text",
    ["*a *b\n" * 3000, "a-" * 20_000, ".. _`a\n" + "   b\n" * 20_000, "  a\n\n  -- b\n\n" * 1000, "+-" * 500 + "+\n"],
)
def test_marks_without_an_end_are_read_in_time(text: str) -> None:
    assert rst(f"Hello.\n\n{text}").text.startswith("Hello.")


def test_substitutions_neither_loop_nor_grow_without_end() -> None:
    laughs = "".join(f".. |a{number}| replace:: |a{number - 1}| |a{number - 1}|\n" for number in range(1, 40))
    assert len(shown(f".. |a0| replace:: ha\n{laughs}\n" + "|a39| " * 2000)) < 1_000_000
    assert shown(".. |a| replace:: |b|\n.. |b| replace:: |a|\n\nSee |a|.\n").startswith("See ")
