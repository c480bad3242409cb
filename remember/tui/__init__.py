"""The terminal picker: memory for a person at the keyboard. Only `remember ui` imports it, and it alone imports Textual."""
