"""Which language model a request gets."""

from __future__ import annotations

from collections.abc import Mapping

from pipelines.components.llm import Llm
from pipelines.errors import InvalidRequest, Problem


def choose_llm(llm: Llm | None, wish: Mapping[str, str] | None) -> Llm | None:
    """Return the model that a request wishes, by ``provider`` and ``model``, else the profile's.

    Raises:
        InvalidRequest: The profile does not allow it.
    """
    wish = wish or {}
    if llm is not None:
        return llm.choose(wish.get("provider"), wish.get("model"))
    if wish:
        raise InvalidRequest(Problem("llm", "the profile names no language model; leave it out"))
    return None
