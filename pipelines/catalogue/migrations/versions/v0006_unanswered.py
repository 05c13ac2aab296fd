"""Questions that the documents do not answer."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "unanswered",
        sa.Column("tenant", sa.String(64), primary_key=True),
        sa.Column("scope", sa.Text, primary_key=True),
        sa.Column("key", sa.LargeBinary(32), primary_key=True),
        sa.Column("reason", sa.String(16), primary_key=True),
        sa.Column("query", sa.Text, nullable=False),
        sa.Column("count", sa.BigInteger, nullable=False),
        sa.Column("last", sa.DateTime(timezone=True), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("unanswered")
