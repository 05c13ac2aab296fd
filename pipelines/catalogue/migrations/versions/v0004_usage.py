"""How a tenant is used, what was set while it was at work, and chunks of a size of a document's own."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("versions", sa.Column("chunking", sa.JSON))
    op.create_table(
        "settings",
        sa.Column("tenant", sa.String(64), primary_key=True),
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("value", sa.JSON, nullable=False),
    )
    op.create_table(
        "document_uses",
        sa.Column("tenant", sa.String(64), primary_key=True),
        sa.Column("scope", sa.Text, primary_key=True),
        sa.Column("document_id", sa.Text, primary_key=True),
        sa.Column("count", sa.BigInteger, nullable=False),
        sa.Column("last", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "query_uses",
        sa.Column("tenant", sa.String(64), primary_key=True),
        sa.Column("scope", sa.Text, primary_key=True),
        sa.Column("key", sa.LargeBinary(32), primary_key=True),
        sa.Column("query", sa.Text, nullable=False),
        sa.Column("count", sa.BigInteger, nullable=False),
        sa.Column("relevance", sa.Float, nullable=False),
        sa.Column("last", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "timings",
        sa.Column("tenant", sa.String(64), primary_key=True),
        sa.Column("scope", sa.Text, primary_key=True),
        sa.Column("kind", sa.String(16), primary_key=True),
        sa.Column("bar", sa.Integer, primary_key=True),
        sa.Column("count", sa.BigInteger, nullable=False),
        sa.Column("items", sa.BigInteger, nullable=False),
        sa.Column("milliseconds", sa.Float, nullable=False),
    )


def downgrade() -> None:
    for table in ("timings", "query_uses", "document_uses", "settings"):
        op.drop_table(table)
    op.drop_column("versions", "chunking")
