"""Harvest: the durable facts of a finished conversation, as a model names them and filters let them through."""
