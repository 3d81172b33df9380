import unittest
from datetime import date
from decimal import Decimal

from apiary.kit.fields import BadField
from apiary.queries import feedings as lists
from apiary.model.feedings import FEEDINGS, changes_of_feeding, describe_feeding, format_feeding, parse_feeding

ROWS = [
    {"code": "F0163", "hive": "H0187", "given": "2024-04-02", "litres": "4.29", "kind": "honey"},
    {"code": "F0454", "hive": "H0437", "given": "2024-08-14", "litres": "7.42", "kind": "candy"},
    {"code": "F0511", "hive": "H0267", "given": "2024-09-14", "litres": "11.70", "kind": "honey"},
    {"code": "F0854", "hive": "H0113", "given": "2025-02-09", "litres": "7.69", "kind": "syrup"},
]


class FeedingTest(unittest.TestCase):
    def setUp(self):
        self.feedings = [parse_feeding(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_feeding(item) for item in self.feedings], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(FEEDINGS.read()), 230)
        self.assertEqual(FEEDINGS.get("F0163"), self.feedings[0])

    def test_it_is_described(self):
        wanted = [
            "code: F0163",
            "hive: H0187",
            "given: 02.04.2024",
            "litres: 4.29",
            "kind: honey",
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
        self.assertEqual(sizes, {"H0187": 1, "H0437": 1, "H0267": 1, "H0113": 1})

    def test_pick_given_between(self):
        first, last = date(2024, 8, 14), date(2024, 9, 14)
        found = lists.pick_given_between(self.feedings, first, last)
        self.assertEqual([item.code for item in found], ["F0454", "F0511"])

    def test_sum_of_litres(self):
        self.assertEqual(lists.sum_of_litres(self.feedings), Decimal("31.10"))

    def test_litres_of_each_kind(self):
        wanted = [("honey", Decimal("15.99")), ("syrup", Decimal("7.69")), ("candy", Decimal("7.42"))]
        self.assertEqual(lists.litres_of_each_kind(self.feedings), wanted)

    def test_largest_litres(self):
        found = lists.largest_litres(self.feedings, 2)
        self.assertEqual([item.code for item in found], ["F0511", "F0854"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.feedings)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"honey": 2, "candy": 1, "syrup": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.feedings), [("honey", 2), ("candy", 1), ("syrup", 1)])


if __name__ == "__main__":
    unittest.main()
