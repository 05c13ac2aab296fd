"""Leaves a server alone for a while after it failed some times in a row: each call may have taken minutes."""

from __future__ import annotations

import logging
import time

_MOST_FAILURES = 3
_REST_S = 30.0
_log = logging.getLogger(__name__)


class Rest:
    """Counts the failures of ``what`` (words for the log); may be asked from several threads."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._failures = 0
        self._until = 0.0

    @property
    def resting(self) -> bool:
        """Whether it is to be left alone now."""
        return time.monotonic() < self._until

    def worked(self) -> None:
        """A call gave what it was to give."""
        self._failures = 0

    def failed(self) -> None:
        """A call failed."""
        self._failures += 1
        if self._failures >= _MOST_FAILURES:
            self._until = time.monotonic() + _REST_S
            self._failures = 0
            _log.warning("%s is left alone for %g s", self._what, _REST_S)
