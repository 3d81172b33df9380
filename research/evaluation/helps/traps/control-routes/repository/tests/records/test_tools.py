import unittest
from datetime import date
from decimal import Decimal

from rangers.kit.fields import BadField
from rangers.lists import tools as lists
from rangers.records.tools import TOOLS, changes_of_tool, describe_tool, format_tool, parse_tool

ROWS = [
    {"code": "K0367", "what": "Low meadow 4", "bought": "2024-07-22", "price": "22.04", "state": "lent"},
    {"code": "K0463", "what": "Stony oak 2", "bought": "2024-09-01", "price": "97.34", "state": "lent"},
    {"code": "K0625", "what": "Small cave 9", "bought": "2024-11-11", "price": "392.37", "state": "here"},
    {"code": "K0813", "what": "North crossing", "bought": "2025-01-24", "price": "239.96", "state": "broken"},
]


class ToolTest(unittest.TestCase):
    def setUp(self):
        self.tools = [parse_tool(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_tool(item) for item in self.tools], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(TOOLS.read()), 257)
        self.assertEqual(TOOLS.get("K0367"), self.tools[0])

    def test_it_is_described(self):
        wanted = [
            "code: K0367",
            "what: Low meadow 4",
            "bought: 22.07.2024",
            "price: 22.04",
            "state: lent",
        ]
        self.assertEqual(list(describe_tool(self.tools[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_tool(self.tools[0], self.tools[1])
        self.assertEqual([name for name, _, _ in found], ["code", "what", "bought", "price"])
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
        found = lists.search_what(self.tools, "STONY")
        self.assertEqual([item.code for item in found], ["K0463"])

    def test_find_bought_between(self):
        first, last = date(2024, 9, 1), date(2024, 11, 11)
        found = lists.find_bought_between(self.tools, first, last)
        self.assertEqual([item.code for item in found], ["K0463", "K0625"])

    def test_total_price(self):
        self.assertEqual(lists.total_price(self.tools), Decimal("751.71"))

    def test_price_of_each_state(self):
        wanted = [("here", Decimal("392.37")), ("broken", Decimal("239.96")), ("lent", Decimal("119.38"))]
        self.assertEqual(lists.price_of_each_state(self.tools), wanted)

    def test_dearest_price(self):
        found = lists.dearest_price(self.tools, 2)
        self.assertEqual([item.code for item in found], ["K0625", "K0813"])

    def test_by_state(self):
        groups = lists.by_state(self.tools)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"lent": 2, "here": 1, "broken": 1})

    def test_count_states(self):
        self.assertEqual(lists.count_states(self.tools), [("lent", 2), ("broken", 1), ("here", 1)])


if __name__ == "__main__":
    unittest.main()
