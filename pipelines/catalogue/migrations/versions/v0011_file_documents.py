"""The document that a file of the knowledge folder became, where it is not named by the file's path."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("files", sa.Column("document_id", sa.Text))


def downgrade() -> None:
    op.drop_column("files", "document_id")
