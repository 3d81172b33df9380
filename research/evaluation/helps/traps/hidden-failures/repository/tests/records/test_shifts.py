import unittest
from datetime import date
from decimal import Decimal

from office.kit.fields import BadField
from office.lists import shifts as lists
from office.records.shifts import SHIFTS, changes_of_shift, describe_shift, format_shift, parse_shift

ROWS = [
    {"code": "S0355", "day": "2024-08-26", "from_hour": "6", "hours": "2.03", "kind": "garden", "swapped": "no"},
    {"code": "S0742", "day": "2025-02-05", "from_hour": "6", "hours": "6.10", "kind": "road", "swapped": "yes"},
    {"code": "S0826", "day": "2025-03-21", "from_hour": "12", "hours": "8.27", "kind": "road", "swapped": "no"},
    {"code": "S0927", "day": "2025-05-02", "from_hour": "12", "hours": "6.04", "kind": "office", "swapped": "no"},
]


class ShiftTest(unittest.TestCase):
    def setUp(self):
        self.shifts = [parse_shift(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_shift(item) for item in self.shifts], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(SHIFTS.read()), 238)
        self.assertEqual(SHIFTS.get("S0355"), self.shifts[0])

    def test_it_is_described(self):
        wanted = [
            "code: S0355",
            "day: 26.08.2024",
            "from hour: 6",
            "hours: 2.03",
            "kind: garden",
        ]
        self.assertEqual(list(describe_shift(self.shifts[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_shift(self.shifts[0], self.shifts[1])
        self.assertEqual([name for name, _, _ in found], ["code", "day", "hours", "kind", "swapped"])
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
        first, last = date(2025, 2, 5), date(2025, 3, 21)
        found = lists.find_day_between(self.shifts, first, last)
        self.assertEqual([item.code for item in found], ["S0742", "S0826"])

    def test_mean_from_hour(self):
        self.assertEqual(lists.mean_from_hour(self.shifts), 9.0)
        self.assertIsNone(lists.mean_from_hour([]))

    def test_at_least_from_hour(self):
        found = lists.at_least_from_hour(self.shifts, 12)
        self.assertEqual([item.code for item in found], ["S0826", "S0927"])

    def test_total_hours(self):
        self.assertEqual(lists.total_hours(self.shifts), Decimal("22.44"))

    def test_hours_of_each_kind(self):
        wanted = [("road", Decimal("14.37")), ("office", Decimal("6.04")), ("garden", Decimal("2.03"))]
        self.assertEqual(lists.hours_of_each_kind(self.shifts), wanted)

    def test_largest_hours(self):
        found = lists.largest_hours(self.shifts, 2)
        self.assertEqual([item.code for item in found], ["S0826", "S0742"])

    def test_by_kind(self):
        groups = lists.by_kind(self.shifts)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"garden": 1, "road": 2, "office": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.shifts), [("road", 2), ("garden", 1), ("office", 1)])

    def test_find_swapped(self):
        found = lists.find_swapped(self.shifts)
        self.assertEqual([item.code for item in found], ["S0742"])


if __name__ == "__main__":
    unittest.main()
