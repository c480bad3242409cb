"""Runs commands in interleaved rounds and compares them round by round, so that a noisy machine cancels out."""

from __future__ import annotations

import os
import statistics
import time
from dataclasses import dataclass, field


@dataclass
class Timing:
    """Wall and CPU seconds of each counted round, and the largest memory in MB."""

    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    peak_mb: float = 0.0


def run_once(argv: list[str], environ: dict[str, str]) -> tuple[float, float, float]:
    """One process, its output thrown into a file: (wall s, cpu s, peak MB). Raises RuntimeError where it fails."""
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, environ["BENCH_OUT"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
    ]
    began = time.perf_counter()
    pid = os.posix_spawnp(argv[0], argv, environ, file_actions=actions)
    _, status, used = os.wait4(pid, 0)
    wall = time.perf_counter() - began
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        raise RuntimeError(f"{argv} ended with {os.waitstatus_to_exitcode(status)}")
    return wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def compare(commands: dict[str, list[str]], environ: dict[str, str], rounds: int) -> dict[str, Timing]:
    """Each command once a round, in turns, after one round that is not counted."""
    timings = {name: Timing() for name in commands}
    for number in range(rounds + 1):
        order = list(commands)
        order = order[number % len(order) :] + order[: number % len(order)]
        for name in order:
            wall, cpu, peak = run_once(commands[name], environ)
            if number:
                timings[name].wall.append(wall)
                timings[name].cpu.append(cpu)
                timings[name].peak_mb = max(timings[name].peak_mb, peak)
    return timings


def ratio(one: Timing, other: Timing) -> tuple[float, float]:
    """The median over the rounds of one's wall and CPU over the other's."""
    walls = statistics.median(a / b for a, b in zip(one.wall, other.wall, strict=True))
    cpus = statistics.median(a / max(b, 1e-3) for a, b in zip(one.cpu, other.cpu, strict=True))
    return walls, cpus
