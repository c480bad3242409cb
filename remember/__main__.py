"""`python -m remember`."""

from __future__ import annotations

from remember.cli import leave

if __name__ == "__main__":
    leave()
