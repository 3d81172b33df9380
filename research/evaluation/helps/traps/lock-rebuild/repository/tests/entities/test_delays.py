import unittest
from datetime import date
from decimal import Decimal

from depot.kit.fields import BadField
from depot.summaries import delays as lists
from depot.entities.delays import DELAYS, format_delay, parse_delay

ROWS = [
    {"code": "D0257", "day": "2024-11-17", "hours": "15.21", "why": "strike", "parcels": "1198"},
    {"code": "D0334", "day": "2024-12-14", "hours": "15.77", "why": "customs", "parcels": "1124"},
    {"code": "D0398", "day": "2025-01-20", "hours": "29.46", "why": "strike", "parcels": "2286"},
    {"code": "D0427", "day": "2025-02-17", "hours": "38.10", "why": "breakdown", "parcels": "2846"},
]


class DelayTest(unittest.TestCase):
    def setUp(self):
        self.delays = [parse_delay(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_delay(item) for item in self.delays], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(DELAYS.read()), 158)
        self.assertEqual(DELAYS.get("D0257"), self.delays[0])

    def test_day_is_checked(self):
        with self.assertRaises(BadField):
            parse_delay(ROWS[0] | {"day": "31.02.2025"})

    def test_hours_is_checked(self):
        with self.assertRaises(BadField):
            parse_delay(ROWS[0] | {"hours": "a lot"})

    def test_why_is_checked(self):
        with self.assertRaises(BadField):
            parse_delay(ROWS[0] | {"why": "unheard of"})

    def test_parcels_is_checked(self):
        with self.assertRaises(BadField):
            parse_delay(ROWS[0] | {"parcels": "several"})

    def test_select_day_between(self):
        first, last = date(2024, 12, 14), date(2025, 1, 20)
        self.assertEqual([item.code for item in lists.select_day_between(self.delays, first, last)], ["D0334", "D0398"])

    def test_add_up_hours(self):
        self.assertEqual(lists.add_up_hours(self.delays), Decimal("98.54"))

    def test_hours_of_each_why(self):
        self.assertEqual(lists.hours_of_each_why(self.delays), [("strike", Decimal("44.67")), ("breakdown", Decimal("38.10")), ("customs", Decimal("15.77"))])

    def test_largest_hours(self):
        self.assertEqual([item.code for item in lists.largest_hours(self.delays, 2)], ["D0427", "D0398"])

    def test_per_why(self):
        groups = lists.per_why(self.delays)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"strike": 2, "customs": 1, "breakdown": 1})

    def test_count_whys(self):
        self.assertEqual(lists.count_whys(self.delays), [("strike", 2), ("breakdown", 1), ("customs", 1)])

    def test_mean_parcels(self):
        self.assertEqual(lists.mean_parcels(self.delays), 1863.5)
        self.assertIsNone(lists.mean_parcels([]))

    def test_at_least_parcels(self):
        self.assertEqual([item.code for item in lists.at_least_parcels(self.delays, 2286)], ["D0398", "D0427"])


if __name__ == "__main__":
    unittest.main()
