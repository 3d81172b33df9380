from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from mind_skills.report.document import PageReport
from mind_skills.report.gathering import gather_report
from mind_skills.staging.ledger import Ledger
from tests.report.month import NOW, Month


@pytest.fixture(autouse=True, scope="package")
def _utc() -> Iterator[None]:
    """Set the time zone to UTC, because a report counts days in local time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "UTC")
        time.tzset()
        yield
    time.tzset()


@pytest.fixture
def month(tmp_path: Path) -> Month:
    """A month of use of two projects."""
    month = Month(tmp_path)
    month.fill()
    return month


@pytest.fixture(scope="package")
def report(_utc: None, tmp_path_factory: pytest.TempPathFactory) -> PageReport:
    """The report on such a month; tests share it and must not change it."""
    month = Month(tmp_path_factory.mktemp("month"))
    month.fill()
    with Ledger.open(month.home) as ledger:
        return gather_report(ledger, NOW)
