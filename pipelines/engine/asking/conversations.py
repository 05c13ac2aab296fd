"""A tenant's conversations, as their users see them."""

from __future__ import annotations

from pipelines.catalogue import ConversationRecords
from pipelines.query.kinds import checked_page
from pipelines.types import OPERATOR, Caller, Conversation, ConversationPage


class Conversations:
    """The conversations of a tenant that a caller sees: list, read, delete.

    Raises:
        StoreUnavailable: From every method, the database failed.
    """

    def __init__(self, records: ConversationRecords, scope: str, caller: Caller = OPERATOR) -> None:
        self._records = records
        self._scope = scope
        self._caller = caller

    def of(self, caller: Caller, *, key: str | None = None, user: str | None = None) -> Conversations:
        """Return the conversations that ``caller`` sees.

        Those of its key and of the user that it names, of all users if it names none; an admin sees those of all keys.
        ``key`` and ``user`` narrow that.
        """
        return Conversations(self._records.of(caller, self._scope, key=key, user=user), self._scope, caller)

    def list(self, limit: int = 50, cursor: str | None = None) -> ConversationPage:
        """Return some of the conversations, newest first; ``cursor`` is the last page's ``next_cursor``.

        Raises:
            InvalidRequest: ``limit`` is not in 1..1000, or ``cursor`` is not a cursor issued by this method.
        """
        checked_page(limit, cursor)
        return self._records.conversations(limit, cursor)

    def conversation(self, conversation_id: str) -> Conversation:
        """Return a conversation with its turns.

        Raises:
            ConversationNotFound: There is no conversation of this id.
            ConversationAmbiguous: Several callers have one of this id.
        """
        return self._records.conversation(conversation_id)

    def delete(self, conversation_id: str) -> int:
        """Delete a conversation for good, and return how many turns it had.

        Raises:
            ConversationNotFound: There is no conversation of this id.
            ConversationAmbiguous: Several callers have one of this id.
        """
        return self._records.delete(conversation_id)

    def delete_all(self) -> int:
        """Delete all of the conversations for good, and return how many there were."""
        return self._records.delete_all()
