import unittest
from datetime import date
from decimal import Decimal

from sales.kit.fields import BadField
from sales.summaries import shifts as lists
from sales.entities.shifts import SHIFTS, changes_of_shift, describe_shift, format_shift, parse_shift

ROWS = [
    {"code": "H0257", "till": "T0066", "day": "2024-05-24", "hours": "8.39", "breaks": "0", "kind": "early"},
    {"code": "H0429", "till": "T0855", "day": "2024-08-14", "hours": "4.94", "breaks": "1", "kind": "late"},
    {"code": "H0565", "till": "T0551", "day": "2024-10-20", "hours": "7.07", "breaks": "0", "kind": "early"},
    {"code": "H0767", "till": "T0238", "day": "2025-01-21", "hours": "4.40", "breaks": "2", "kind": "late"},
]


class ShiftTest(unittest.TestCase):
    def setUp(self):
        self.shifts = [parse_shift(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_shift(item) for item in self.shifts], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(SHIFTS.read()), 234)
        self.assertEqual(SHIFTS.get("H0257"), self.shifts[0])

    def test_it_is_described(self):
        wanted = [
            "code: H0257",
            "till: T0066",
            "day: 24.05.2024",
            "hours: 8.39",
            "breaks: 0",
            "kind: early",
        ]
        self.assertEqual(list(describe_shift(self.shifts[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_shift(self.shifts[0], self.shifts[1])
        self.assertEqual([name for name, _, _ in found], ["code", "till", "day", "hours", "breaks", "kind"])
        self.assertEqual(changes_of_shift(self.shifts[0], self.shifts[0]), [])

    def test_day_is_checked(self):
        with self.assertRaises(BadField):
            parse_shift(ROWS[0] | {"day": "31.02.2025"})

    def test_hours_is_checked(self):
        with self.assertRaises(BadField):
            parse_shift(ROWS[0] | {"hours": "a lot"})

    def test_breaks_is_checked(self):
        with self.assertRaises(BadField):
            parse_shift(ROWS[0] | {"breaks": "several"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_shift(ROWS[0] | {"kind": "unheard of"})

    def test_per_till(self):
        groups = lists.per_till(self.shifts)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"T0066": 1, "T0855": 1, "T0551": 1, "T0238": 1})

    def test_select_day_between(self):
        first, last = date(2024, 8, 14), date(2024, 10, 20)
        found = lists.select_day_between(self.shifts, first, last)
        self.assertEqual([item.code for item in found], ["H0429", "H0565"])

    def test_add_up_hours(self):
        self.assertEqual(lists.add_up_hours(self.shifts), Decimal("24.80"))

    def test_hours_of_each_kind(self):
        wanted = [("early", Decimal("15.46")), ("late", Decimal("9.34"))]
        self.assertEqual(lists.hours_of_each_kind(self.shifts), wanted)

    def test_largest_hours(self):
        found = lists.largest_hours(self.shifts, 2)
        self.assertEqual([item.code for item in found], ["H0257", "H0565"])

    def test_mean_breaks(self):
        self.assertEqual(lists.mean_breaks(self.shifts), 0.8)
        self.assertIsNone(lists.mean_breaks([]))

    def test_at_least_breaks(self):
        found = lists.at_least_breaks(self.shifts, 1)
        self.assertEqual([item.code for item in found], ["H0429", "H0767"])

    def test_per_kind(self):
        groups = lists.per_kind(self.shifts)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"early": 2, "late": 2})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.shifts), [("early", 2), ("late", 2)])


if __name__ == "__main__":
    unittest.main()
