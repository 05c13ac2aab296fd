"""The numbers of a text with their units, so that sixty minutes and one hour are the same, and 60 kg is neither."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from pipelines.components.sentences import UNPARTED

_FACTORS: dict[str, tuple[str, float]] = {
    name: (dimension, factor)
    for dimension, factor, names in (
        ("time", 1 / 60_000, "millisecond milliseconds ms"),
        ("time", 1 / 60, "second seconds sec secs s"),
        ("time", 1, "minute minutes min mins"),
        ("time", 60, "hour hours hr hrs h"),
        ("time", 1440, "day days"),
        ("time", 10080, "week weeks"),
        ("months", 1, "month months"),
        ("months", 12, "year years yr yrs"),
        ("mass", 0.001, "milligram milligrams mg"),
        ("mass", 1e-6, "microgram micrograms mcg"),
        ("mass", 1, "gram grams gramme grammes g"),
        ("mass", 1000, "kilogram kilograms kg kgs kilo kilos"),
        ("mass", 28.349523, "ounce ounces oz"),
        ("mass", 453.59237, "pound pounds lb lbs"),
        ("length", 0.001, "millimetre millimetres millimeter millimeters mm"),
        ("length", 0.01, "centimetre centimetres centimeter centimeters cm"),
        ("length", 1, "metre metres meter meters m"),
        ("length", 1000, "kilometre kilometres kilometer kilometers km"),
        ("length", 0.0254, "inch inches"),
        ("length", 0.3048, "foot feet ft"),
        ("length", 1609.344, "mile miles"),
        ("volume", 0.001, "millilitre millilitres milliliter milliliters ml"),
        ("volume", 1, "litre litres liter liters l"),
        ("share", 1, "% percent"),
        ("temperature", 1, "°c celsius"),
        ("fahrenheit", 1, "°f fahrenheit"),
        ("dollars", 1, "$ dollar dollars usd"),
        ("euros", 1, "€ euro euros eur"),
    )
    for name in names.split()
}
_MULTIPLIERS = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_TEENS = (
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
WORDS = {word: float(value) for value, word in enumerate(_TEENS.split(), 2)}  # "one" mostly counts nothing
WORDS |= {word: 10.0 * tens for tens, word in enumerate(_TENS.split(), 2)}
"""What number words say, in lower case."""
_NUMBER = re.compile(
    rf"""(?<![^\W{UNPARTED}])(?<![.,])(?<![A-Za-z]-)(?P<currency>[$€])?\s?
        (?:(?P<digits>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?)(?:st|nd|rd|th)?|(?P<word>(?a:{"|".join(WORDS)}))\b)
        (?:[\s-](?P<multiplier>(?a:{"|".join(_MULTIPLIERS)}))\b)?
        (?=[\s-]{{0,2}}(?P<unit>%|°\s?[cf]\b|[a-z]+))?""",
    re.VERBOSE | re.IGNORECASE,
)
_ROUNDED = 0.02  # what turning one unit into another may lose
_MARKUP = re.compile(r"[*_`]")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number as it was written, its unit, and its value in the own unit of that dimension; None where it has none."""

    written: str
    number: float
    value: float
    unit: str | None
    dimension: str | None

    def agrees(self, other: Quantity) -> bool:
        """Return whether both may mean the same: equal values, and no two different units."""
        if self.dimension is None or other.dimension is None:  # the first of "5 to 10 kg" has no unit beside it
            return math.isclose(self.number, other.number)
        tolerance = 1e-9 if self.unit == other.unit else _ROUNDED
        return self.dimension == other.dimension and math.isclose(self.value, other.value, rel_tol=tolerance)


def quantities(text: str) -> list[Quantity]:
    """Return the numbers of a text, in digits or in words from two to ninety, in order."""
    plain = _MARKUP.sub("", " ".join(text.split())).replace("per cent", "percent")
    return [_quantity(found) for found in _NUMBER.finditer(plain)]


def missing(claimed: Sequence[Quantity], stated: Sequence[Quantity]) -> tuple[str, ...]:
    """Return the numbers of a claim, as written, that no number of the evidence agrees with."""
    return tuple(one.written for one in claimed if not any(one.agrees(other) for other in stated))


def _quantity(found: re.Match[str]) -> Quantity:
    number = float(found["digits"].replace(",", "")) if found["digits"] else WORDS[found["word"].lower()]
    number *= _MULTIPLIERS.get((found["multiplier"] or "").lower(), 1.0)
    unit = found["currency"] or (found["unit"] or "").lower().replace(" ", "")
    dimension, factor = _FACTORS.get(unit, (None, 1.0))
    plain_number = found[0].strip()
    written = plain_number if dimension is None or found["currency"] else f"{plain_number} {found['unit']}"
    return Quantity(written, number, number * factor, None if dimension is None else unit.rstrip("s"), dimension)
