"""Properties are given no deadline: a busy machine is no counter-example."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("format", deadline=None)
settings.load_profile("format")
