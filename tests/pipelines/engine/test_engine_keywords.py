"""Keywords in Python: a tenant of one document, without a language model."""

from tests.conftest import OpenTenant

LAMPS = """# Lamps

The lamp of the pier has served ships for a century, and lamps are cleaned in May. Lamps burn all night.

## Lamp colours

These lamp colours are used:

- green on the right
- red on the left
- white at the end
"""


def test_keywords_are_answered_as_the_question_that_they_ask(open_tenant: OpenTenant) -> None:
    engine = open_tenant("tenant: piers\nanswer: {abstain_below: 0}")
    engine.ingest(LAMPS)
    asked, keywords = engine.answer("Which lamp colours are there?"), engine.answer("lamp colours")
    assert keywords.text == asked.text
    assert "- red on the left" in keywords.text
    assert (keywords.question, keywords.rewritten_question) == ("lamp colours", None)
