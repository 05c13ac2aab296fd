"""Tenants, documents, versions and the cache of embeddings."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "tenants",
        sa.Column("tenant", sa.String(64), primary_key=True),
        sa.Column("snapshot", sa.BigInteger, nullable=False),
        sa.Column("embedding", sa.Text, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "documents",
        sa.Column("tenant", sa.String(64), primary_key=True),
        sa.Column("document_id", sa.Text, primary_key=True),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("media_type", sa.Text, nullable=False),
        sa.Column("origin", sa.String(16), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("reason", sa.Text),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("last_version", sa.Integer, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "versions",
        sa.Column("tenant", sa.String(64), primary_key=True),
        sa.Column("document_id", sa.Text, primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("pages", sa.JSON, nullable=False),
        sa.Column("headings", sa.JSON, nullable=False),
        sa.Column("metadata", sa.JSON, nullable=False),
        sa.Column("chunks", sa.Integer, nullable=False),
        sa.Column("bytes", sa.BigInteger, nullable=False),
        sa.Column("valid_from", sa.BigInteger, nullable=False),
        sa.Column("valid_to", sa.BigInteger, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["tenant", "document_id"], ["documents.tenant", "documents.document_id"], ondelete="CASCADE"
        ),
    )
    op.create_index("ix_versions_valid", "versions", ["tenant", "valid_from", "valid_to"])
    op.create_table(
        "erasures",
        sa.Column("tenant", sa.String(64), primary_key=True),
        sa.Column("document_id", sa.Text, primary_key=True),
        sa.Column("snapshot", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "embeddings",
        sa.Column("key", sa.LargeBinary(32), primary_key=True),
        sa.Column("tenant", sa.String(64), primary_key=True),
        sa.Column("vector", sa.LargeBinary, nullable=False),
    )


def downgrade() -> None:
    for table in ("embeddings", "erasures", "versions", "documents", "tenants"):
        op.drop_table(table)
