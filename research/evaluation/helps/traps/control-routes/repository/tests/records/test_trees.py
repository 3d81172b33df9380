import unittest
from datetime import date
from decimal import Decimal

from rangers.kit.fields import BadField
from rangers.lists import trees as lists
from rangers.records.trees import TREES, changes_of_tree, describe_tree, format_tree, parse_tree

ROWS = [
    {
        "code": "T0177",
        "place": "Shady wood",
        "seen": "2024-10-25",
        "height": "30.17",
        "kind": "fir",
        "marked": "no",
    },
    {"code": "T0187", "place": "Old hill", "seen": "2024-10-30", "height": "20.06", "kind": "fir", "marked": "no"},
    {
        "code": "T0610",
        "place": "East bridge",
        "seen": "2025-06-13",
        "height": "26.77",
        "kind": "beech",
        "marked": "no",
    },
    {
        "code": "T0667",
        "place": "Stony rose",
        "seen": "2025-07-04",
        "height": "33.94",
        "kind": "oak",
        "marked": "no",
    },
]


class TreeTest(unittest.TestCase):
    def setUp(self):
        self.trees = [parse_tree(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_tree(item) for item in self.trees], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(TREES.read()), 171)
        self.assertEqual(TREES.get("T0177"), self.trees[0])

    def test_it_is_described(self):
        wanted = [
            "code: T0177",
            "place: Shady wood",
            "seen: 25.10.2024",
            "height: 30.17",
            "kind: fir",
        ]
        self.assertEqual(list(describe_tree(self.trees[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_tree(self.trees[0], self.trees[1])
        self.assertEqual([name for name, _, _ in found], ["code", "place", "seen", "height"])
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
        found = lists.search_place(self.trees, "OLD")
        self.assertEqual([item.code for item in found], ["T0187"])

    def test_find_seen_between(self):
        first, last = date(2024, 10, 30), date(2025, 6, 13)
        found = lists.find_seen_between(self.trees, first, last)
        self.assertEqual([item.code for item in found], ["T0187", "T0610"])

    def test_total_height(self):
        self.assertEqual(lists.total_height(self.trees), Decimal("110.94"))

    def test_height_of_each_kind(self):
        wanted = [("fir", Decimal("50.23")), ("oak", Decimal("33.94")), ("beech", Decimal("26.77"))]
        self.assertEqual(lists.height_of_each_kind(self.trees), wanted)

    def test_largest_height(self):
        found = lists.largest_height(self.trees, 2)
        self.assertEqual([item.code for item in found], ["T0667", "T0177"])

    def test_by_kind(self):
        groups = lists.by_kind(self.trees)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"fir": 2, "beech": 1, "oak": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.trees), [("fir", 2), ("beech", 1), ("oak", 1)])

    def test_find_marked(self):
        found = lists.find_marked(self.trees)
        self.assertEqual([item.code for item in found], [])


if __name__ == "__main__":
    unittest.main()
