"""Definitions in reStructuredText that are written without the syntax for them."""

from rst_samples import blocks


def test_names_above_an_indented_text_are_defined_by_it() -> None:
    assert blocks("""\
        ``draught``, ``-d``

          How deep the boat lies.

          *Default*: 1

        **Mast**

          Carries the sail.

        ``keel`` is below:

          A quote.

        Sail maker

          Sews :term:`sails`.

        He said it often.

          A quote.

        ``rudder``

          - only a list
        """) == [
        ("term", 0, "draught, -d"),
        ("definition", 1, "How deep the boat lies."),
        ("paragraph", 2, "Default: 1"),
        ("term", 0, "Mast"),
        ("definition", 1, "Carries the sail."),
        ("paragraph", 0, "keel is below:"),
        ("quote", 1, "A quote."),
        ("term", 0, "Sail maker"),
        ("definition", 1, "Sews sails."),
        ("paragraph", 0, "He said it often."),
        ("quote", 0, "A quote."),
        ("paragraph", 0, "rudder"),
        ("item", 1, "- only a list"),
    ]  # fmt: skip
