import unittest
from datetime import date
from decimal import Decimal

from sales.kit.fields import BadField
from sales.summaries import routes as lists
from sales.entities.routes import ROUTES, changes_of_route, describe_route, format_route, parse_route

ROWS = [
    {
        "code": "W0665",
        "title": "South corner route",
        "since": "2024-11-20",
        "stops": "25",
        "length": "93.16",
        "van": "c",
    },
    {
        "code": "W0829",
        "title": "Station hall route",
        "since": "2025-02-07",
        "stops": "5",
        "length": "26.20",
        "van": "b",
    },
    {
        "code": "W0866",
        "title": "Green store route 7",
        "since": "2025-02-26",
        "stops": "11",
        "length": "23.48",
        "van": "a",
    },
    {
        "code": "W0926",
        "title": "Small yard route 9",
        "since": "2025-03-29",
        "stops": "4",
        "length": "148.48",
        "van": "c",
    },
]


class RouteTest(unittest.TestCase):
    def setUp(self):
        self.routes = [parse_route(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_route(item) for item in self.routes], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(ROUTES.read()), 247)
        self.assertEqual(ROUTES.get("W0665"), self.routes[0])

    def test_it_is_described(self):
        wanted = [
            "code: W0665",
            "title: South corner route",
            "since: 20.11.2024",
            "stops: 25",
            "length: 93.16",
            "van: c",
        ]
        self.assertEqual(list(describe_route(self.routes[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_route(self.routes[0], self.routes[1])
        self.assertEqual([name for name, _, _ in found], ["code", "title", "since", "stops", "length", "van"])
        self.assertEqual(changes_of_route(self.routes[0], self.routes[0]), [])

    def test_since_is_checked(self):
        with self.assertRaises(BadField):
            parse_route(ROWS[0] | {"since": "31.02.2025"})

    def test_stops_is_checked(self):
        with self.assertRaises(BadField):
            parse_route(ROWS[0] | {"stops": "several"})

    def test_length_is_checked(self):
        with self.assertRaises(BadField):
            parse_route(ROWS[0] | {"length": "a lot"})

    def test_van_is_checked(self):
        with self.assertRaises(BadField):
            parse_route(ROWS[0] | {"van": "unheard of"})

    def test_search_title(self):
        found = lists.search_title(self.routes, "STATION")
        self.assertEqual([item.code for item in found], ["W0829"])

    def test_select_since_between(self):
        first, last = date(2025, 2, 7), date(2025, 2, 26)
        found = lists.select_since_between(self.routes, first, last)
        self.assertEqual([item.code for item in found], ["W0829", "W0866"])

    def test_mean_stops(self):
        self.assertEqual(lists.mean_stops(self.routes), 11.2)
        self.assertIsNone(lists.mean_stops([]))

    def test_at_least_stops(self):
        found = lists.at_least_stops(self.routes, 11)
        self.assertEqual([item.code for item in found], ["W0665", "W0866"])

    def test_add_up_length(self):
        self.assertEqual(lists.add_up_length(self.routes), Decimal("291.32"))

    def test_length_of_each_van(self):
        wanted = [("c", Decimal("241.64")), ("b", Decimal("26.20")), ("a", Decimal("23.48"))]
        self.assertEqual(lists.length_of_each_van(self.routes), wanted)

    def test_largest_length(self):
        found = lists.largest_length(self.routes, 2)
        self.assertEqual([item.code for item in found], ["W0926", "W0665"])

    def test_per_van(self):
        groups = lists.per_van(self.routes)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"c": 2, "b": 1, "a": 1})

    def test_count_vans(self):
        self.assertEqual(lists.count_vans(self.routes), [("c", 2), ("a", 1), ("b", 1)])


if __name__ == "__main__":
    unittest.main()
