"""HTML pages, and the HTML that other formats hold."""
