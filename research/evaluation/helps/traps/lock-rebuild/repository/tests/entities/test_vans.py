import unittest
from datetime import date
from decimal import Decimal

from depot.kit.fields import BadField
from depot.summaries import vans as lists
from depot.entities.vans import VANS, changes_of_van, describe_van, format_van, parse_van

ROWS = [
    {
        "code": "V0261",
        "label": "Late valley round",
        "bought": "2024-05-09",
        "load": "414.41",
        "stops": "12",
        "fuel": "gas",
    },
    {
        "code": "V0353",
        "label": "North canal round",
        "bought": "2024-06-17",
        "load": "1474.92",
        "stops": "106",
        "fuel": "gas",
    },
    {
        "code": "V0731",
        "label": "South harbour round 2",
        "bought": "2024-12-24",
        "load": "964.97",
        "stops": "10",
        "fuel": "gas",
    },
    {
        "code": "V0859",
        "label": "First square round",
        "bought": "2025-02-23",
        "load": "947.60",
        "stops": "46",
        "fuel": "power",
    },
]


class VanTest(unittest.TestCase):
    def setUp(self):
        self.vans = [parse_van(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_van(item) for item in self.vans], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(VANS.read()), 218)
        self.assertEqual(VANS.get("V0261"), self.vans[0])

    def test_it_is_described(self):
        wanted = [
            "code: V0261",
            "label: Late valley round",
            "bought: 09.05.2024",
            "load: 414.41",
            "stops: 12",
            "fuel: gas",
        ]
        self.assertEqual(list(describe_van(self.vans[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_van(self.vans[0], self.vans[1])
        self.assertEqual([name for name, _, _ in found], ["code", "label", "bought", "load", "stops"])
        self.assertEqual(changes_of_van(self.vans[0], self.vans[0]), [])

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
        found = lists.search_label(self.vans, "NORTH")
        self.assertEqual([item.code for item in found], ["V0353"])

    def test_select_bought_between(self):
        first, last = date(2024, 6, 17), date(2024, 12, 24)
        found = lists.select_bought_between(self.vans, first, last)
        self.assertEqual([item.code for item in found], ["V0353", "V0731"])

    def test_add_up_load(self):
        self.assertEqual(lists.add_up_load(self.vans), Decimal("3801.90"))

    def test_load_of_each_fuel(self):
        wanted = [("gas", Decimal("2854.30")), ("power", Decimal("947.60"))]
        self.assertEqual(lists.load_of_each_fuel(self.vans), wanted)

    def test_largest_load(self):
        found = lists.largest_load(self.vans, 2)
        self.assertEqual([item.code for item in found], ["V0353", "V0731"])

    def test_mean_stops(self):
        self.assertEqual(lists.mean_stops(self.vans), 43.5)
        self.assertIsNone(lists.mean_stops([]))

    def test_at_least_stops(self):
        found = lists.at_least_stops(self.vans, 46)
        self.assertEqual([item.code for item in found], ["V0353", "V0859"])

    def test_per_fuel(self):
        groups = lists.per_fuel(self.vans)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"gas": 3, "power": 1})

    def test_count_fuels(self):
        self.assertEqual(lists.count_fuels(self.vans), [("gas", 3), ("power", 1)])


if __name__ == "__main__":
    unittest.main()
