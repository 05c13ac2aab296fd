"""Conversations, their turns, and what these were made of."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "conversations",
        *_key(),
        sa.Column("turns", sa.Integer, nullable=False),
        sa.Column("summary", sa.Text),
        sa.Column("summarised", sa.Integer, nullable=False),
        sa.Column("claim", sa.String(36)),
        sa.Column("claimed_at", sa.DateTime(timezone=True)),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
    )
    created = ["tenant", "scope", "created_at", "conversation_id"]
    op.create_index("ix_conversations_created", "conversations", created)
    op.create_index("ix_conversations_updated", "conversations", ["tenant", "updated_at"])
    _create_turns()


def _create_turns() -> None:
    conversation = ["tenant", "scope", "conversation_id"]
    op.create_table(
        "turns",
        *_key(),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("answer_id", sa.String(36), nullable=False),
        sa.Column("question", sa.Text, nullable=False),
        sa.Column("rewritten_question", sa.Text),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("citations", sa.JSON, nullable=False),
        sa.Column("facts", sa.JSON, nullable=False),
        sa.Column("sent", sa.Text),
        sa.Column("said", sa.Text),
        sa.Column("erased", sa.Boolean, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        _reference(conversation, "conversations"),
    )
    op.create_table(
        "turn_sources",
        *_key(),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("document_id", sa.Text, primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True),
        _reference([*conversation, "number"], "turns"),
    )
    op.create_index("ix_turn_sources_document", "turn_sources", ["tenant", "document_id"])


def _key() -> list[sa.Column[Any]]:
    return [
        sa.Column("tenant", sa.String(64), primary_key=True),
        sa.Column("scope", sa.Text, primary_key=True),
        sa.Column("conversation_id", sa.String(200), primary_key=True),
    ]


def _reference(columns: list[str], table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(columns, [f"{table}.{column}" for column in columns], ondelete="CASCADE")


def downgrade() -> None:
    for table in ("turn_sources", "turns", "conversations"):
        op.drop_table(table)
