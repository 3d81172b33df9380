import unittest

from visitlog.line import Visit
from visitlog.summary import days, pages


def visit(path, date="2026-05-04", status=200, size=10, address="192.0.2.1"):
    return Visit(date, "10:00:00", address, "GET", path, status, size)


class SummaryTest(unittest.TestCase):
    def test_pages_are_sorted_by_visits(self):
        self.assertEqual(list(pages([visit("/b"), visit("/a"), visit("/b")])), ["    2 /b", "    1 /a"])

    def test_pages_that_are_missing_do_not_count(self):
        self.assertEqual(list(pages([visit("/b", status=404)])), [])

    def test_days(self):
        found = list(days([visit("/", "2026-05-05"), visit("/", "2026-05-04"), visit("/", "2026-05-05")]))
        self.assertEqual(found, ["2026-05-04 1", "2026-05-05 2"])
