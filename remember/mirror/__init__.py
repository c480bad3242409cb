"""The public mirror: memos named on purpose, copied from the private store to `<root>/.memory/` for committing."""
