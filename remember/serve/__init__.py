"""Memory for agents over the Model Context Protocol: thin tools, one a verb, on standard input and output."""

from __future__ import annotations
