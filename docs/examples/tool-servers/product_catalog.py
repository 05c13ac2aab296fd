"""A product catalogue of a pet shop as a server of the Model Context Protocol: the one of `configs/smartbreeds`' demo.

``python product_catalog.py`` answers on standard output what comes in on standard input.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal

from mcp.server.mcpserver import MCPServer
from mcp_types import ToolAnnotations
from pydantic import BaseModel, Field

SOLD_OUT = "FeatherDash cat toy"


class Product(BaseModel):
    """A product of the shop."""

    id: str
    name: str
    species: list[str]
    description: str
    price: str
    in_stock: bool


PRODUCTS = [
    Product(
        id=f"p{number}", name=name, species=species, description=description, price=price, in_stock=name != SOLD_OUT
    )
    for number, (name, species, description, price) in enumerate(
        [
            ("CozyRest orthopedic dog bed", ["dog"], "Memory foam that eases stiff joints.", "64.90 EUR"),
            ("TrailMate dog harness", ["dog"], "Padded, for long walks with strong dogs.", "32.50 EUR"),
            ("SlowBowl feeder", ["dog", "cat"], "A maze bowl that slows eating down.", "14.95 EUR"),
            ("FeatherDash cat toy", ["cat"], "A wand with feathers for indoor cats.", "8.75 EUR"),
            ("SilkComb slicker brush", ["dog", "cat"], "Fine bristles for long coats.", "17.20 EUR"),
        ],
        1,
    )
]
_WORD = re.compile(r"\w+")


def build() -> MCPServer:
    """The server."""
    server = MCPServer("catalog", log_level="ERROR")

    @server.tool(
        title="Product catalogue",
        description="Find products of the shop by words, with their prices and whether they are in stock.",
        annotations=ToolAnnotations(read_only_hint=True),
    )
    def search_products(
        query: Annotated[str, Field(min_length=1, max_length=200)],
        species: Literal["dog", "cat"] | None = None,
        most: Annotated[int, Field(ge=1, le=10)] = 3,
    ) -> list[Product]:
        words = set(_WORD.findall(query.lower()))

        def common(product: Product) -> int:
            return len(words & set(_WORD.findall(f"{product.name} {product.description}".lower())))

        fitting = [product for product in PRODUCTS if species is None or species in product.species]
        return [product for product in sorted(fitting, key=common, reverse=True) if common(product)][:most]

    return server


if __name__ == "__main__":
    build().run("stdio")
