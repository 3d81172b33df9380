import unittest
from datetime import date
from decimal import Decimal

from apiary.kit.fields import BadField
from apiary.queries import feedings as lists
from apiary.model.feedings import FEEDINGS, changes_of_feeding, describe_feeding, format_feeding, parse_feeding

ROWS = [
    {"code": "F0397", "hive": "H0441", "given": "2024-07-26", "litres": "8.67", "kind": "syrup"},
    {"code": "F0605", "hive": "H0594", "given": "2024-10-27", "litres": "7.58", "kind": "honey"},
    {"code": "F0622", "hive": "H0555", "given": "2024-11-06", "litres": "10.92", "kind": "candy"},
    {"code": "F0730", "hive": "H0082", "given": "2024-12-21", "litres": "6.79", "kind": "candy"},
]


class FeedingTest(unittest.TestCase):
    def setUp(self):
        self.feedings = [parse_feeding(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_feeding(item) for item in self.feedings], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(FEEDINGS.read()), 230)
        self.assertEqual(FEEDINGS.get("F0397"), self.feedings[0])

    def test_it_is_described(self):
        wanted = [
            "code: F0397",
            "hive: H0441",
            "given: 26.07.2024",
            "litres: 8.67",
            "kind: syrup",
        ]
        self.assertEqual(list(describe_feeding(self.feedings[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_feeding(self.feedings[0], self.feedings[1])
        self.assertEqual([name for name, _, _ in found], ["code", "hive", "given", "litres", "kind"])
        self.assertEqual(changes_of_feeding(self.feedings[0], self.feedings[0]), [])

    def test_given_is_checked(self):
        with self.assertRaises(BadField):
            parse_feeding(ROWS[0] | {"given": "31.02.2025"})

    def test_litres_is_checked(self):
        with self.assertRaises(BadField):
            parse_feeding(ROWS[0] | {"litres": "a lot"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_feeding(ROWS[0] | {"kind": "unheard of"})

    def test_group_by_hive(self):
        groups = lists.group_by_hive(self.feedings)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"H0441": 1, "H0594": 1, "H0555": 1, "H0082": 1})

    def test_pick_given_between(self):
        first, last = date(2024, 10, 27), date(2024, 11, 6)
        found = lists.pick_given_between(self.feedings, first, last)
        self.assertEqual([item.code for item in found], ["F0605", "F0622"])

    def test_sum_of_litres(self):
        self.assertEqual(lists.sum_of_litres(self.feedings), Decimal("33.96"))

    def test_litres_of_each_kind(self):
        wanted = [("candy", Decimal("17.71")), ("syrup", Decimal("8.67")), ("honey", Decimal("7.58"))]
        self.assertEqual(lists.litres_of_each_kind(self.feedings), wanted)

    def test_largest_litres(self):
        found = lists.largest_litres(self.feedings, 2)
        self.assertEqual([item.code for item in found], ["F0622", "F0397"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.feedings)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"syrup": 1, "honey": 1, "candy": 2})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.feedings), [("candy", 2), ("honey", 1), ("syrup", 1)])


if __name__ == "__main__":
    unittest.main()
