import unittest
from datetime import date
from decimal import Decimal

from office.kit.fields import BadField
from office.lists import shifts as lists
from office.records.shifts import SHIFTS, changes_of_shift, describe_shift, format_shift, parse_shift

ROWS = [
    {"code": "S0381", "day": "2024-09-15", "from_hour": "10", "hours": "6.69", "kind": "road", "swapped": "yes"},
    {"code": "S0519", "day": "2024-10-26", "from_hour": "9", "hours": "8.64", "kind": "garden", "swapped": "yes"},
    {"code": "S0618", "day": "2024-12-03", "from_hour": "12", "hours": "4.45", "kind": "road", "swapped": "no"},
    {"code": "S0791", "day": "2025-01-25", "from_hour": "8", "hours": "4.76", "kind": "garden", "swapped": "yes"},
]


class ShiftTest(unittest.TestCase):
    def setUp(self):
        self.shifts = [parse_shift(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_shift(item) for item in self.shifts], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(SHIFTS.read()), 227)
        self.assertEqual(SHIFTS.get("S0381"), self.shifts[0])

    def test_it_is_described(self):
        wanted = [
            "code: S0381",
            "day: 15.09.2024",
            "from hour: 10",
            "hours: 6.69",
            "kind: road",
            "swapped",
        ]
        self.assertEqual(list(describe_shift(self.shifts[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_shift(self.shifts[0], self.shifts[1])
        self.assertEqual([name for name, _, _ in found], ["code", "day", "from_hour", "hours", "kind"])
        self.assertEqual(changes_of_shift(self.shifts[0], self.shifts[0]), [])

    def test_day_is_checked(self):
        with self.assertRaises(BadField):
            parse_shift(ROWS[0] | {"day": "31.02.2025"})

    def test_from_hour_is_checked(self):
        with self.assertRaises(BadField):
            parse_shift(ROWS[0] | {"from_hour": "several"})

    def test_hours_is_checked(self):
        with self.assertRaises(BadField):
            parse_shift(ROWS[0] | {"hours": "a lot"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_shift(ROWS[0] | {"kind": "unheard of"})

    def test_swapped_is_checked(self):
        with self.assertRaises(BadField):
            parse_shift(ROWS[0] | {"swapped": "perhaps"})

    def test_find_day_between(self):
        first, last = date(2024, 10, 26), date(2024, 12, 3)
        found = lists.find_day_between(self.shifts, first, last)
        self.assertEqual([item.code for item in found], ["S0519", "S0618"])

    def test_mean_from_hour(self):
        self.assertEqual(lists.mean_from_hour(self.shifts), 9.8)
        self.assertIsNone(lists.mean_from_hour([]))

    def test_at_least_from_hour(self):
        found = lists.at_least_from_hour(self.shifts, 10)
        self.assertEqual([item.code for item in found], ["S0381", "S0618"])

    def test_total_hours(self):
        self.assertEqual(lists.total_hours(self.shifts), Decimal("24.54"))

    def test_hours_of_each_kind(self):
        wanted = [("garden", Decimal("13.40")), ("road", Decimal("11.14"))]
        self.assertEqual(lists.hours_of_each_kind(self.shifts), wanted)

    def test_largest_hours(self):
        found = lists.largest_hours(self.shifts, 2)
        self.assertEqual([item.code for item in found], ["S0519", "S0381"])

    def test_by_kind(self):
        groups = lists.by_kind(self.shifts)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"road": 2, "garden": 2})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.shifts), [("garden", 2), ("road", 2)])

    def test_find_swapped(self):
        found = lists.find_swapped(self.shifts)
        self.assertEqual([item.code for item in found], ["S0381", "S0519", "S0791"])


if __name__ == "__main__":
    unittest.main()
