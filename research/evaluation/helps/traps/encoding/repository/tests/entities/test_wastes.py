import unittest
from datetime import date
from decimal import Decimal

from shop.kit.fields import BadField
from shop.summaries import wastes as lists
from shop.entities.wastes import WASTES, changes_of_waste, describe_waste, format_waste, parse_waste

ROWS = [
    {"code": "W0066", "day": "2024-04-13", "aisle": "E", "kilos": "28.38", "why": "warm", "given": "no"},
    {"code": "W0381", "day": "2024-08-30", "aisle": "A", "kilos": "9.65", "why": "old", "given": "no"},
    {"code": "W0555", "day": "2024-11-02", "aisle": "C", "kilos": "5.26", "why": "broken", "given": "no"},
    {"code": "W1071", "day": "2025-06-30", "aisle": "A", "kilos": "3.59", "why": "old", "given": "yes"},
]


class WasteTest(unittest.TestCase):
    def setUp(self):
        self.wastes = [parse_waste(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_waste(item) for item in self.wastes], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(WASTES.read()), 290)
        self.assertEqual(WASTES.get("W0066"), self.wastes[0])

    def test_it_is_described(self):
        wanted = [
            "code: W0066",
            "day: 13.04.2024",
            "aisle: E",
            "kilos: 28.38",
            "why: warm",
        ]
        self.assertEqual(list(describe_waste(self.wastes[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_waste(self.wastes[0], self.wastes[1])
        self.assertEqual([name for name, _, _ in found], ["code", "day", "aisle", "kilos", "why"])
        self.assertEqual(changes_of_waste(self.wastes[0], self.wastes[0]), [])

    def test_day_is_checked(self):
        with self.assertRaises(BadField):
            parse_waste(ROWS[0] | {"day": "31.02.2025"})

    def test_aisle_is_checked(self):
        with self.assertRaises(BadField):
            parse_waste(ROWS[0] | {"aisle": "unheard of"})

    def test_kilos_is_checked(self):
        with self.assertRaises(BadField):
            parse_waste(ROWS[0] | {"kilos": "a lot"})

    def test_why_is_checked(self):
        with self.assertRaises(BadField):
            parse_waste(ROWS[0] | {"why": "unheard of"})

    def test_given_is_checked(self):
        with self.assertRaises(BadField):
            parse_waste(ROWS[0] | {"given": "perhaps"})

    def test_select_day_between(self):
        first, last = date(2024, 8, 30), date(2024, 11, 2)
        found = lists.select_day_between(self.wastes, first, last)
        self.assertEqual([item.code for item in found], ["W0381", "W0555"])

    def test_per_aisle(self):
        groups = lists.per_aisle(self.wastes)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"E": 1, "A": 2, "C": 1})

    def test_count_aisles(self):
        self.assertEqual(lists.count_aisles(self.wastes), [("A", 2), ("C", 1), ("E", 1)])

    def test_add_up_kilos(self):
        self.assertEqual(lists.add_up_kilos(self.wastes), Decimal("46.88"))

    def test_kilos_of_each_aisle(self):
        wanted = [("E", Decimal("28.38")), ("A", Decimal("13.24")), ("C", Decimal("5.26"))]
        self.assertEqual(lists.kilos_of_each_aisle(self.wastes), wanted)

    def test_largest_kilos(self):
        found = lists.largest_kilos(self.wastes, 2)
        self.assertEqual([item.code for item in found], ["W0066", "W0381"])

    def test_per_why(self):
        groups = lists.per_why(self.wastes)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"warm": 1, "old": 2, "broken": 1})

    def test_count_whys(self):
        self.assertEqual(lists.count_whys(self.wastes), [("old", 2), ("broken", 1), ("warm", 1)])

    def test_select_given(self):
        found = lists.select_given(self.wastes)
        self.assertEqual([item.code for item in found], ["W1071"])


if __name__ == "__main__":
    unittest.main()
