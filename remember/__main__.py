"""`python -m remember`."""

from __future__ import annotations

import sys

from remember.cli import main

if __name__ == "__main__":
    sys.exit(main())
