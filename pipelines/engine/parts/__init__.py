"""What an open tenant is made of: its indexes, its records, how it writes and answers, and what a reader sees of it."""
