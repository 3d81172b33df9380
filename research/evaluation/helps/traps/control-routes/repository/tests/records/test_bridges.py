import unittest
from datetime import date
from decimal import Decimal

from rangers.kit.fields import BadField
from rangers.lists import bridges as lists
from rangers.records.bridges import BRIDGES, changes_of_bridge, describe_bridge, format_bridge, parse_bridge

ROWS = [
    {
        "code": "R0014",
        "title": "New hill bridge",
        "checked": "2024-04-07",
        "span": "16.72",
        "load": "4",
        "kind": "stone",
    },
    {
        "code": "R0041",
        "title": "Quiet ridge bridge",
        "checked": "2024-04-20",
        "span": "6.04",
        "load": "53",
        "kind": "steel",
    },
    {
        "code": "R0357",
        "title": "Round crossing bridge",
        "checked": "2024-09-28",
        "span": "8.64",
        "load": "41",
        "kind": "steel",
    },
    {
        "code": "R0911",
        "title": "Round hollow bridge",
        "checked": "2025-06-10",
        "span": "29.05",
        "load": "30",
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
        self.assertEqual(BRIDGES.get("R0014"), self.bridges[0])

    def test_it_is_described(self):
        wanted = [
            "code: R0014",
            "title: New hill bridge",
            "checked: 07.04.2024",
            "span: 16.72",
            "load: 4",
            "kind: stone",
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
        found = lists.search_title(self.bridges, "QUIET")
        self.assertEqual([item.code for item in found], ["R0041"])

    def test_find_checked_between(self):
        first, last = date(2024, 4, 20), date(2024, 9, 28)
        found = lists.find_checked_between(self.bridges, first, last)
        self.assertEqual([item.code for item in found], ["R0041", "R0357"])

    def test_total_span(self):
        self.assertEqual(lists.total_span(self.bridges), Decimal("60.45"))

    def test_span_of_each_kind(self):
        wanted = [("steel", Decimal("43.73")), ("stone", Decimal("16.72"))]
        self.assertEqual(lists.span_of_each_kind(self.bridges), wanted)

    def test_largest_span(self):
        found = lists.largest_span(self.bridges, 2)
        self.assertEqual([item.code for item in found], ["R0911", "R0014"])

    def test_mean_load(self):
        self.assertEqual(lists.mean_load(self.bridges), 32.0)
        self.assertIsNone(lists.mean_load([]))

    def test_at_least_load(self):
        found = lists.at_least_load(self.bridges, 41)
        self.assertEqual([item.code for item in found], ["R0041", "R0357"])

    def test_by_kind(self):
        groups = lists.by_kind(self.bridges)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"stone": 1, "steel": 3})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.bridges), [("steel", 3), ("stone", 1)])


if __name__ == "__main__":
    unittest.main()
