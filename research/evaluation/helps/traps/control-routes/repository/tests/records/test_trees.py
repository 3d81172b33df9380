import unittest
from datetime import date
from decimal import Decimal

from rangers.kit.fields import BadField
from rangers.lists import trees as lists
from rangers.records.trees import TREES, changes_of_tree, describe_tree, format_tree, parse_tree

ROWS = [
    {
        "code": "T0041",
        "place": "Lower orchard",
        "seen": "2024-11-07",
        "height": "32.11",
        "kind": "fir",
        "marked": "no",
    },
    {
        "code": "T0055",
        "place": "West hill",
        "seen": "2024-11-17",
        "height": "30.06",
        "kind": "birch",
        "marked": "yes",
    },
    {"code": "T0147", "place": "Old gate", "seen": "2025-01-07", "height": "17.65", "kind": "lime", "marked": "no"},
    {
        "code": "T0943",
        "place": "Lower wood 7",
        "seen": "2026-02-11",
        "height": "12.21",
        "kind": "lime",
        "marked": "no",
    },
]


class TreeTest(unittest.TestCase):
    def setUp(self):
        self.trees = [parse_tree(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_tree(item) for item in self.trees], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(TREES.read()), 296)
        self.assertEqual(TREES.get("T0041"), self.trees[0])

    def test_it_is_described(self):
        wanted = [
            "code: T0041",
            "place: Lower orchard",
            "seen: 07.11.2024",
            "height: 32.11",
            "kind: fir",
        ]
        self.assertEqual(list(describe_tree(self.trees[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_tree(self.trees[0], self.trees[1])
        self.assertEqual([name for name, _, _ in found], ["code", "place", "seen", "height", "kind", "marked"])
        self.assertEqual(changes_of_tree(self.trees[0], self.trees[0]), [])

    def test_seen_is_checked(self):
        with self.assertRaises(BadField):
            parse_tree(ROWS[0] | {"seen": "31.02.2025"})

    def test_height_is_checked(self):
        with self.assertRaises(BadField):
            parse_tree(ROWS[0] | {"height": "a lot"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_tree(ROWS[0] | {"kind": "unheard of"})

    def test_marked_is_checked(self):
        with self.assertRaises(BadField):
            parse_tree(ROWS[0] | {"marked": "perhaps"})

    def test_search_place(self):
        found = lists.search_place(self.trees, "WEST")
        self.assertEqual([item.code for item in found], ["T0055"])

    def test_find_seen_between(self):
        first, last = date(2024, 11, 17), date(2025, 1, 7)
        found = lists.find_seen_between(self.trees, first, last)
        self.assertEqual([item.code for item in found], ["T0055", "T0147"])

    def test_total_height(self):
        self.assertEqual(lists.total_height(self.trees), Decimal("92.03"))

    def test_height_of_each_kind(self):
        wanted = [("fir", Decimal("32.11")), ("birch", Decimal("30.06")), ("lime", Decimal("29.86"))]
        self.assertEqual(lists.height_of_each_kind(self.trees), wanted)

    def test_largest_height(self):
        found = lists.largest_height(self.trees, 2)
        self.assertEqual([item.code for item in found], ["T0041", "T0055"])

    def test_by_kind(self):
        groups = lists.by_kind(self.trees)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"fir": 1, "birch": 1, "lime": 2})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.trees), [("lime", 2), ("birch", 1), ("fir", 1)])

    def test_find_marked(self):
        found = lists.find_marked(self.trees)
        self.assertEqual([item.code for item in found], ["T0055"])


if __name__ == "__main__":
    unittest.main()
