"""What a JATS article says of itself."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any

from lxml import etree

from pipelines.reading.jats.inline import line

_META = "front/article-meta"
_PMC_IDS = ("pmc", "pmcid", "pmcaid")
# When an archive opened the article, not when it was published; and what befell it later.
_OTHER_DATES = frozenset({"pmc-release", "nihms-submitted", "corrected", "retracted", "preprint"})
_LONGEST_NUMBER = 4  # a year's
_PARTS = ("year", "month", "day")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DOI_PREFIXES = ("https://doi.org/", "http://doi.org/", "https://dx.doi.org/", "http://dx.doi.org/", "doi:")


def article_title(article: etree._Element) -> str:
    """Return the title with what stands below it; empty for an article without one."""
    title = line(article.find(f"{_META}/title-group/article-title"))
    below = [line(each).lstrip(" :") for each in article.iterfind(f"{_META}/title-group/subtitle")]
    for part in filter(None, below):
        title = f"{title}{' ' if title[-1:] in ':?!.' else ': '}{part}" if title else part
    return title


def article_metadata(article: etree._Element) -> dict[str, Any]:
    """Return what a paper says of itself; ``source_id`` is the digits of its PMC id."""
    ids = {each.get("pub-id-type"): line(each) for each in article.iterfind(f"{_META}/article-id")}
    pmc = next((ids[kind] for kind in _PMC_IDS if ids.get(kind)), "")
    return {
        "authors": _authors(article),
        "journal": _journal(article),
        "publication_date": _published(article),
        "doi": _bare_doi(ids.get("doi", "")),
        "pmid": ids.get("pmid", ""),
        "source_type": "paper",
        "source_id": pmc.upper().removeprefix("PMC"),
    }


def _journal(article: etree._Element) -> str:
    """Return the journal's name; its abbreviation if no longer name is given."""
    places = (".//journal-title", ".//abbrev-journal-title", "journal-id[@journal-id-type='nlm-ta']")
    found = (line(meta.find(place)) for place in places for meta in article.iterfind("front/journal-meta"))
    return next(filter(None, found), "")


def _authors(article: etree._Element) -> list[str]:
    contributors = article.iterfind(f"{_META}/contrib-group/contrib")
    return list(filter(None, (_name(each) for each in contributors if each.get("contrib-type", "author") == "author")))


def _name(contributor: etree._Element) -> str:
    """Return a person's name in reading order, or that of a group."""
    name = _own(contributor, "name")
    if name is not None:
        return " ".join(filter(None, (line(name.find(part)) for part in ("given-names", "surname", "suffix"))))
    found = _own(contributor, "string-name")
    return line(found if found is not None else contributor.find(".//collab"))


def _own(contributor: etree._Element, tag: str) -> etree._Element | None:
    """Return a name of the contributor's own; those further below are of the members of a group."""
    found = contributor.find(tag)
    return found if found is not None else contributor.find(f"name-alternatives/{tag}")


def _bare_doi(doi: str) -> str:
    for prefix in _DOI_PREFIXES:
        if doi.lower().startswith(prefix):
            return doi[len(prefix) :].strip()
    return doi


def _published(article: etree._Element) -> str:
    """Return the first day of publication in ISO 8601; a month or a day that is not given counts as the first."""
    dates = [
        _parts(each)
        for each in article.iterfind(f"{_META}/pub-date")
        if (each.get("date-type") or each.get("pub-type")) not in _OTHER_DATES
    ]
    days = [(parts.count(0), _day(parts)) for parts in dates]
    return min(((unknown, day) for unknown, day in days if day), default=(0, ""))[1]


def _parts(element: etree._Element) -> tuple[int, int, int]:
    """Return year, month and day of a date, each 0 if it is not given."""
    year, month, day = (line(element.find(part)) for part in _PARTS)
    date = (_number(year), _number(month) or _month(month), _number(day))
    written = (element.get("iso-8601-date") or "").split("T")[0].split("-")
    return date if date[0] else _three(map(_number, written))


def _three(numbers: Iterator[int]) -> tuple[int, int, int]:
    year, month, day = (*numbers, 0, 0, 0)[:3]
    return year, month, day


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) <= _LONGEST_NUMBER else 0


def _month(name: str) -> int:
    """Return the number of a month by its English name, in full or short."""
    return _MONTHS.index(name[:3].lower()) + 1 if name[:3].lower() in _MONTHS else 0


def _day(parts: tuple[int, int, int]) -> str:
    """Return the day in ISO 8601; of one that no calendar has the month, or the year, where it has that."""
    year, month, day = parts
    for guess in ((month or 1, day or 1), (month or 1, 1), (1, 1)):
        try:
            return date(year, *guess).isoformat()
        except ValueError:
            continue
    return ""
