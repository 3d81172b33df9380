import unittest
from datetime import date

from apiary.kit.fields import BadField
from apiary.queries import tools as lists
from apiary.model.tools import TOOLS, changes_of_tool, describe_tool, format_tool, parse_tool

ROWS = [
    {"code": "T0078", "what": "Short bucket", "lent": "2024-10-22", "card": "143", "state": "here"},
    {"code": "T0101", "what": "Large smoker", "lent": "2024-10-29", "card": "40", "state": "here"},
    {"code": "T0191", "what": "Light knife", "lent": "2024-12-07", "card": "221", "state": "lent"},
    {"code": "T0507", "what": "Light strainer", "lent": "2025-04-05", "card": "161", "state": "here"},
]


class ToolTest(unittest.TestCase):
    def setUp(self):
        self.tools = [parse_tool(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_tool(item) for item in self.tools], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(TOOLS.read()), 184)
        self.assertEqual(TOOLS.get("T0078"), self.tools[0])

    def test_it_is_described(self):
        wanted = [
            "code: T0078",
            "what: Short bucket",
            "lent: 22.10.2024",
            "card: 143",
            "state: here",
        ]
        self.assertEqual(list(describe_tool(self.tools[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_tool(self.tools[0], self.tools[1])
        self.assertEqual([name for name, _, _ in found], ["code", "what", "lent", "card"])
        self.assertEqual(changes_of_tool(self.tools[0], self.tools[0]), [])

    def test_lent_is_checked(self):
        with self.assertRaises(BadField):
            parse_tool(ROWS[0] | {"lent": "31.02.2025"})

    def test_card_is_checked(self):
        with self.assertRaises(BadField):
            parse_tool(ROWS[0] | {"card": "several"})

    def test_state_is_checked(self):
        with self.assertRaises(BadField):
            parse_tool(ROWS[0] | {"state": "unheard of"})

    def test_search_what(self):
        found = lists.search_what(self.tools, "LARGE")
        self.assertEqual([item.code for item in found], ["T0101"])

    def test_pick_lent_between(self):
        first, last = date(2024, 10, 29), date(2024, 12, 7)
        found = lists.pick_lent_between(self.tools, first, last)
        self.assertEqual([item.code for item in found], ["T0101", "T0191"])

    def test_mean_card(self):
        self.assertEqual(lists.mean_card(self.tools), 141.2)
        self.assertIsNone(lists.mean_card([]))

    def test_at_least_card(self):
        found = lists.at_least_card(self.tools, 161)
        self.assertEqual([item.code for item in found], ["T0191", "T0507"])

    def test_group_by_state(self):
        groups = lists.group_by_state(self.tools)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"here": 3, "lent": 1})

    def test_count_states(self):
        self.assertEqual(lists.count_states(self.tools), [("here", 3), ("lent", 1)])


if __name__ == "__main__":
    unittest.main()
