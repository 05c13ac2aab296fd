"""How candidates are found."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from pipelines.profile.values import Language, Number, OptionalPath, Section, Whole


class SparseSection(Section):
    """BM25 weights of the sparse leg."""

    language: Language = Field(default="english", description="stemmer and stop words")
    k: Number = Field(default=1.2, ge=0, description="saturation of a term's frequency")
    b: Number = Field(default=0.75, ge=0, le=1, description="how much a chunk's length counts")
    title_weight: Whole = Field(default=2, ge=1, le=10, description="how many times the title counts (see embedding)")


class Expansion(Section):
    """What the words of a question stand for: looked for by both legs, and read in the answer's sentences."""

    synonyms: OptionalPath = Field(
        default=None,
        description="file of synonyms, relative to the profile; each line has phrases that mean the same (`a, b`), or "
        "what one also stands for (`a => b`), or what is related to it (`a ~ b`), which BM25 alone looks for, at half "
        "the weight",
    )
    names: OptionalPath = Field(
        default=None,
        description="file of the same form, with names of things that must not be taken for each other, such as drugs: "
        "a passage about another one than the question names does not answer",
    )
    weight: Number = Field(
        default=0.3, gt=0, le=1, description="weight of an added word; the question's own words weigh 1"
    )
    spelling: bool = Field(
        default=True,
        description="whether a word of a question that neither the documents nor a dictionary of their language know "
        "stands for the word of the documents that is one letter away",
    )


class Retrieval(Section):
    """How candidates are found and ordered."""

    mode: Literal["hybrid", "dense", "sparse"] = Field(default="hybrid", description="legs to search")
    fusion: Literal["convex", "rrf"] = Field(default="convex", description="how the legs' lists are combined")
    dense_weight: Number = Field(default=0.5, ge=0, le=1, description="share of the dense leg in convex fusion")
    candidates: Whole = Field(default=100, ge=1, le=10_000, description="depth of each leg")
    top_k: Whole = Field(default=5, ge=1, le=10_000, description="number of hits, unless the request says")
    expansion: Expansion = Field(default_factory=Expansion, description="synonyms, names and spelling")
