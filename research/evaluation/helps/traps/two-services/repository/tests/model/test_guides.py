import unittest
from datetime import date
from decimal import Decimal

from house.kit.fields import BadField
from house.queries import guides as lists
from house.model.guides import GUIDES, changes_of_shift, describe_shift, format_shift, parse_shift

ROWS = [
    {"code": "G0086", "day": "2024-06-02", "hall": "clocks", "hours": "3.58", "tours": "4", "swapped": "no"},
    {"code": "G0178", "day": "2024-07-21", "hall": "mills", "hours": "5.28", "tours": "2", "swapped": "no"},
    {"code": "G0237", "day": "2024-08-11", "hall": "gems", "hours": "4.37", "tours": "5", "swapped": "no"},
    {"code": "G0751", "day": "2025-04-03", "hall": "maps", "hours": "7.80", "tours": "2", "swapped": "no"},
]


class ShiftTest(unittest.TestCase):
    def setUp(self):
        self.guides = [parse_shift(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_shift(item) for item in self.guides], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(GUIDES.read()), 199)
        self.assertEqual(GUIDES.get("G0086"), self.guides[0])

    def test_it_is_described(self):
        wanted = [
            "code: G0086",
            "day: 02.06.2024",
            "hall: clocks",
            "hours: 3.58",
            "tours: 4",
        ]
        self.assertEqual(list(describe_shift(self.guides[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_shift(self.guides[0], self.guides[1])
        self.assertEqual([name for name, _, _ in found], ["code", "day", "hall", "hours", "tours"])
        self.assertEqual(changes_of_shift(self.guides[0], self.guides[0]), [])

    def test_day_is_checked(self):
        with self.assertRaises(BadField):
            parse_shift(ROWS[0] | {"day": "31.02.2025"})

    def test_hall_is_checked(self):
        with self.assertRaises(BadField):
            parse_shift(ROWS[0] | {"hall": "unheard of"})

    def test_hours_is_checked(self):
        with self.assertRaises(BadField):
            parse_shift(ROWS[0] | {"hours": "a lot"})

    def test_tours_is_checked(self):
        with self.assertRaises(BadField):
            parse_shift(ROWS[0] | {"tours": "several"})

    def test_swapped_is_checked(self):
        with self.assertRaises(BadField):
            parse_shift(ROWS[0] | {"swapped": "perhaps"})

    def test_pick_day_between(self):
        first, last = date(2024, 7, 21), date(2024, 8, 11)
        found = lists.pick_day_between(self.guides, first, last)
        self.assertEqual([item.code for item in found], ["G0178", "G0237"])

    def test_group_by_hall(self):
        groups = lists.group_by_hall(self.guides)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"clocks": 1, "mills": 1, "gems": 1, "maps": 1})

    def test_count_halls(self):
        wanted = [("clocks", 1), ("gems", 1), ("maps", 1), ("mills", 1)]
        self.assertEqual(lists.count_halls(self.guides), wanted)

    def test_sum_of_hours(self):
        self.assertEqual(lists.sum_of_hours(self.guides), Decimal("21.03"))

    def test_hours_of_each_hall(self):
        wanted = [
            ("maps", Decimal("7.80")),
            ("mills", Decimal("5.28")),
            ("gems", Decimal("4.37")),
            ("clocks", Decimal("3.58")),
        ]
        self.assertEqual(lists.hours_of_each_hall(self.guides), wanted)

    def test_largest_hours(self):
        found = lists.largest_hours(self.guides, 2)
        self.assertEqual([item.code for item in found], ["G0751", "G0178"])

    def test_mean_tours(self):
        self.assertEqual(lists.mean_tours(self.guides), 3.2)
        self.assertIsNone(lists.mean_tours([]))

    def test_at_least_tours(self):
        found = lists.at_least_tours(self.guides, 4)
        self.assertEqual([item.code for item in found], ["G0086", "G0237"])

    def test_pick_swapped(self):
        found = lists.pick_swapped(self.guides)
        self.assertEqual([item.code for item in found], [])


if __name__ == "__main__":
    unittest.main()
