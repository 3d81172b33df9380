import unittest
from datetime import date
from decimal import Decimal

from rangers.kit.fields import BadField
from rangers.lists import trees as lists
from rangers.records.trees import TREES, changes_of_tree, describe_tree, format_tree, parse_tree

ROWS = [
    {
        "code": "T0327",
        "place": "Mossy spring 3",
        "seen": "2025-03-26",
        "height": "28.18",
        "kind": "birch",
        "marked": "no",
    },
    {
        "code": "T0337",
        "place": "High grove",
        "seen": "2025-04-01",
        "height": "2.02",
        "kind": "lime",
        "marked": "no",
    },
    {
        "code": "T0749",
        "place": "Long lake 8",
        "seen": "2025-10-21",
        "height": "13.64",
        "kind": "oak",
        "marked": "no",
    },
    {
        "code": "T0997",
        "place": "South grove 2",
        "seen": "2026-03-03",
        "height": "31.73",
        "kind": "beech",
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
        self.assertEqual(TREES.get("T0327"), self.trees[0])

    def test_it_is_described(self):
        wanted = [
            "code: T0327",
            "place: Mossy spring 3",
            "seen: 26.03.2025",
            "height: 28.18",
            "kind: birch",
        ]
        self.assertEqual(list(describe_tree(self.trees[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_tree(self.trees[0], self.trees[1])
        self.assertEqual([name for name, _, _ in found], ["code", "place", "seen", "height", "kind"])
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
        found = lists.search_place(self.trees, "HIGH")
        self.assertEqual([item.code for item in found], ["T0337"])

    def test_find_seen_between(self):
        first, last = date(2025, 4, 1), date(2025, 10, 21)
        found = lists.find_seen_between(self.trees, first, last)
        self.assertEqual([item.code for item in found], ["T0337", "T0749"])

    def test_total_height(self):
        self.assertEqual(lists.total_height(self.trees), Decimal("75.57"))

    def test_height_of_each_kind(self):
        wanted = [
            ("beech", Decimal("31.73")),
            ("birch", Decimal("28.18")),
            ("oak", Decimal("13.64")),
            ("lime", Decimal("2.02")),
        ]
        self.assertEqual(lists.height_of_each_kind(self.trees), wanted)

    def test_largest_height(self):
        found = lists.largest_height(self.trees, 2)
        self.assertEqual([item.code for item in found], ["T0997", "T0327"])

    def test_by_kind(self):
        groups = lists.by_kind(self.trees)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"birch": 1, "lime": 1, "oak": 1, "beech": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.trees), [("beech", 1), ("birch", 1), ("lime", 1), ("oak", 1)])

    def test_find_marked(self):
        found = lists.find_marked(self.trees)
        self.assertEqual([item.code for item in found], [])


if __name__ == "__main__":
    unittest.main()
