"""One memory on several machines: git carries the files, and merges them by memo through the driver here."""
