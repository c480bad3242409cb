"""The browser's face: Datasette over the indexes, with remember's own search and pages for memos."""
