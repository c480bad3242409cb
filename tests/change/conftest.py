"""Stores for the tests of changes."""

from __future__ import annotations

import pytest
from shop import Shop


@pytest.fixture
def shop(tmp_path):
    opened = Shop(str(tmp_path))
    yield opened
    opened.index.close()


@pytest.fixture
def two(tmp_path):
    shops = Shop(str(tmp_path)), Shop(str(tmp_path), "global")
    yield shops
    for opened in shops:
        opened.index.close()
