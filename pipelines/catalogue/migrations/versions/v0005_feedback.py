"""Answers that were given, and what users say of them."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "answers",
        sa.Column("tenant", sa.String(64), primary_key=True),
        sa.Column("answer_id", sa.String(36), primary_key=True),
        sa.Column("scope", sa.Text, nullable=False),
        sa.Column("caller", sa.Text, nullable=False),
        sa.Column("conversation_id", sa.String(200)),
        sa.Column("question", sa.Text, nullable=False),
        sa.Column("follow_up", sa.Boolean, nullable=False),
        sa.Column("asked", sa.JSON, nullable=False),
        sa.Column("abstained", sa.Boolean, nullable=False),
        sa.Column("reason", sa.String(32)),
        sa.Column("confidence", sa.Float, nullable=False),
        sa.Column("model", sa.Text, nullable=False),
        sa.Column("llm_generated", sa.Boolean, nullable=False),
        sa.Column("degraded", sa.Boolean, nullable=False),
        sa.Column("variant", sa.String(64)),
        sa.Column("prompt", sa.String(16)),
        sa.Column("snapshot", sa.BigInteger, nullable=False),
        sa.Column("citations", sa.JSON, nullable=False),
        sa.Column("sources", sa.JSON, nullable=False),
        sa.Column("supported", sa.Integer, nullable=False),
        sa.Column("partial", sa.Integer, nullable=False),
        sa.Column("unsupported", sa.Integer, nullable=False),
        sa.Column("took_ms", sa.Float, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("ix_answers_created", "answers", ["tenant", "created_at"])
    op.create_index("ix_answers_conversation", "answers", ["tenant", "conversation_id"])
    op.create_table(
        "feedback",
        sa.Column("tenant", sa.String(64), primary_key=True),
        sa.Column("answer_id", sa.String(36), primary_key=True),
        sa.Column("caller", sa.Text, primary_key=True),
        sa.Column("helpful", sa.Boolean),
        sa.Column("comment", sa.Text),
        sa.Column("citations", sa.JSON, nullable=False),
        sa.Column("wrong", sa.Integer, nullable=False),
        sa.Column("erased", sa.Boolean, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        _of_an_answer(),
    )
    op.create_index("ix_feedback_updated", "feedback", ["tenant", "updated_at", "answer_id", "caller"])
    op.create_table(
        "feedback_sources",
        sa.Column("tenant", sa.String(64), primary_key=True),
        sa.Column("answer_id", sa.String(36), primary_key=True),
        sa.Column("document_id", sa.Text, primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True),
        _of_an_answer(),
    )
    op.create_index("ix_feedback_sources_document", "feedback_sources", ["tenant", "document_id"])


def _of_an_answer() -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["tenant", "answer_id"], ["answers.tenant", "answers.answer_id"], ondelete="CASCADE")


def downgrade() -> None:
    for table in ("feedback_sources", "feedback", "answers"):
        op.drop_table(table)
