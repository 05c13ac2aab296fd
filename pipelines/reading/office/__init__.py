"""Office files: Word, PowerPoint, Excel and OpenDocument, and RTF."""
