"""Pictures of documents: their files, and where the text of a version speaks of them."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("versions", sa.Column("pictures", sa.JSON, nullable=False, server_default="[]"))
    op.create_table(
        "pictures",
        sa.Column("tenant", sa.String(64), primary_key=True),
        sa.Column("document_id", sa.Text, primary_key=True),
        sa.Column("sha256", sa.String(64), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("media_type", sa.String(64), nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
        sa.ForeignKeyConstraint(
            ["tenant", "document_id"], ["documents.tenant", "documents.document_id"], ondelete="CASCADE"
        ),
    )


def downgrade() -> None:
    op.drop_table("pictures")
    op.drop_column("versions", "pictures")
