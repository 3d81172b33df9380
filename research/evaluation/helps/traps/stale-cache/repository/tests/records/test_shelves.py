import unittest
from datetime import date
from decimal import Decimal

from room.kit.fields import BadField
from room.lists import shelves as lists
from room.records.shelves import SHELVES, format_shelf, parse_shelf

ROWS = [
    {"code": "S0010", "label": "Early journey", "wall": "north", "metres": "4.46", "boards": "6", "dusted": "2024-03-28"},
    {"code": "S0055", "label": "Lost stair", "wall": "west", "metres": "1.69", "boards": "8", "dusted": "2024-04-15"},
    {"code": "S0321", "label": "Salt garden", "wall": "north", "metres": "3.01", "boards": "3", "dusted": "2024-08-04"},
    {"code": "S0370", "label": "Paper kitchen", "wall": "east", "metres": "3.01", "boards": "2", "dusted": "2024-08-28"},
]


class ShelfTest(unittest.TestCase):
    def setUp(self):
        self.shelves = [parse_shelf(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_shelf(item) for item in self.shelves], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(SHELVES.read()), 104)
        self.assertEqual(SHELVES.get("S0010"), self.shelves[0])

    def test_wall_is_checked(self):
        with self.assertRaises(BadField):
            parse_shelf(ROWS[0] | {"wall": "unheard of"})

    def test_metres_is_checked(self):
        with self.assertRaises(BadField):
            parse_shelf(ROWS[0] | {"metres": "a lot"})

    def test_boards_is_checked(self):
        with self.assertRaises(BadField):
            parse_shelf(ROWS[0] | {"boards": "several"})

    def test_dusted_is_checked(self):
        with self.assertRaises(BadField):
            parse_shelf(ROWS[0] | {"dusted": "31.02.2025"})

    def test_search_label(self):
        self.assertEqual([item.code for item in lists.search_label(self.shelves, "LOST")], ["S0055"])

    def test_by_wall(self):
        groups = lists.by_wall(self.shelves)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"north": 2, "west": 1, "east": 1})

    def test_count_walls(self):
        self.assertEqual(lists.count_walls(self.shelves), [("north", 2), ("east", 1), ("west", 1)])

    def test_total_metres(self):
        self.assertEqual(lists.total_metres(self.shelves), Decimal("12.17"))

    def test_metres_of_each_wall(self):
        self.assertEqual(lists.metres_of_each_wall(self.shelves), [("north", Decimal("7.47")), ("east", Decimal("3.01")), ("west", Decimal("1.69"))])

    def test_largest_metres(self):
        self.assertEqual([item.code for item in lists.largest_metres(self.shelves, 2)], ["S0010", "S0321"])

    def test_mean_boards(self):
        self.assertEqual(lists.mean_boards(self.shelves), 4.8)
        self.assertIsNone(lists.mean_boards([]))

    def test_at_least_boards(self):
        self.assertEqual([item.code for item in lists.at_least_boards(self.shelves, 6)], ["S0010", "S0055"])

    def test_find_dusted_between(self):
        first, last = date(2024, 4, 15), date(2024, 8, 4)
        self.assertEqual([item.code for item in lists.find_dusted_between(self.shelves, first, last)], ["S0055", "S0321"])


if __name__ == "__main__":
    unittest.main()
