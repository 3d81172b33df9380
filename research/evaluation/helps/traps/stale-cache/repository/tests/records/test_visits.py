import unittest
from datetime import date
from decimal import Decimal

from room.kit.fields import BadField
from room.lists import visits as lists
from room.records.visits import VISITS, format_visit, parse_visit

ROWS = [
    {"code": "V0001", "counted": "2024-04-08", "adults": "69", "children": "37", "weather": "snow", "hours": "3.18"},
    {"code": "V0015", "counted": "2024-04-12", "adults": "72", "children": "38", "weather": "rain", "hours": "5.91"},
    {"code": "V0154", "counted": "2024-05-27", "adults": "17", "children": "27", "weather": "fair", "hours": "5.72"},
    {"code": "V0257", "counted": "2024-07-04", "adults": "64", "children": "49", "weather": "wind", "hours": "2.94"},
]


class VisitTest(unittest.TestCase):
    def setUp(self):
        self.visits = [parse_visit(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_visit(item) for item in self.visits], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(VISITS.read()), 171)
        self.assertEqual(VISITS.get("V0001"), self.visits[0])

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
        first, last = date(2024, 4, 12), date(2024, 5, 27)
        self.assertEqual([item.code for item in lists.find_counted_between(self.visits, first, last)], ["V0015", "V0154"])

    def test_mean_adults(self):
        self.assertEqual(lists.mean_adults(self.visits), 55.5)
        self.assertIsNone(lists.mean_adults([]))

    def test_at_least_adults(self):
        self.assertEqual([item.code for item in lists.at_least_adults(self.visits, 69)], ["V0001", "V0015"])

    def test_mean_children(self):
        self.assertEqual(lists.mean_children(self.visits), 37.8)
        self.assertIsNone(lists.mean_children([]))

    def test_at_least_children(self):
        self.assertEqual([item.code for item in lists.at_least_children(self.visits, 38)], ["V0015", "V0257"])

    def test_by_weather(self):
        groups = lists.by_weather(self.visits)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"snow": 1, "rain": 1, "fair": 1, "wind": 1})

    def test_count_weathers(self):
        self.assertEqual(lists.count_weathers(self.visits), [("fair", 1), ("rain", 1), ("snow", 1), ("wind", 1)])

    def test_total_hours(self):
        self.assertEqual(lists.total_hours(self.visits), Decimal("17.75"))

    def test_hours_of_each_weather(self):
        self.assertEqual(lists.hours_of_each_weather(self.visits), [("rain", Decimal("5.91")), ("fair", Decimal("5.72")), ("snow", Decimal("3.18")), ("wind", Decimal("2.94"))])

    def test_largest_hours(self):
        self.assertEqual([item.code for item in lists.largest_hours(self.visits, 2)], ["V0015", "V0154"])


if __name__ == "__main__":
    unittest.main()
