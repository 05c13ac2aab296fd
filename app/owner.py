"""The owner of a tenant: a record in its data folder by which the command line finds the running server.

The server names its address, its process and a token. The token lets the command line act as an admin, from this
machine only, and it is how the server is recognised: who answers at the address must prove that it knows the token,
before it is shown to it.
"""

from __future__ import annotations

import hmac
import json
import os
import secrets
import sys
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path

CHALLENGE = "X-Footnote-Challenge"
PROOF = "X-Footnote-Proof"
LOCAL_KEY = "footnote-local-"
"""Prefix of these tokens; no other key has it."""
_FILE = ".server.json"  # hidden: no sync reads it where the data lie in a folder of documents


@dataclass(frozen=True, slots=True)
class Owner:
    """A server that holds tenants: its address, its process, and the token that lets the command line in.

    ``started`` is when the process began, in ticks since the machine started, so that another process of the same
    number is recognised; None where the system does not say.
    """

    address: str
    pid: int
    started: int | None
    token: str = field(repr=False)

    @property
    def is_running(self) -> bool:
        """Whether its process may still run; True if the system does not say."""
        if sys.platform == "win32":  # os.kill would end the process there
            return True
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            return True  # another user's
        return self.started is None or started_at(self.pid) in (None, self.started)


def new_token() -> str:
    """Return a random token."""
    return LOCAL_KEY + secrets.token_urlsafe(32)


def proof(token: str, challenge: str) -> str:
    """Prove knowledge of ``token`` without showing it: an HMAC of ``challenge``."""
    return hmac.new(token.encode(), challenge.encode(), sha256).hexdigest()


def this_process(address: str, token: str) -> Owner:
    """This process as the owner, which answers at ``address``."""
    return Owner(address, os.getpid(), started_at(os.getpid()), token)


def started_at(pid: int) -> int | None:
    """Start of a process, in ticks since boot; None outside Linux."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        return int(stat.rpartition(")")[2].split()[19])  # the process name may contain anything
    except (OSError, ValueError, IndexError):
        return None


def record(folder: Path, owner: Owner) -> None:
    """Write who holds the tenant whose data is in ``folder``, readable by this user alone; replace what was there.

    Raises:
        OSError: The folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    draft = folder / f"{_FILE}.{owner.pid}"
    draft.unlink(missing_ok=True)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(asdict(owner), file)
    draft.replace(folder / _FILE)


def recorded(folder: Path) -> Owner | None:
    """Return the owner recorded in ``folder``; None if there is no readable record."""
    try:
        content = json.loads((folder / _FILE).read_text(encoding="utf-8"))
        owner = Owner(**content)
    except (OSError, ValueError, TypeError):
        return None
    return owner if _is_whole(owner) else None


def is_newer(file: Path, folder: Path) -> bool:
    """Return whether ``file`` was changed after the owner of ``folder`` was recorded; False where either is gone."""
    try:
        return file.stat().st_mtime > (folder / _FILE).stat().st_mtime
    except OSError:
        return False


def withdraw(folder: Path, owner: Owner) -> None:
    """Remove the record, unless another process has replaced it."""
    if recorded(folder) == owner:
        with suppress(OSError):  # a stale record is recognised as such
            (folder / _FILE).unlink()


def _is_whole(owner: Owner) -> bool:
    return (
        isinstance(owner.address, str)
        and owner.address.startswith("http://")
        and isinstance(owner.pid, int)
        and 0 < owner.pid < 2**31
        and isinstance(owner.started, int | None)
        and isinstance(owner.token, str)
    )
