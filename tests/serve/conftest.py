"""Fixtures of the server's tests."""

from __future__ import annotations

import os

import pytest
from serving import Bench

from remember.memory.served import Caller


@pytest.fixture
def bench(tmp_path) -> Bench:
    return Bench(tmp_path)


@pytest.fixture
def made(bench) -> Bench:
    bench.run("init")
    return bench


@pytest.fixture
def caller(made) -> Caller:
    return Caller(None, (), made.environ, os.fspath(made.work))
