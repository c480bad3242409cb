"""What a session sees: memos chosen within a budget and framed as reference data; pure, so that same memos give same bytes."""

from __future__ import annotations
