"""Stores for the tests of the checker."""

from __future__ import annotations

import os

import pytest
from bench import Bench


@pytest.fixture(autouse=True)
def private():
    """What the tests make is as private as what the program makes."""
    before = os.umask(0o077)
    yield
    os.umask(before)


@pytest.fixture
def bench(tmp_path):
    return Bench(str(tmp_path))


@pytest.fixture
def two(tmp_path):
    return Bench(str(tmp_path)), Bench(str(tmp_path), "global")
