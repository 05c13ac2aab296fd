"""A small library of papers as a server of the Model Context Protocol, in the manner of PubMed: search, then fetch.

``python papers.py`` answers on standard output what comes in on standard input. The papers are invented. A server of
your own would ask a real library in `search_papers` and `fetch_paper`.
"""

from __future__ import annotations

import re
from typing import Annotated

from mcp.server.mcpserver import MCPServer
from mcp_types import ToolAnnotations
from pydantic import BaseModel, Field


class Paper(BaseModel):
    """A paper as a search finds it."""

    id: str
    title: str
    journal: str
    year: int


class PaperText(Paper):
    """A paper with its abstract."""

    abstract: str


PAPERS = [
    PaperText(
        id="X1",
        title="Weight control and lameness in dogs with hip dysplasia",
        journal="Invented Journal of Small Animals",
        year=2021,
        abstract="Sixty overweight dogs with hip dysplasia lost a tenth of their weight in 16 weeks. Lameness scores "
        "fell by a third. Dogs that regained weight became lame again.",
    ),
    PaperText(
        id="X2",
        title="Screening Maine Coons for hypertrophic cardiomyopathy",
        journal="Invented Annals of Cat Medicine",
        year=2019,
        abstract="Of 120 Maine Coon cats 14 had hypertrophic cardiomyopathy on ultrasound. Yearly screening found the "
        "disease before signs in 11 of them.",
    ),
    PaperText(
        id="X3",
        title="Tooth brushing and periodontal disease in toy breeds",
        journal="Invented Journal of Small Animals",
        year=2023,
        abstract="Daily brushing halved gum inflammation in 40 toy dogs within eight weeks. Brushing once a week had "
        "no measurable effect.",
    ),
]
_WORD = re.compile(r"\w+")
_READS = ToolAnnotations(read_only_hint=True)


def build() -> MCPServer:
    """The server."""
    server = MCPServer("papers", log_level="ERROR")

    @server.tool(description="Find veterinary papers by words; returns ids, titles and years.", annotations=_READS)
    def search_papers(
        query: Annotated[str, Field(min_length=1, max_length=200)], most: Annotated[int, Field(ge=1, le=10)] = 3
    ) -> list[Paper]:
        words = _words(query)
        ranked = sorted(PAPERS, key=lambda paper: -len(words & _words(f"{paper.title} {paper.abstract}")))
        found = [paper for paper in ranked if words & _words(f"{paper.title} {paper.abstract}")]
        return [Paper(**paper.model_dump(exclude={"abstract"})) for paper in found[:most]]

    @server.tool(description="Read the abstract of a paper, named by its id.", annotations=_READS)
    def fetch_paper(paper_id: Annotated[str, Field(min_length=1, max_length=20)]) -> PaperText:
        found = next((paper for paper in PAPERS if paper.id == paper_id), None)
        if found is None:
            raise ValueError(f'there is no paper "{paper_id}"')
        return found

    return server


def _words(text: str) -> set[str]:
    return {word for word in _WORD.findall(text.lower()) if len(word) > 3}


if __name__ == "__main__":
    build().run("stdio")
