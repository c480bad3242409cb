"""Runs the picker: Textual is imported here, and its absence is a sentence with the line that installs it."""

from __future__ import annotations

from remember.errors import RefusedInput
from remember.tui.door import Door

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["run_picker"]

"""What brings Textual."""


def run_picker(root: str | None, scope: str | None, stores: Sequence[str], safe: Callable[[str], str]) -> None:
    """Run until the person leaves; `safe` makes control characters visible.

    Raises RefusedInput without Textual, and what listing the stores raises, before the screen is taken.
    """
    try:
        from remember.tui.app import Picker
    except ModuleNotFoundError as error:
        if error.name not in ("textual", "rich"):
            raise
        from remember.extras import installing

        raise RefusedInput(
            "the terminal picker needs the extra `tui` (Textual is not installed)", f"install it: {installing('tui')}"
        ) from error
    door = Door(root, scope, stores)
    door.find("")
    Picker(door, safe).run()
