"""Migration steps, one module for each format version that was left behind."""
