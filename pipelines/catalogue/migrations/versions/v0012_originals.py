"""Files as they came, of which pages are shown."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "originals",
        sa.Column("tenant", sa.String(64), primary_key=True),
        sa.Column("document_id", sa.Text, primary_key=True),
        sa.Column("sha256", sa.String(64), primary_key=True),
        sa.Column("content", sa.LargeBinary, nullable=False),
        sa.ForeignKeyConstraint(
            ["tenant", "document_id"], ["documents.tenant", "documents.document_id"], ondelete="CASCADE"
        ),
    )


def downgrade() -> None:
    op.drop_table("originals")
