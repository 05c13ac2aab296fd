"""The caller of a request, and what may be shown to it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Caller:
    """The key that a request was made with, and the user that it names; both are "" where there are none.

    ``is_admin``: sees what other callers asked, too. So does the operator, who works in the process and has no key.
    """

    key: str = ""
    user: str = ""
    is_admin: bool = False

    @property
    def sees_all(self) -> bool:
        """Whether what others asked is shown."""
        return self.is_admin or not self.key


OPERATOR = Caller()
