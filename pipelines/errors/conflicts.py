"""Requests that conflict with the current state."""

from __future__ import annotations

from datetime import datetime

from pipelines.errors.base import Conflict


class DataFolderHeld(Conflict):
    """Another process works on this data folder, or this one has opened it before."""

    code = "data_folder_held"

    def __init__(self, folder: str, *, here: bool = False, times: int = 1, holder: str | None = None) -> None:
        """``times``: how often this process opened it, and so how often it must be closed; ``holder``: the other
        process, where it is known.
        """
        another = (
            f"{holder or 'another process, such as a server,'} holds the data folder {folder}; "
            "end it (in a notebook: shut its kernel down), "
            "ask the server over HTTP, or use another folder (--data, in Python data=...)"
        )
        often = "first" if times == 1 else f"{times} times, as often as it was opened"
        same = f"this process has opened the tenant in {folder} before; close that engine {often}: engine.close()"
        super().__init__(same if here else another)


class JobEnded(Conflict):
    """A job that has ended cannot be cancelled."""

    code = "job_ended"

    def __init__(self, job_id: str, state: str) -> None:
        super().__init__(f'job "{job_id}" is {state} already, there is nothing left to cancel')


class ConversationAmbiguous(Conflict):
    """Several callers have a conversation of this id."""

    code = "conversation_ambiguous"

    def __init__(self, conversation_id: str) -> None:
        super().__init__(f'several callers have a conversation "{conversation_id}"; name the key, and the user if any')


class KeyNameTaken(Conflict):
    """A key with this name exists, or did."""

    code = "key_name_taken"

    def __init__(self, name: str) -> None:
        super().__init__(
            f'there is, or was, a key "{name}"; rotate it, or choose another name: conversations belong to key names'
        )


class KeyExpired(Conflict):
    """A key that has expired cannot be given a new secret."""

    code = "key_expired"

    def __init__(self, name: str, expired_at: datetime) -> None:
        super().__init__(
            f'the key "{name}" expired on {expired_at:%Y-%m-%d}, and a new secret of it would not be accepted either; '
            "create a key with another name"
        )


class ConversationBusy(Conflict):
    """Another turn of the conversation is still running."""

    code = "conversation_busy"

    def __init__(self, conversation_id: str) -> None:
        super().__init__(
            f'a question of conversation "{conversation_id}" is being answered; ask the next one when it is over'
        )


class KeyReused(Conflict):
    """An idempotency key named another request before."""

    code = "idempotency_key_reused"

    def __init__(self, key: str, job_id: str) -> None:
        super().__init__(
            f'the idempotency key "{key}" named another request, job "{job_id}"; give this one its own key'
        )


class JobsRunElsewhere(Conflict):
    """Another process runs the tenant's jobs and cannot share them."""

    code = "jobs_carried_out_elsewhere"

    def __init__(self, tenants: str, who: str) -> None:
        super().__init__(
            f"{who} runs the jobs of {tenants} already; stop it, or leave the jobs to it "
            "(several processes can share jobs if catalogue -> url names a PostgreSQL database)"
        )
