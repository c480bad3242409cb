"""Agents' own hooks: what they are answered, and how they are put into an agent's configuration and taken out again."""

from __future__ import annotations
