"""The cache of what a language model extracted."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "extracts",
        sa.Column("key", sa.LargeBinary(32), primary_key=True),
        sa.Column("tenant", sa.String(64), primary_key=True),
        sa.Column("document_id", sa.Text, nullable=False),
        sa.Column("value", sa.JSON, nullable=False),
    )
    op.create_index("ix_extracts_document", "extracts", ["tenant", "document_id"])


def downgrade() -> None:
    op.drop_table("extracts")
