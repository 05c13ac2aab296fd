"""Results as pandas data frames; pandas comes with the extra ``notebooks``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from pipelines.errors import MissingPackage

if TYPE_CHECKING:
    from pandas import DataFrame


def to_frame(rows: Iterable[Mapping[str, Any]], columns: Sequence[str]) -> DataFrame:
    """Return a data frame with these columns first, then those that only the rows have.

    Raises:
        MissingPackage: pandas is not installed.
    """
    try:
        pandas = import_module("pandas")
    except ModuleNotFoundError:
        raise MissingPackage("pandas", "notebooks") from None
    found = list(rows)
    names = dict.fromkeys([*columns, *(name for row in found for name in row)])
    return pandas.DataFrame(found, columns=[*names])
