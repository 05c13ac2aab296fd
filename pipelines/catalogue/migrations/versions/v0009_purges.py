"""Receipts of purges."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "purges",
        sa.Column("tenant", sa.String(64), primary_key=True),
        sa.Column("key", sa.LargeBinary(32), primary_key=True),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("last_version", sa.Integer, nullable=False),
        sa.Column("accepted", sa.BigInteger, nullable=False),
        sa.Column("snapshot", sa.BigInteger, nullable=False),
        sa.Column("removed", sa.JSON, nullable=False),
        sa.Column("requested_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("erased_at", sa.DateTime(timezone=True)),
    )
    op.create_index("ix_purges_state", "purges", ["tenant", "state"])


def downgrade() -> None:
    op.drop_table("purges")
