"""The table of goals: a line a goal, and what came out at the end."""

from __future__ import annotations

__all__ = ["Table"]


class Table:
    """Prints rows as they are measured and counts the goals that are missed."""

    def __init__(self) -> None:
        self.missed: list[str] = []

    def ratio(self, goal: str, what: str, limit: float, wall: float, cpu: float) -> None:
        """A ratio by wall and CPU; it is met by either, since a loaded machine moves the wall time alone."""
        self._row(goal, what, f"wall {wall:6.2f}  cpu {cpu:6.2f}", f"{limit:.2f}", min(wall, cpu) <= limit)

    def figure(self, goal: str, what: str, figure: float, limit: float, unit: str) -> None:
        """A figure with a unit and an upper limit."""
        self._row(goal, what, f"{figure:8.1f} {unit}", f"{limit:g} {unit}", figure <= limit)

    def note(self, text: str) -> None:
        """A line that is no goal."""
        print(f"      {text}", flush=True)

    def _row(self, goal: str, what: str, shown: str, limit: str, met: bool) -> None:
        if not met:
            self.missed.append(goal)
        print(f"{goal:5} {what:66} {shown:28} goal {limit:10} {'met' if met else 'NOT MET'}", flush=True)
