"""Brings stores of older format versions to the present one, with backups first and the marker last."""
