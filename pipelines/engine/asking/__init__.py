"""What reads a tenant: documents, searches, answers, conversations, explanations and feedback."""
