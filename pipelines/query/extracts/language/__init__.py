"""What a question names and asks for, and whether words of a text say it. The rules are for English."""
