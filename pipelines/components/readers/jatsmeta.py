"""What a JATS article says of itself."""

from __future__ import annotations

from typing import Any

from lxml import etree

from pipelines.components.readers.jatstext import line

_META = "front/article-meta"
_PMC_IDS = ("pmc", "pmcid", "pmcaid")
# When an archive opened the article, not when it was published; and what befell it later.
_OTHER_DATES = frozenset({"pmc-release", "nihms-submitted", "corrected", "retracted", "preprint"})
_PARTS = ("year", "month", "day")


def article_metadata(article: etree._Element) -> dict[str, Any]:
    """Return authors, journal, publication date, DOI, PubMed id and, as ``source_id``, the digits of the PMC id."""
    ids = {each.get("pub-id-type"): line(each) for each in article.iterfind(f"{_META}/article-id")}
    pmc = next((ids[kind] for kind in _PMC_IDS if ids.get(kind)), "")
    return {
        "authors": _authors(article),
        "journal": line(article.find("front/journal-meta//journal-title")),
        "publication_date": _published(article),
        "doi": ids.get("doi", ""),
        "pmid": ids.get("pmid", ""),
        "source_id": pmc.upper().removeprefix("PMC"),
    }


def _authors(article: etree._Element) -> list[str]:
    contributors = article.iterfind(f"{_META}/contrib-group/contrib")
    return list(filter(None, (_name(each) for each in contributors if each.get("contrib-type", "author") == "author")))


def _name(contributor: etree._Element) -> str:
    """Return a person's name in the order in which it is spoken, or that of a group."""
    name = contributor.find(".//name")
    if name is not None:
        return " ".join(filter(None, (line(name.find(part)) for part in ("given-names", "surname", "suffix"))))
    found = contributor.find(".//string-name")
    return line(found if found is not None else contributor.find("collab"))


def _published(article: etree._Element) -> str:
    """Return the first day of publication in ISO 8601; a month or a day that is not given counts as the first."""
    dates = []
    for date in article.iterfind(f"{_META}/pub-date"):
        if (date.get("date-type") or date.get("pub-type")) not in _OTHER_DATES:
            given = [line(date.find(part)) for part in _PARTS]
            numbers = [int(text) if text.isdecimal() else 0 for text in given]
            dates.append((numbers.count(0), [number or 1 for number in numbers], numbers[0]))
    precise = min((date for date in dates if date[2]), default=None)
    return "{:04}-{:02}-{:02}".format(*precise[1]) if precise else ""
