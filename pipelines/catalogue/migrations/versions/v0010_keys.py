"""Keys that are made at work, and the audit log."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

_MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "keys",
        sa.Column("tenant", sa.String(64), primary_key=True),
        sa.Column("name", sa.String(100), primary_key=True),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("scope", sa.JSON, nullable=False),
        sa.Column("sha256", sa.LargeBinary(32), nullable=False),
        sa.Column("previous_sha256", sa.LargeBinary(32)),
        sa.Column("previous_until", _MOMENT),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("expires_at", _MOMENT),
        sa.Column("revoked_at", _MOMENT),
        sa.Column("last_used_at", _MOMENT),
    )
    op.create_table(
        "audit",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True, autoincrement=True),
        sa.Column("tenant", sa.String(64), nullable=False),
        sa.Column("at", _MOMENT, nullable=False),
        sa.Column("key_name", sa.String(100), nullable=False),
        sa.Column("address", sa.String(64), nullable=False),
        sa.Column("action", sa.String(64), nullable=False),
        sa.Column("target", sa.Text, nullable=False),
        sa.Column("result", sa.String(64), nullable=False),
        sa.Column("request_id", sa.String(128), nullable=False),
    )
    op.create_index("ix_audit_tenant", "audit", ["tenant", "number"])


def downgrade() -> None:
    for table in ("audit", "keys"):
        op.drop_table(table)
