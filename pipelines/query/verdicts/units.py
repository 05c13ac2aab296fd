"""What units measure, and how much of it: sixty minutes and one hour are both 60 of time."""

from __future__ import annotations

FACTORS: dict[str, tuple[str, float]] = {
    name: (dimension, factor)
    for dimension, factor, names in (
        ("time", 1 / 60_000_000, "microsecond microseconds \u00b5s \u03bcs"),
        ("time", 1 / 60_000, "millisecond milliseconds ms"),
        ("time", 1 / 60, "second seconds sec secs s"),
        ("time", 1, "minute minutes min mins"),
        ("time", 60, "hour hours hr hrs h"),
        ("time", 1440, "day days"),
        ("time", 10080, "week weeks"),
        ("months", 1, "month months"),
        ("months", 12, "year years yr yrs"),
        ("mass", 0.001, "milligram milligrams mg"),
        ("mass", 1e-6, "microgram micrograms mcg \u00b5g \u03bcg"),
        ("mass", 1, "gram grams gramme grammes g"),
        ("mass", 1000, "kilogram kilograms kg kgs kilo kilos"),
        ("mass", 28.349523, "ounce ounces oz"),
        ("mass", 453.59237, "pound pounds lb lbs"),
        ("length", 1e-6, "micrometre micrometres micrometer micrometers \u00b5m \u03bcm"),
        ("length", 0.001, "millimetre millimetres millimeter millimeters mm"),
        ("length", 0.01, "centimetre centimetres centimeter centimeters cm"),
        ("length", 1, "metre metres meter meters m"),
        ("length", 1000, "kilometre kilometres kilometer kilometers km"),
        ("length", 0.0254, "inch inches"),
        ("length", 0.3048, "foot feet ft"),
        ("length", 1609.344, "mile miles"),
        ("volume", 1e-6, "microlitre microlitres microliter microliters \u00b5l \u03bcl"),
        ("volume", 0.001, "millilitre millilitres milliliter milliliters ml"),
        ("volume", 1, "litre litres liter liters l"),
        ("share", 1, "% percent"),
        ("temperature", 1, "°c celsius"),
        ("fahrenheit", 1, "°f fahrenheit"),
        ("dollars", 1, "$ dollar dollars usd"),
        ("euros", 1, "€ euro euros eur"),
        ("sterling", 1, "\u00a3 gbp"),
        ("yen", 1, "\u00a5 yen jpy"),
    )
    for name in names.split()
}
"""The dimension and the factor of each unit, by its name in lower case."""
