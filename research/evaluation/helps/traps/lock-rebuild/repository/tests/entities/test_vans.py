import unittest
from datetime import date
from decimal import Decimal

from depot.kit.fields import BadField
from depot.summaries import vans as lists
from depot.entities.vans import VANS, format_van, parse_van

ROWS = [
    {"code": "V0387", "label": "New ring round", "bought": "2024-09-12", "load": "556.40", "stops": "22", "fuel": "power"},
    {"code": "V0443", "label": "Outer border round", "bought": "2024-10-08", "load": "433.30", "stops": "111", "fuel": "gas"},
    {"code": "V0446", "label": "Blue station round 2", "bought": "2024-10-09", "load": "499.85", "stops": "136", "fuel": "power"},
    {"code": "V0645", "label": "Inner garden round", "bought": "2025-01-19", "load": "764.61", "stops": "11", "fuel": "power"},
]


class VanTest(unittest.TestCase):
    def setUp(self):
        self.vans = [parse_van(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_van(item) for item in self.vans], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(VANS.read()), 218)
        self.assertEqual(VANS.get("V0387"), self.vans[0])

    def test_bought_is_checked(self):
        with self.assertRaises(BadField):
            parse_van(ROWS[0] | {"bought": "31.02.2025"})

    def test_load_is_checked(self):
        with self.assertRaises(BadField):
            parse_van(ROWS[0] | {"load": "a lot"})

    def test_stops_is_checked(self):
        with self.assertRaises(BadField):
            parse_van(ROWS[0] | {"stops": "several"})

    def test_fuel_is_checked(self):
        with self.assertRaises(BadField):
            parse_van(ROWS[0] | {"fuel": "unheard of"})

    def test_search_label(self):
        self.assertEqual([item.code for item in lists.search_label(self.vans, "OUTER")], ["V0443"])

    def test_select_bought_between(self):
        first, last = date(2024, 10, 8), date(2024, 10, 9)
        self.assertEqual([item.code for item in lists.select_bought_between(self.vans, first, last)], ["V0443", "V0446"])

    def test_add_up_load(self):
        self.assertEqual(lists.add_up_load(self.vans), Decimal("2254.16"))

    def test_load_of_each_fuel(self):
        self.assertEqual(lists.load_of_each_fuel(self.vans), [("power", Decimal("1820.86")), ("gas", Decimal("433.30"))])

    def test_largest_load(self):
        self.assertEqual([item.code for item in lists.largest_load(self.vans, 2)], ["V0645", "V0387"])

    def test_mean_stops(self):
        self.assertEqual(lists.mean_stops(self.vans), 70.0)
        self.assertIsNone(lists.mean_stops([]))

    def test_at_least_stops(self):
        self.assertEqual([item.code for item in lists.at_least_stops(self.vans, 111)], ["V0443", "V0446"])

    def test_per_fuel(self):
        groups = lists.per_fuel(self.vans)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"power": 3, "gas": 1})

    def test_count_fuels(self):
        self.assertEqual(lists.count_fuels(self.vans), [("power", 3), ("gas", 1)])


if __name__ == "__main__":
    unittest.main()
