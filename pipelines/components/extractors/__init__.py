"""What is read out of a document beside its text."""
