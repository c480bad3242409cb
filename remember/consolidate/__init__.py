"""Consolidation: a worker proposes one plan for a frozen copy of a store, the program decides and writes."""
