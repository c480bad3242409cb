"""The contracts as data: the index's SQL schema and the JSON Schemas of every document."""
