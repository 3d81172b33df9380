import unittest
from datetime import date
from decimal import Decimal

from office.kit.fields import BadField
from office.lists import trips as lists
from office.records.trips import TRIPS, changes_of_trip, describe_trip, format_trip, parse_trip

ROWS = [
    {"code": "T0066", "project": "P0147", "day": "2024-09-20", "kilometres": "338", "by": "train", "cost": "58.38"},
    {
        "code": "T0085",
        "project": "P0027",
        "day": "2024-09-28",
        "kilometres": "104",
        "by": "bicycle",
        "cost": "95.38",
    },
    {"code": "T0363", "project": "P0382", "day": "2025-01-25", "kilometres": "89", "by": "train", "cost": "28.91"},
    {
        "code": "T0435",
        "project": "P0407",
        "day": "2025-02-11",
        "kilometres": "279",
        "by": "bicycle",
        "cost": "80.92",
    },
]


class TripTest(unittest.TestCase):
    def setUp(self):
        self.trips = [parse_trip(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_trip(item) for item in self.trips], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(TRIPS.read()), 283)
        self.assertEqual(TRIPS.get("T0066"), self.trips[0])

    def test_it_is_described(self):
        wanted = [
            "code: T0066",
            "project: P0147",
            "day: 20.09.2024",
            "kilometres: 338",
            "by: train",
            "cost: 58.38",
        ]
        self.assertEqual(list(describe_trip(self.trips[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_trip(self.trips[0], self.trips[1])
        self.assertEqual([name for name, _, _ in found], ["code", "project", "day", "kilometres", "by", "cost"])
        self.assertEqual(changes_of_trip(self.trips[0], self.trips[0]), [])

    def test_day_is_checked(self):
        with self.assertRaises(BadField):
            parse_trip(ROWS[0] | {"day": "31.02.2025"})

    def test_kilometres_is_checked(self):
        with self.assertRaises(BadField):
            parse_trip(ROWS[0] | {"kilometres": "several"})

    def test_by_is_checked(self):
        with self.assertRaises(BadField):
            parse_trip(ROWS[0] | {"by": "unheard of"})

    def test_cost_is_checked(self):
        with self.assertRaises(BadField):
            parse_trip(ROWS[0] | {"cost": "a lot"})

    def test_by_project(self):
        groups = lists.by_project(self.trips)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"P0147": 1, "P0027": 1, "P0382": 1, "P0407": 1})

    def test_find_day_between(self):
        first, last = date(2024, 9, 28), date(2025, 1, 25)
        found = lists.find_day_between(self.trips, first, last)
        self.assertEqual([item.code for item in found], ["T0085", "T0363"])

    def test_mean_kilometres(self):
        self.assertEqual(lists.mean_kilometres(self.trips), 202.5)
        self.assertIsNone(lists.mean_kilometres([]))

    def test_at_least_kilometres(self):
        found = lists.at_least_kilometres(self.trips, 279)
        self.assertEqual([item.code for item in found], ["T0066", "T0435"])

    def test_by_by(self):
        groups = lists.by_by(self.trips)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"train": 2, "bicycle": 2})

    def test_count_bys(self):
        self.assertEqual(lists.count_bys(self.trips), [("bicycle", 2), ("train", 2)])

    def test_total_cost(self):
        self.assertEqual(lists.total_cost(self.trips), Decimal("263.59"))

    def test_cost_of_each_by(self):
        wanted = [("bicycle", Decimal("176.30")), ("train", Decimal("87.29"))]
        self.assertEqual(lists.cost_of_each_by(self.trips), wanted)

    def test_dearest_cost(self):
        found = lists.dearest_cost(self.trips, 2)
        self.assertEqual([item.code for item in found], ["T0085", "T0435"])


if __name__ == "__main__":
    unittest.main()
