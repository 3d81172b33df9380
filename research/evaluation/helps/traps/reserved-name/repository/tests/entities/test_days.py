import unittest
from datetime import date
from decimal import Decimal

from sales.kit.fields import BadField
from sales.summaries import days as lists
from sales.entities.days import DAYS, changes_of_day_sum, describe_day_sum, format_day_sum, parse_day_sum

ROWS = [
    {"code": "D0226", "till": "T0767", "day": "2025-01-17", "cash": "262.72", "card": "2658.61", "bills": "141"},
    {"code": "D0230", "till": "T0117", "day": "2025-01-18", "cash": "660.61", "card": "174.33", "bills": "262"},
    {"code": "D0377", "till": "T0889", "day": "2025-03-21", "cash": "406.58", "card": "1387.50", "bills": "129"},
    {"code": "D0835", "till": "T0711", "day": "2025-09-11", "cash": "677.21", "card": "2263.01", "bills": "318"},
]


class DaySumTest(unittest.TestCase):
    def setUp(self):
        self.days = [parse_day_sum(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_day_sum(item) for item in self.days], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(DAYS.read()), 243)
        self.assertEqual(DAYS.get("D0226"), self.days[0])

    def test_it_is_described(self):
        wanted = [
            "code: D0226",
            "till: T0767",
            "day: 17.01.2025",
            "cash: 262.72",
            "card: 2,658.61",
            "bills: 141",
        ]
        self.assertEqual(list(describe_day_sum(self.days[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_day_sum(self.days[0], self.days[1])
        self.assertEqual([name for name, _, _ in found], ["code", "till", "day", "cash", "card", "bills"])
        self.assertEqual(changes_of_day_sum(self.days[0], self.days[0]), [])

    def test_day_is_checked(self):
        with self.assertRaises(BadField):
            parse_day_sum(ROWS[0] | {"day": "31.02.2025"})

    def test_cash_is_checked(self):
        with self.assertRaises(BadField):
            parse_day_sum(ROWS[0] | {"cash": "a lot"})

    def test_card_is_checked(self):
        with self.assertRaises(BadField):
            parse_day_sum(ROWS[0] | {"card": "a lot"})

    def test_bills_is_checked(self):
        with self.assertRaises(BadField):
            parse_day_sum(ROWS[0] | {"bills": "several"})

    def test_per_till(self):
        groups = lists.per_till(self.days)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"T0767": 1, "T0117": 1, "T0889": 1, "T0711": 1})

    def test_select_day_between(self):
        first, last = date(2025, 1, 18), date(2025, 3, 21)
        found = lists.select_day_between(self.days, first, last)
        self.assertEqual([item.code for item in found], ["D0230", "D0377"])

    def test_add_up_cash(self):
        self.assertEqual(lists.add_up_cash(self.days), Decimal("2007.12"))

    def test_largest_cash(self):
        found = lists.largest_cash(self.days, 2)
        self.assertEqual([item.code for item in found], ["D0835", "D0230"])

    def test_add_up_card(self):
        self.assertEqual(lists.add_up_card(self.days), Decimal("6483.45"))

    def test_largest_card(self):
        found = lists.largest_card(self.days, 2)
        self.assertEqual([item.code for item in found], ["D0226", "D0835"])

    def test_mean_bills(self):
        self.assertEqual(lists.mean_bills(self.days), 212.5)
        self.assertIsNone(lists.mean_bills([]))

    def test_at_least_bills(self):
        found = lists.at_least_bills(self.days, 262)
        self.assertEqual([item.code for item in found], ["D0230", "D0835"])


if __name__ == "__main__":
    unittest.main()
