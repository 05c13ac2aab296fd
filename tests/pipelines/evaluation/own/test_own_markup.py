"""Source markup in an answer is found and named; prose, tables and code are not mistaken for it."""

from __future__ import annotations

import pytest

from pipelines.evaluation.own.markup import markup_shown


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Ovens\n=====\nAn oven is hot.", "heading underline"),
        ("Ovens ~~~~~ An oven is hot.", "heading underline"),
        ("=====  =====\nbread  cake\n=====  =====", "table rule"),
        ("bread | cake\n|---|---|\n1 | 2", "table rule"),
        ("+---+----+\n| a | b |", "table rule"),
        ("See :ref:`the oven <oven>`.", "role"),
        ("As :pep:8 says.", "role"),
        ("Call :py:meth:Oven.open first.", "role"),
        (".. note:: Ovens are hot.", "directive"),
        ("{{< note >}} Ovens are hot.", "shortcode"),
        ('{{% heading "objectives" %}}', "shortcode"),
        (".. _oven: https://oven.example", "link definition"),
        ("[oven]: https://oven.example", "link definition"),
        ("The `oven guide`_ says so.", "bare link"),
        ("As Oven_ says.", "bare link"),
        ("See [the guide](https://oven.example).", "Markdown link"),
        ("Use ``bake``.", "literal"),
        ("It is *very* hot.", "emphasis"),
        ("It is **hot**.", "emphasis"),
        ("---\ntitle: Ovens\n---\nOvens are hot.", "front matter"),
        ("Ovens are <b>hot</b>.", "HTML"),
        ("Line one.<br/>Line two.", "HTML"),
        ("Salt &amp; pepper", "HTML entity"),
    ],
)
def test_markup_is_found_and_named(text: str, kind: str) -> None:
    assert kind in markup_shown(text)


@pytest.mark.parametrize(
    "text",
    [
        "Heat the oven to 230 degrees - no more.",
        "- rye flour\n- salt\n  - sea salt",
        "schedule | meaning\n0 0 * * 0 | every week",
        "Pass *args and **kwargs on; __init__ and class_ are names.",
        "The ratio is 2:1, at 12:30, see https://oven.example/a_b.",
        "New in version 3.2: ovens. Note: they are hot.",
        "a < b and b > c; AT&T; {name: value}",
        "It takes two steps:\n1. Heat.\n2. Bake.",
    ],
)
def test_plain_text_shows_no_markup(text: str) -> None:
    assert markup_shown(text) == ()


def test_code_may_look_like_markup() -> None:
    code = "<p>{{ oven }}</p>\n.. note::"
    answer = f"A template:\n\n  {code.splitlines()[0]}\n{code.splitlines()[1]}"
    assert markup_shown(answer) == ("directive", "HTML")
    assert markup_shown(answer, [code]) == ()
    assert markup_shown(f"{answer}\nOvens are <b>hot</b>.", [code]) == ("HTML",)


@pytest.mark.parametrize("part", ["=", "= ", ":a", ".. _", "<a ", "*a", "[a", "|-"])
def test_long_repetitions_do_not_hang(part: str) -> None:
    assert isinstance(markup_shown(part * 50_000), tuple)
