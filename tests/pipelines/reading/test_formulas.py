"""LaTeX's formulas in Markdown, notebooks, reStructuredText and AsciiDoc are text in a line."""

import json

import pytest

from pipelines.reading import read
from pipelines.reading.formulas import formula_text
from tests.pipelines.reading.block_checks import assert_blocks_fit, shown_blocks


@pytest.mark.parametrize(
    ("latex", "expected"),
    [
        (r"\frac{a+1}{2b}", "(a+1)/(2b)"),
        (r"\frac{1}{2}b", "1/2b"),
        (r"\binom{n}{k}", "(n over k)"),
        (r"\begin{eqnarray} y &=& x \\ z &=& 2 \end{eqnarray}", "y = x, z = 2"),
        (r"x\tag{1}", "x (1)"),
        (r"x_{tide}^2 \leq \sqrt{y}", "x_tide^2 ≤ √y"),
        (r"\sum_{i=1}^n x_i", "∑_(i = 1)^n x_i"),
        (r"O(n \log n)", "O(n log n)"),
        (r"\hat{\beta} \to \mathbf{X}", "β̂ → X"),
        (r"\underbrace{a+b}_{\text{two boats}}", "a+b_(two boats)"),
        (r"\begin{align} a &= b \\ c &= d \label{x} \end{align}", "a = b, c = d"),
        (r"\begin{bmatrix}1 & 2\\3 & 4\end{bmatrix}", "[1, 2; 3, 4]"),
        (r"10\%", "10%"),
    ],
)
def test_a_formula_is_written_in_a_line(latex: str, expected: str) -> None:
    assert formula_text(latex) == expected


@pytest.mark.parametrize(
    "latex",
    [
        r"\frac{",
        "x_",
        r"\begin",
        r"\sqrt \def ~ #1",
        "{" * 1_900 + "x" + "}" * 99,
        "x" * 2_001,
        r"\skew 1 \end",
        r"\rule x_1",
        r"\newcommand{\a}{b}",
    ],
)
def test_a_formula_that_cannot_be_read_stays_as_it_is(latex: str) -> None:
    assert formula_text(latex) == latex


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        (r"The tide $h_t$ is $\frac{1}{2}$ of $n$, in $O(n)$.", "The tide h_t is 1/2 of n, in O(n)."),
        ("It costs $5 and $6, or US$10/US$20.", "It costs $5 and $6, or US$10/US$20."),
        ("Set $HOME/bin:$PATH, $FOO_BAR/$BAZ and ${A}_x/${B}.", "Set $HOME/bin:$PATH, $FOO_BAR/$BAZ and ${A}_x/${B}."),
        ("From $10 per {boat}$ or export $X_Y=$Z.", "From $10 per {boat}$ or export $X_Y=$Z."),
        ("Plan A: $5+tax/month; plan B: CA$.", "Plan A: $5+tax/month; plan B: CA$."),
        ("Earn $500+ or win$.", "Earn $500+ or win$."),
        ("R: df$price + df$cost is the sum.", "R: df$price + df$cost is the sum."),
        ("Use ${first}_${last} or $(src_dir)$(name).", "Use ${first}_${last} or $(src_dir)$(name)."),
        ("A boat is US$40 plus `a_b` and **C$** x.", "A boat is US$40 plus a_b and C$ x."),
        ("$HOME holds *your* sails and **$PATH** holds [oars](o.md).", "$HOME holds your sails and $PATH holds oars."),
        ("The $n$th tide, where $0 &lt; x$ and $y = mx + b_{max}$.", "The nth tide, where 0 < x and y = mx+b_max."),
        ("Write `$x_1$` or \\$x_1\\$.", "Write $x_1$ or $x_1$."),
        ("$$\nh_1\n= 3\n$$", "h_1 = 3"),
        ("Text\n$$h_1$$\nmore", "Text\n\nh_1\n\nmore"),
        ("- item\n  $$h_1$$\n\n> quote\n$$h_2$$", "- item\n\nh_1\n\nquote\n\nh_2"),
        ("\\begin{equation}\nE = mc^2\n\\end{equation}", "E = mc^2"),
    ],
)
def test_dollars_of_markdown_are_formulas_prices_or_variables(markdown: str, expected: str) -> None:
    document = read(markdown.encode(), name="a.md")
    assert_blocks_fit(document)
    assert document.text == expected


def test_a_formula_of_a_notebook_is_no_emphasis() -> None:
    cell = {"cell_type": "markdown", "metadata": {}, "source": [r"Here $\hat{y}_{t|t-1}$ and $y_{t}$ are heights."]}
    notebook = json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    assert read(notebook.encode(), name="a.ipynb").text == "Here ŷ_(t|t-1) and y_t are heights."


def test_formulas_of_restructuredtext_are_words_and_paragraphs() -> None:
    text = "Of :math:`\\frac{a}{b}` boats:\n\n.. math::\n   :label: x\n\n   a &= b \\\\\n   c &= d\n\n   x_1\n"
    document = read(text.encode(), name="a.rst")
    assert_blocks_fit(document)
    assert [words for _, _, words in shown_blocks(document)] == ["Of a/b boats:", "a = b, c = d", "x_1"]


def test_formulas_of_asciidoc_are_words() -> None:
    assert read(b"Of latexmath:[\\frac{a}{b}] boats.", name="a.adoc").text == "Of a/b boats."


@pytest.mark.parametrize(
    "part",
    [
        "$",
        "$$ a\n",
        "$$a b\n\n",
        "\\begin{align}\n\\end{x} y\n",
        "\\begin{equation}\n",
        "$a_",
        "$k=aaaaaaaaaa",
        "a$k b=1$",
    ],
)
def test_formulas_without_an_end_are_read_in_time(part: str) -> None:
    assert_blocks_fit(read((part * (60_000 // len(part)) + "\n\nend").encode(), name="a.md"))
