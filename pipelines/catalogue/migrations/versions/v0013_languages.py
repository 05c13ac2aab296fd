"""The language of each version, which can be filtered by."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("versions", sa.Column("language", sa.String(8)))


def downgrade() -> None:
    op.drop_column("versions", "language")
