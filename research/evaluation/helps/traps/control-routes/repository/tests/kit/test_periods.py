import unittest
from datetime import date

from rangers.kit.periods import days_between, month, overlap, quarter, week_of


class PeriodsTest(unittest.TestCase):
    def test_months_and_quarters(self):
        self.assertEqual(month(2024, 2), (date(2024, 2, 1), date(2024, 2, 29)))
        self.assertEqual(quarter(2025, 4), (date(2025, 10, 1), date(2025, 12, 31)))

    def test_weeks_begin_on_monday(self):
        self.assertEqual(week_of(date(2025, 5, 1)), (date(2025, 4, 28), date(2025, 5, 4)))

    def test_days(self):
        self.assertEqual(len(list(days_between(date(2025, 1, 30), date(2025, 2, 2)))), 4)

    def test_what_periods_share(self):
        self.assertEqual(overlap(month(2025, 1), quarter(2025, 1)), month(2025, 1))
        self.assertIsNone(overlap(month(2025, 1), month(2025, 2)))
