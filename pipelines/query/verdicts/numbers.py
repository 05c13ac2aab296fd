"""The numbers of a text with their units, so that sixty minutes and one hour are the same, and 60 kg is neither."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pipelines.components.sentences import UNPARTED
from pipelines.query.verdicts.bounds import Bound, bound_of
from pipelines.query.verdicts.units import FACTORS

_MULTIPLIERS = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_SUFFIXES = {"k": 1e3, "M": 1e6, "bn": 1e9}
_TEENS = (
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
WORDS = {word: float(value) for value, word in enumerate(_TEENS.split(), 2)}  # "one" mostly counts nothing
WORDS |= {word: 10.0 * tens for tens, word in enumerate(_TENS.split(), 2)}
"""What number words say, in lower case."""
_DATE = r"(?P<date>\d{4}-\d{2}-\d{2}|\d{1,2}(?P<slash>[/.])\d{1,2}(?P=slash)\d{4})(?![\w-]|\.\d)"
_CLOCK = r"""(?P<hour>[01]?\d|2[0-4])(?:(?::(?P<minute>[0-5]\d)(?!:?\d))(?:\s?(?P<half>[ap])\.?m\b)?
             |\s?(?P<half_alone>[ap])\.?m\b)"""
_DIGITS = r"""(?P<digits>\d{1,3}(?:[,']\d{3})+(?:\.\d+)?(?!\d)   # 1,500.25
             |\d{1,3}(?:\.\d{3})+,\d+                          # 1.500,25
             |\d{1,3}(?:\ \d{3})+(?:[.,]\d+)?(?![\d:])          # 1 500
             |\d+,\d+(?![\d,])                                 # 1,5
             |\d+(?:\.\d+)*|(?<!\w)\.\d+)
             (?:(?P<suffix>(?-i:[kK]|M|bn))\b|st|nd|rd|th)?"""
_NUMBER = re.compile(
    rf"""(?<![^\W{UNPARTED}])(?<![.,])(?<![A-Za-z]-)
        (?P<sign>(?:(?<![\w)\]}}.%\-\u2013\u2212])(?<!\d\s)[-\u2013\u2212](?=[$\u20ac\u00a3\u00a5.]?\d)|minus\s)?)
        (?P<currency>[$\u20ac\u00a3\u00a5])?\s?
        (?:{_DATE}|{_CLOCK}|{_DIGITS}|(?P<word>(?a:{"|".join(WORDS)}))\b)
        (?:[\s-](?P<multiplier>(?a:{"|".join(_MULTIPLIERS)}))\b)?
        (?=[\s-]{{0,2}}(?P<unit>%|°\s?[cf]\b|[$\u20ac\u00a3\u00a5]|[a-z\u00b5\u03bc]+))?""",
    re.VERBOSE | re.IGNORECASE,
)
_COUNTED = r"(?:(?:full|whole|single|calendar)\s+)?(?P<unit>[a-z]+)\b"
_IMPLIED = re.compile(
    rf"\b(?:one|(?:for|within|after|is|than|last(?:s|ed|ing)?|takes?|took)\s+an?)\s+{_COUNTED}", re.IGNORECASE
)
_ZERO = re.compile(r"\bzero\b", re.IGNORECASE)
_BELOW_ZERO = re.compile(
    r"\s*(?:(?:°\s?[cf]?|degrees?|celsius|fahrenheit)\s+){1,2}below\s+(?:zero|freezing)\b", re.IGNORECASE
)
_GROUPS_OF_THREE = re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+")
_VERSION_BEFORE = re.compile(r"\b(?:(?i:versions?|releases?)\b[^.!?]{0,40}|[A-Z]\w+\s)\Z")
_REACH = 60  # characters before a number that may call it a version
_NARROW_BLANK = re.compile(r"(?<=\d)[\u00a0\u2007\u2009\u202f](?=\d{3}(?!\d))|(?<=\d)\u2019(?=\d{3}(?!\d))")
_DIGIT_RUN = re.compile(r"\d+")
_DECIMAL_COMMA = re.compile(r"^\d+,(?:\d{1,2}|\d{4,})$|[. ']\d{3},\d+$")
_TRAILING_ZEROS = re.compile(r"(?:\.0)+$")
_HALF_A_DAY_H = 12
_HALF_A_DAY_MIN = 720
_ROUNDED = 0.02  # what turning one unit into another may lose
_MARKUP = re.compile(r"[*_`]")
_POUNDS = frozenset(("\u00a3", "pound"))


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number as it was written, its unit, and its value in the own unit of that dimension; None where it has none.

    Attributes:
        spelt: The digits of a version, a date, or a number that may be a version; "" for others.
        grouped: What "1.500" says where points part thousands; None where they cannot.
        comma: Whether a comma parts the decimals.
        bound: What it is the least or the most of.
        parts: The numbers that it is where it is no single one: "1 500", or a date.
    """

    written: str
    number: float
    value: float
    unit: str | None
    dimension: str | None
    spelt: str = ""
    grouped: float | None = None
    comma: bool = False
    bound: Bound | None = None
    parts: tuple[Quantity, ...] = ()

    def agrees(self, other: Quantity) -> bool:
        """Return whether ``other`` may say this one: equal values, and no two different units."""
        known = {self.dimension, other.dimension}
        if "date" in known:
            return len(known) == 1 and _same_day(self.spelt, other.spelt)
        if "version" in known and self.spelt and other.spelt:
            return self._is_version_of(other)
        if known == {"clock"}:
            return self._is_time_of(other)
        in_pounds = self.unit in _POUNDS and other.unit in _POUNDS
        if None in known or self.unit == other.unit or in_pounds:  # the first of "5 to 10 kg" has no unit beside it
            return self._equals(other)
        return len(known) == 1 and math.isclose(self.value, other.value, rel_tol=_ROUNDED)

    def _equals(self, other: Quantity) -> bool:
        if self.number == other.grouped or other.number == self.grouped:
            return True
        other_notation = (self.grouped and other.comma) or (other.grouped and self.comma)
        return not other_notation and math.isclose(self.number, other.number)

    def _is_version_of(self, other: Quantity) -> bool:
        mine, theirs = (_TRAILING_ZEROS.sub("", one.spelt) for one in (self, other))
        in_groups = self.grouped is not None and self.grouped in (other.grouped, other.number)
        return (
            in_groups
            or mine == theirs
            or ("." in mine and theirs.startswith(f"{mine}."))
            or self.number == other.grouped
        )

    def _is_time_of(self, other: Quantity) -> bool:
        """Return whether both are one time of day; "5:00" may be in the morning or in the afternoon."""
        open_halves = any(one.unit == "" and one.number <= _HALF_A_DAY_H for one in (self, other))
        return self.value == other.value or (open_halves and (self.value - other.value) % _HALF_A_DAY_MIN == 0)


def quantities(text: str) -> list[Quantity]:
    """Return the numbers of a text, in digits or in words from two to ninety, in order."""
    return [_quantity(found) for found in _NUMBER.finditer(_plain(text))]


def stated_quantities(text: str) -> list[Quantity]:
    """Return the numbers that a text tells, also those that a claim need not repeat: "zero", "for one year"."""
    return [*quantities(text), *_implied(_plain(text))]


def missing(claimed: Sequence[Quantity], stated: Sequence[Quantity]) -> tuple[str, ...]:
    """Return the numbers of a claim, as written, that no number of the evidence agrees with."""
    known = [*stated, *(part for one in stated for part in one.parts)]
    return tuple(one.written for one in claimed if not _is_told(one, known))


def _is_told(claimed: Quantity, known: Sequence[Quantity]) -> bool:
    if any(claimed.agrees(other) for other in known):
        return True
    if not claimed.parts or (claimed.dimension == "date" and any(other.dimension == "date" for other in known)):
        return False
    return all(_is_told(part, known) for part in claimed.parts)


def _plain(text: str) -> str:
    text = _NARROW_BLANK.sub("'", _MARKUP.sub("", text))
    return " ".join(text.split()).replace("per cent", "percent")


def _quantity(found: re.Match[str]) -> Quantity:
    if found["date"]:
        parts = tuple(_bare_number(one) for one in _DIGIT_RUN.findall(found["date"]))
        return Quantity(found["date"], math.nan, math.nan, None, "date", found["date"], parts=parts)
    if found["hour"]:
        return _time(found)
    number, spelt = _number(found)
    unit = found["currency"] or (found["unit"] or "").lower().replace(" ", "")
    dimension, factor = FACTORS.get(unit, (None, 1.0))
    plain_number = found[0].strip()
    written = plain_number if dimension is None or found["currency"] else f"{plain_number} {found['unit']}"
    if dimension is None and _may_be_version(found, spelt):
        dimension = "version"
    return Quantity(
        written,
        number,
        number * factor,
        None if dimension in (None, "version") else unit.rstrip("s"),
        dimension,
        spelt,
        float(spelt.replace(".", "")) if _GROUPS_OF_THREE.fullmatch(spelt) else None,
        _is_decimal_comma(found["digits"] or ""),
        bound_of(found.string, found.start(), found.end()),
        tuple(map(_bare_number, spelt.split())) if " " in spelt else (),
    )


def _number(found: re.Match[str]) -> tuple[float, str]:
    """Return the value of a number, and its digits as they are written."""
    spelt = found["digits"] or f"{WORDS[found['word'].lower()]:g}"
    negative = found["sign"] or _BELOW_ZERO.match(found.string, found.end())
    factor = _SUFFIXES.get(found["suffix"] if found["suffix"] != "K" else "k", 1.0) if found["suffix"] else 1.0
    factor *= _MULTIPLIERS.get((found["multiplier"] or "").lower(), 1.0)
    return _value(spelt) * (-factor if negative else factor), spelt


def _value(digits: str) -> float:
    """Return what digits say: a comma parts thousands before three digits, and decimals before others."""
    digits = digits.replace(" ", "").replace("'", "")
    if _is_decimal_comma(digits):
        digits = digits.replace(".", "").replace(",", ".")
    return float(".".join(digits.replace(",", "").split(".")[:2]))


def _is_decimal_comma(digits: str) -> bool:
    return _DECIMAL_COMMA.search(digits) is not None


def _bare_number(digits: str) -> Quantity:
    return Quantity(digits, float(digits), float(digits), None, None, digits)


def _time(found: re.Match[str]) -> Quantity:
    half, hour = (found["half"] or found["half_alone"] or "").lower(), int(found["hour"])
    of_day = hour % _HALF_A_DAY_H + (_HALF_A_DAY_H if half == "p" else 0) if half else hour
    value = float(of_day * 60 + int(found["minute"] or 0))
    return Quantity(found[0].strip(), float(hour), value, half, "clock")


def _may_be_version(found: re.Match[str], spelt: str) -> bool:
    """Return whether a number has parts like "1.2.3", or one point behind "version" or a name: "Python 3.10"."""
    points = spelt.count(".")
    if found["digits"] is None or found["suffix"] or found["multiplier"] or _is_decimal_comma(spelt):
        return False
    before = found.string[max(found.start() - _REACH, 0) : found.start("digits")]
    return points > 1 or (points == 1 and spelt[0] != "." and _VERSION_BEFORE.search(before) is not None)


def _same_day(one: str, other: str) -> bool:
    """Return whether two dates are the same; in different notations the day and the month may change places."""
    (mine, theirs), (sign, other_sign) = (
        [[int(run) for run in _DIGIT_RUN.findall(day)] for day in (one, other)],
        (_DIGIT_RUN.sub("", day) for day in (one, other)),
    )
    return mine == theirs if sign == other_sign else sorted(mine) == sorted(theirs)


def _implied(plain: str) -> Iterator[Quantity]:
    """Yield the numbers that a text says without a number: "zero", and the one of "for one year" and "for a year"."""
    for found in _ZERO.finditer(plain):
        yield Quantity(found[0], 0.0, 0.0, None, None)
    for found in _IMPLIED.finditer(plain):
        dimension, factor = FACTORS.get(found["unit"].lower(), (None, 1.0))
        if dimension is not None:
            yield Quantity(found[0], 1.0, factor, found["unit"].lower().rstrip("s"), dimension)
