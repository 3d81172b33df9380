import unittest
from datetime import date
from decimal import Decimal

from room.kit.fields import BadField
from room.lists import visits as lists
from room.records.visits import VISITS, changes_of_visit, describe_visit, format_visit, parse_visit

ROWS = [
    {
        "code": "V0194",
        "counted": "2025-01-25",
        "adults": "38",
        "children": "39",
        "weather": "rain",
        "hours": "3.70",
    },
    {"code": "V0429", "counted": "2025-06-02", "adults": "8", "children": "13", "weather": "snow", "hours": "8.90"},
    {
        "code": "V0629",
        "counted": "2025-08-19",
        "adults": "41",
        "children": "24",
        "weather": "snow",
        "hours": "6.30",
    },
    {
        "code": "V0711",
        "counted": "2025-09-11",
        "adults": "42",
        "children": "16",
        "weather": "snow",
        "hours": "3.58",
    },
]


class VisitTest(unittest.TestCase):
    def setUp(self):
        self.visits = [parse_visit(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_visit(item) for item in self.visits], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(VISITS.read()), 194)
        self.assertEqual(VISITS.get("V0194"), self.visits[0])

    def test_it_is_described(self):
        wanted = [
            "code: V0194",
            "counted: 25.01.2025",
            "adults: 38",
            "children: 39",
            "weather: rain",
            "hours: 3.70",
        ]
        self.assertEqual(list(describe_visit(self.visits[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_visit(self.visits[0], self.visits[1])
        wanted = ["code", "counted", "adults", "children", "weather", "hours"]
        self.assertEqual([name for name, _, _ in found], wanted)
        self.assertEqual(changes_of_visit(self.visits[0], self.visits[0]), [])

    def test_counted_is_checked(self):
        with self.assertRaises(BadField):
            parse_visit(ROWS[0] | {"counted": "31.02.2025"})

    def test_adults_is_checked(self):
        with self.assertRaises(BadField):
            parse_visit(ROWS[0] | {"adults": "several"})

    def test_children_is_checked(self):
        with self.assertRaises(BadField):
            parse_visit(ROWS[0] | {"children": "several"})

    def test_weather_is_checked(self):
        with self.assertRaises(BadField):
            parse_visit(ROWS[0] | {"weather": "unheard of"})

    def test_hours_is_checked(self):
        with self.assertRaises(BadField):
            parse_visit(ROWS[0] | {"hours": "a lot"})

    def test_find_counted_between(self):
        first, last = date(2025, 6, 2), date(2025, 8, 19)
        found = lists.find_counted_between(self.visits, first, last)
        self.assertEqual([item.code for item in found], ["V0429", "V0629"])

    def test_mean_adults(self):
        self.assertEqual(lists.mean_adults(self.visits), 32.2)
        self.assertIsNone(lists.mean_adults([]))

    def test_at_least_adults(self):
        found = lists.at_least_adults(self.visits, 41)
        self.assertEqual([item.code for item in found], ["V0629", "V0711"])

    def test_mean_children(self):
        self.assertEqual(lists.mean_children(self.visits), 23.0)
        self.assertIsNone(lists.mean_children([]))

    def test_at_least_children(self):
        found = lists.at_least_children(self.visits, 24)
        self.assertEqual([item.code for item in found], ["V0194", "V0629"])

    def test_by_weather(self):
        groups = lists.by_weather(self.visits)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"rain": 1, "snow": 3})

    def test_count_weathers(self):
        self.assertEqual(lists.count_weathers(self.visits), [("snow", 3), ("rain", 1)])

    def test_total_hours(self):
        self.assertEqual(lists.total_hours(self.visits), Decimal("22.48"))

    def test_hours_of_each_weather(self):
        wanted = [("snow", Decimal("18.78")), ("rain", Decimal("3.70"))]
        self.assertEqual(lists.hours_of_each_weather(self.visits), wanted)

    def test_largest_hours(self):
        found = lists.largest_hours(self.visits, 2)
        self.assertEqual([item.code for item in found], ["V0429", "V0629"])


if __name__ == "__main__":
    unittest.main()
