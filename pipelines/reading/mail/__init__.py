"""E-mail messages: EML and Outlook's MSG."""
