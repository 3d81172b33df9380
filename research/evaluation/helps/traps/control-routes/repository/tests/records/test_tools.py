import unittest
from datetime import date
from decimal import Decimal

from rangers.kit.fields import BadField
from rangers.lists import tools as lists
from rangers.records.tools import TOOLS, changes_of_tool, describe_tool, format_tool, parse_tool

ROWS = [
    {"code": "K0253", "what": "Plain spade", "bought": "2024-05-30", "price": "332.52", "state": "broken"},
    {"code": "K0286", "what": "Plain spade", "bought": "2024-06-13", "price": "77.32", "state": "lent"},
    {"code": "K0415", "what": "Small ladder", "bought": "2024-08-05", "price": "314.12", "state": "lent"},
    {"code": "K0793", "what": "Plain ladder", "bought": "2024-12-31", "price": "292.39", "state": "lent"},
]


class ToolTest(unittest.TestCase):
    def setUp(self):
        self.tools = [parse_tool(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_tool(item) for item in self.tools], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(TOOLS.read()), 257)
        self.assertEqual(TOOLS.get("K0253"), self.tools[0])

    def test_it_is_described(self):
        wanted = [
            "code: K0253",
            "what: Plain spade",
            "bought: 30.05.2024",
            "price: 332.52",
            "state: broken",
        ]
        self.assertEqual(list(describe_tool(self.tools[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_tool(self.tools[0], self.tools[1])
        self.assertEqual([name for name, _, _ in found], ["code", "bought", "price", "state"])
        self.assertEqual(changes_of_tool(self.tools[0], self.tools[0]), [])

    def test_bought_is_checked(self):
        with self.assertRaises(BadField):
            parse_tool(ROWS[0] | {"bought": "31.02.2025"})

    def test_price_is_checked(self):
        with self.assertRaises(BadField):
            parse_tool(ROWS[0] | {"price": "a lot"})

    def test_state_is_checked(self):
        with self.assertRaises(BadField):
            parse_tool(ROWS[0] | {"state": "unheard of"})

    def test_search_what(self):
        found = lists.search_what(self.tools, "PLAIN")
        self.assertEqual([item.code for item in found], ["K0253", "K0286", "K0793"])

    def test_find_bought_between(self):
        first, last = date(2024, 6, 13), date(2024, 8, 5)
        found = lists.find_bought_between(self.tools, first, last)
        self.assertEqual([item.code for item in found], ["K0286", "K0415"])

    def test_total_price(self):
        self.assertEqual(lists.total_price(self.tools), Decimal("1016.35"))

    def test_price_of_each_state(self):
        wanted = [("lent", Decimal("683.83")), ("broken", Decimal("332.52"))]
        self.assertEqual(lists.price_of_each_state(self.tools), wanted)

    def test_dearest_price(self):
        found = lists.dearest_price(self.tools, 2)
        self.assertEqual([item.code for item in found], ["K0253", "K0415"])

    def test_by_state(self):
        groups = lists.by_state(self.tools)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"broken": 1, "lent": 3})

    def test_count_states(self):
        self.assertEqual(lists.count_states(self.tools), [("lent", 3), ("broken", 1)])


if __name__ == "__main__":
    unittest.main()
