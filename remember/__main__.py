"""`python -m remember`."""

import sys

from remember.cli import main

if __name__ == "__main__":
    sys.exit(main())
