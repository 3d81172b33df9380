import unittest
from datetime import date
from decimal import Decimal

from rangers.kit.fields import BadField
from rangers.lists import bridges as lists
from rangers.records.bridges import BRIDGES, changes_of_bridge, describe_bridge, format_bridge, parse_bridge

ROWS = [
    {
        "code": "R0138",
        "title": "Stony meadow bridge",
        "checked": "2024-06-12",
        "span": "8.03",
        "load": "21",
        "kind": "wood",
    },
    {
        "code": "R0418",
        "title": "North bank bridge",
        "checked": "2024-10-22",
        "span": "20.58",
        "load": "33",
        "kind": "stone",
    },
    {
        "code": "R0801",
        "title": "New meadow bridge 6",
        "checked": "2025-04-11",
        "span": "2.40",
        "load": "49",
        "kind": "stone",
    },
    {
        "code": "R0818",
        "title": "Old meadow bridge",
        "checked": "2025-04-19",
        "span": "19.72",
        "load": "32",
        "kind": "steel",
    },
]


class BridgeTest(unittest.TestCase):
    def setUp(self):
        self.bridges = [parse_bridge(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_bridge(item) for item in self.bridges], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(BRIDGES.read()), 255)
        self.assertEqual(BRIDGES.get("R0138"), self.bridges[0])

    def test_it_is_described(self):
        wanted = [
            "code: R0138",
            "title: Stony meadow bridge",
            "checked: 12.06.2024",
            "span: 8.03",
            "load: 21",
            "kind: wood",
        ]
        self.assertEqual(list(describe_bridge(self.bridges[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_bridge(self.bridges[0], self.bridges[1])
        self.assertEqual([name for name, _, _ in found], ["code", "title", "checked", "span", "load", "kind"])
        self.assertEqual(changes_of_bridge(self.bridges[0], self.bridges[0]), [])

    def test_checked_is_checked(self):
        with self.assertRaises(BadField):
            parse_bridge(ROWS[0] | {"checked": "31.02.2025"})

    def test_span_is_checked(self):
        with self.assertRaises(BadField):
            parse_bridge(ROWS[0] | {"span": "a lot"})

    def test_load_is_checked(self):
        with self.assertRaises(BadField):
            parse_bridge(ROWS[0] | {"load": "several"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_bridge(ROWS[0] | {"kind": "unheard of"})

    def test_search_title(self):
        found = lists.search_title(self.bridges, "NORTH")
        self.assertEqual([item.code for item in found], ["R0418"])

    def test_find_checked_between(self):
        first, last = date(2024, 10, 22), date(2025, 4, 11)
        found = lists.find_checked_between(self.bridges, first, last)
        self.assertEqual([item.code for item in found], ["R0418", "R0801"])

    def test_total_span(self):
        self.assertEqual(lists.total_span(self.bridges), Decimal("50.73"))

    def test_span_of_each_kind(self):
        wanted = [("stone", Decimal("22.98")), ("steel", Decimal("19.72")), ("wood", Decimal("8.03"))]
        self.assertEqual(lists.span_of_each_kind(self.bridges), wanted)

    def test_largest_span(self):
        found = lists.largest_span(self.bridges, 2)
        self.assertEqual([item.code for item in found], ["R0418", "R0818"])

    def test_mean_load(self):
        self.assertEqual(lists.mean_load(self.bridges), 33.8)
        self.assertIsNone(lists.mean_load([]))

    def test_at_least_load(self):
        found = lists.at_least_load(self.bridges, 33)
        self.assertEqual([item.code for item in found], ["R0418", "R0801"])

    def test_by_kind(self):
        groups = lists.by_kind(self.bridges)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"wood": 1, "stone": 2, "steel": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.bridges), [("stone", 2), ("steel", 1), ("wood", 1)])


if __name__ == "__main__":
    unittest.main()
