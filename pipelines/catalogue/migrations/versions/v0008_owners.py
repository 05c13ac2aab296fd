"""The scope, key and user that each conversation belongs to."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

_COLUMNS = ("owner_scope", "owner_key", "owner_user")


def upgrade() -> None:
    for name in _COLUMNS:
        op.add_column("conversations", sa.Column(name, sa.Text, nullable=False, server_default=""))
    op.execute("UPDATE conversations SET owner_scope = scope")


def downgrade() -> None:
    for name in _COLUMNS:
        op.drop_column("conversations", name)
