import unittest
from datetime import date
from decimal import Decimal

from rangers.kit.fields import BadField
from rangers.lists import tools as lists
from rangers.records.tools import TOOLS, changes_of_tool, describe_tool, format_tool, parse_tool

ROWS = [
    {"code": "K0090", "what": "New ridge", "bought": "2024-03-28", "price": "69.20", "state": "broken"},
    {"code": "K0249", "what": "Stony cave", "bought": "2024-05-28", "price": "93.29", "state": "here"},
    {"code": "K0625", "what": "Mossy spring", "bought": "2024-11-25", "price": "164.30", "state": "lent"},
    {"code": "K0786", "what": "Upper view 6", "bought": "2025-01-25", "price": "179.03", "state": "broken"},
]


class ToolTest(unittest.TestCase):
    def setUp(self):
        self.tools = [parse_tool(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_tool(item) for item in self.tools], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(TOOLS.read()), 219)
        self.assertEqual(TOOLS.get("K0090"), self.tools[0])

    def test_it_is_described(self):
        wanted = [
            "code: K0090",
            "what: New ridge",
            "bought: 28.03.2024",
            "price: 69.20",
            "state: broken",
        ]
        self.assertEqual(list(describe_tool(self.tools[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_tool(self.tools[0], self.tools[1])
        self.assertEqual([name for name, _, _ in found], ["code", "what", "bought", "price", "state"])
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
        self.assertEqual([item.code for item in found], ["K0249"])

    def test_find_bought_between(self):
        first, last = date(2024, 5, 28), date(2024, 11, 25)
        found = lists.find_bought_between(self.tools, first, last)
        self.assertEqual([item.code for item in found], ["K0249", "K0625"])

    def test_total_price(self):
        self.assertEqual(lists.total_price(self.tools), Decimal("505.82"))

    def test_price_of_each_state(self):
        wanted = [("broken", Decimal("248.23")), ("lent", Decimal("164.30")), ("here", Decimal("93.29"))]
        self.assertEqual(lists.price_of_each_state(self.tools), wanted)

    def test_dearest_price(self):
        found = lists.dearest_price(self.tools, 2)
        self.assertEqual([item.code for item in found], ["K0786", "K0625"])

    def test_by_state(self):
        groups = lists.by_state(self.tools)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"broken": 2, "here": 1, "lent": 1})

    def test_count_states(self):
        self.assertEqual(lists.count_states(self.tools), [("broken", 2), ("here", 1), ("lent", 1)])


if __name__ == "__main__":
    unittest.main()
