"""Names of settings, options and other things of programs."""

import pytest

from pipelines.query.identifiers import lacks_identifier


@pytest.mark.parametrize(
    "text",
    [
        "The default of lamp.wick is 3.",
        "Settings > lamp: wick: How wide it is. Default: 3.",
        "Settings > lamp: - `wick`: How wide it is.",
        "[lamp]\n; in inches\nwick = 3\n",
        "lamp\nsettings.md\nHow lamps burn.\nwick\nHow wide it is. Default: 3.",
    ],
)
def test_a_key_stands_behind_or_below_the_name_of_its_section(text: str) -> None:
    assert not lacks_identifier("What is the default of lamp.wick?", text)


@pytest.mark.parametrize(
    "text",
    [
        "Settings > lamp: oil: What burns. Default: whale oil.",
        "Settings > stove: wick: How wide it is.",
        "A lamp has a wick.",
        "[lamp]\noil = whale\n\n[stove]\nlamp-wick-width = 3\n",
        f"[lamp]\n{'oil = whale' * 200}\nwick = 3\n",
    ],
)
def test_a_key_of_another_section_or_in_prose_is_another(text: str) -> None:
    assert lacks_identifier("What is the default of lamp.wick?", text)
