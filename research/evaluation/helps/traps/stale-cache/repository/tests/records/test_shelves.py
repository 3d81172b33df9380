import unittest
from datetime import date
from decimal import Decimal

from room.kit.fields import BadField
from room.lists import shelves as lists
from room.records.shelves import SHELVES, changes_of_shelf, describe_shelf, format_shelf, parse_shelf

ROWS = [
    {
        "code": "S0079",
        "label": "Distant bridge",
        "wall": "south",
        "metres": "1.52",
        "boards": "2",
        "dusted": "2024-06-03",
    },
    {
        "code": "S0331",
        "label": "Distant lantern",
        "wall": "south",
        "metres": "4.44",
        "boards": "9",
        "dusted": "2024-10-09",
    },
    {
        "code": "S0333",
        "label": "Distant forest",
        "wall": "east",
        "metres": "1.33",
        "boards": "3",
        "dusted": "2024-10-12",
    },
    {
        "code": "S0387",
        "label": "Stony bridge",
        "wall": "west",
        "metres": "4.54",
        "boards": "4",
        "dusted": "2024-11-06",
    },
]


class ShelfTest(unittest.TestCase):
    def setUp(self):
        self.shelves = [parse_shelf(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_shelf(item) for item in self.shelves], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(SHELVES.read()), 121)
        self.assertEqual(SHELVES.get("S0079"), self.shelves[0])

    def test_it_is_described(self):
        wanted = [
            "code: S0079",
            "label: Distant bridge",
            "wall: south",
            "metres: 1.52",
            "boards: 2",
            "dusted: 03.06.2024",
        ]
        self.assertEqual(list(describe_shelf(self.shelves[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_shelf(self.shelves[0], self.shelves[1])
        self.assertEqual([name for name, _, _ in found], ["code", "label", "metres", "boards", "dusted"])
        self.assertEqual(changes_of_shelf(self.shelves[0], self.shelves[0]), [])

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
        found = lists.search_label(self.shelves, "DISTANT")
        self.assertEqual([item.code for item in found], ["S0079", "S0331", "S0333"])

    def test_by_wall(self):
        groups = lists.by_wall(self.shelves)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"south": 2, "east": 1, "west": 1})

    def test_count_walls(self):
        self.assertEqual(lists.count_walls(self.shelves), [("south", 2), ("east", 1), ("west", 1)])

    def test_total_metres(self):
        self.assertEqual(lists.total_metres(self.shelves), Decimal("11.83"))

    def test_metres_of_each_wall(self):
        wanted = [("south", Decimal("5.96")), ("west", Decimal("4.54")), ("east", Decimal("1.33"))]
        self.assertEqual(lists.metres_of_each_wall(self.shelves), wanted)

    def test_largest_metres(self):
        found = lists.largest_metres(self.shelves, 2)
        self.assertEqual([item.code for item in found], ["S0387", "S0331"])

    def test_mean_boards(self):
        self.assertEqual(lists.mean_boards(self.shelves), 4.5)
        self.assertIsNone(lists.mean_boards([]))

    def test_at_least_boards(self):
        found = lists.at_least_boards(self.shelves, 4)
        self.assertEqual([item.code for item in found], ["S0331", "S0387"])

    def test_find_dusted_between(self):
        first, last = date(2024, 10, 9), date(2024, 10, 12)
        found = lists.find_dusted_between(self.shelves, first, last)
        self.assertEqual([item.code for item in found], ["S0331", "S0333"])


if __name__ == "__main__":
    unittest.main()
