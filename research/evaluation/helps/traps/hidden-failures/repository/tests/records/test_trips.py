import unittest
from datetime import date
from decimal import Decimal

from office.kit.fields import BadField
from office.lists import trips as lists
from office.records.trips import TRIPS, changes_of_trip, describe_trip, format_trip, parse_trip

ROWS = [
    {"code": "T0038", "project": "P0597", "day": "2024-09-16", "kilometres": "268", "by": "van", "cost": "30.85"},
    {"code": "T0527", "project": "P0005", "day": "2025-03-31", "kilometres": "34", "by": "foot", "cost": "18.95"},
    {"code": "T0721", "project": "P0105", "day": "2025-06-29", "kilometres": "339", "by": "van", "cost": "89.67"},
    {
        "code": "T0881",
        "project": "P0393",
        "day": "2025-08-31",
        "kilometres": "323",
        "by": "bicycle",
        "cost": "103.52",
    },
]


class TripTest(unittest.TestCase):
    def setUp(self):
        self.trips = [parse_trip(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_trip(item) for item in self.trips], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(TRIPS.read()), 283)
        self.assertEqual(TRIPS.get("T0038"), self.trips[0])

    def test_it_is_described(self):
        wanted = [
            "code: T0038",
            "project: P0597",
            "day: 16.09.2024",
            "kilometres: 268",
            "by: van",
            "cost: 30.85",
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
        self.assertEqual(sizes, {"P0597": 1, "P0005": 1, "P0105": 1, "P0393": 1})

    def test_find_day_between(self):
        first, last = date(2025, 3, 31), date(2025, 6, 29)
        found = lists.find_day_between(self.trips, first, last)
        self.assertEqual([item.code for item in found], ["T0527", "T0721"])

    def test_mean_kilometres(self):
        self.assertEqual(lists.mean_kilometres(self.trips), 241.0)
        self.assertIsNone(lists.mean_kilometres([]))

    def test_at_least_kilometres(self):
        found = lists.at_least_kilometres(self.trips, 323)
        self.assertEqual([item.code for item in found], ["T0721", "T0881"])

    def test_by_by(self):
        groups = lists.by_by(self.trips)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"van": 2, "foot": 1, "bicycle": 1})

    def test_count_bys(self):
        self.assertEqual(lists.count_bys(self.trips), [("van", 2), ("bicycle", 1), ("foot", 1)])

    def test_total_cost(self):
        self.assertEqual(lists.total_cost(self.trips), Decimal("242.99"))

    def test_cost_of_each_by(self):
        wanted = [("van", Decimal("120.52")), ("bicycle", Decimal("103.52")), ("foot", Decimal("18.95"))]
        self.assertEqual(lists.cost_of_each_by(self.trips), wanted)

    def test_dearest_cost(self):
        found = lists.dearest_cost(self.trips, 2)
        self.assertEqual([item.code for item in found], ["T0881", "T0721"])


if __name__ == "__main__":
    unittest.main()
