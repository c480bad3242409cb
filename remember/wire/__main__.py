"""`python -m remember.wire`: writes `schema/*.schema.json` of this checkout from the models."""

from __future__ import annotations

import sys
from pathlib import Path

from remember.wire.documents import schema_files


def main() -> int:
    """Write the schema files that differ and name them."""
    folder = Path(__file__).resolve().parents[2] / "schema"
    files = schema_files()
    for path in folder.glob("*.schema.json"):
        if path.name not in files:
            path.unlink()
            print(f"gone: {path.name}")
    for name, text in files.items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8", newline="\n")
            print(f"written: {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
