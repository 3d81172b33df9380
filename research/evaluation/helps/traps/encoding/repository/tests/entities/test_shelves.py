import unittest
from datetime import date
from decimal import Decimal

from shop.kit.fields import BadField
from shop.summaries import shelves as lists
from shop.entities.shelves import SHELVES, changes_of_shelf, describe_shelf, format_shelf, parse_shelf

ROWS = [
    {"code": "S0063", "aisle": "E", "fitted": "2024-04-17", "slots": "9", "width": "0.61", "cooled": "no"},
    {"code": "S0163", "aisle": "D", "fitted": "2024-05-31", "slots": "16", "width": "2.24", "cooled": "yes"},
    {"code": "S0241", "aisle": "A", "fitted": "2024-07-01", "slots": "22", "width": "0.84", "cooled": "no"},
    {"code": "S0382", "aisle": "C", "fitted": "2024-09-22", "slots": "19", "width": "2.13", "cooled": "yes"},
]


class ShelfTest(unittest.TestCase):
    def setUp(self):
        self.shelves = [parse_shelf(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_shelf(item) for item in self.shelves], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(SHELVES.read()), 157)
        self.assertEqual(SHELVES.get("S0063"), self.shelves[0])

    def test_it_is_described(self):
        wanted = [
            "code: S0063",
            "aisle: E",
            "fitted: 17.04.2024",
            "slots: 9",
            "width: 0.61",
        ]
        self.assertEqual(list(describe_shelf(self.shelves[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_shelf(self.shelves[0], self.shelves[1])
        wanted = ["code", "aisle", "fitted", "slots", "width", "cooled"]
        self.assertEqual([name for name, _, _ in found], wanted)
        self.assertEqual(changes_of_shelf(self.shelves[0], self.shelves[0]), [])

    def test_aisle_is_checked(self):
        with self.assertRaises(BadField):
            parse_shelf(ROWS[0] | {"aisle": "unheard of"})

    def test_fitted_is_checked(self):
        with self.assertRaises(BadField):
            parse_shelf(ROWS[0] | {"fitted": "31.02.2025"})

    def test_slots_is_checked(self):
        with self.assertRaises(BadField):
            parse_shelf(ROWS[0] | {"slots": "several"})

    def test_width_is_checked(self):
        with self.assertRaises(BadField):
            parse_shelf(ROWS[0] | {"width": "a lot"})

    def test_cooled_is_checked(self):
        with self.assertRaises(BadField):
            parse_shelf(ROWS[0] | {"cooled": "perhaps"})

    def test_per_aisle(self):
        groups = lists.per_aisle(self.shelves)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"E": 1, "D": 1, "A": 1, "C": 1})

    def test_count_aisles(self):
        self.assertEqual(lists.count_aisles(self.shelves), [("A", 1), ("C", 1), ("D", 1), ("E", 1)])

    def test_select_fitted_between(self):
        first, last = date(2024, 5, 31), date(2024, 7, 1)
        found = lists.select_fitted_between(self.shelves, first, last)
        self.assertEqual([item.code for item in found], ["S0163", "S0241"])

    def test_mean_slots(self):
        self.assertEqual(lists.mean_slots(self.shelves), 16.5)
        self.assertIsNone(lists.mean_slots([]))

    def test_at_least_slots(self):
        found = lists.at_least_slots(self.shelves, 19)
        self.assertEqual([item.code for item in found], ["S0241", "S0382"])

    def test_add_up_width(self):
        self.assertEqual(lists.add_up_width(self.shelves), Decimal("5.82"))

    def test_width_of_each_aisle(self):
        wanted = [("D", Decimal("2.24")), ("C", Decimal("2.13")), ("A", Decimal("0.84")), ("E", Decimal("0.61"))]
        self.assertEqual(lists.width_of_each_aisle(self.shelves), wanted)

    def test_largest_width(self):
        found = lists.largest_width(self.shelves, 2)
        self.assertEqual([item.code for item in found], ["S0163", "S0382"])

    def test_select_cooled(self):
        found = lists.select_cooled(self.shelves)
        self.assertEqual([item.code for item in found], ["S0163", "S0382"])


if __name__ == "__main__":
    unittest.main()
