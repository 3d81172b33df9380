import unittest
from datetime import date

from apiary.kit.fields import BadField
from apiary.queries import tools as lists
from apiary.model.tools import TOOLS, changes_of_tool, describe_tool, format_tool, parse_tool

ROWS = [
    {"code": "T0029", "what": "Upper farm", "lent": "2024-08-15", "card": "141", "state": "here"},
    {"code": "T0447", "what": "Early meadow 3", "lent": "2025-03-10", "card": "183", "state": "lent"},
    {"code": "T0553", "what": "Sunny mill", "lent": "2025-04-22", "card": "94", "state": "broken"},
    {"code": "T0751", "what": "East lime", "lent": "2025-07-16", "card": "13", "state": "broken"},
]


class ToolTest(unittest.TestCase):
    def setUp(self):
        self.tools = [parse_tool(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_tool(item) for item in self.tools], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(TOOLS.read()), 190)
        self.assertEqual(TOOLS.get("T0029"), self.tools[0])

    def test_it_is_described(self):
        wanted = [
            "code: T0029",
            "what: Upper farm",
            "lent: 15.08.2024",
            "card: 141",
            "state: here",
        ]
        self.assertEqual(list(describe_tool(self.tools[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_tool(self.tools[0], self.tools[1])
        self.assertEqual([name for name, _, _ in found], ["code", "what", "lent", "card", "state"])
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
        found = lists.search_what(self.tools, "EARLY")
        self.assertEqual([item.code for item in found], ["T0447"])

    def test_pick_lent_between(self):
        first, last = date(2025, 3, 10), date(2025, 4, 22)
        found = lists.pick_lent_between(self.tools, first, last)
        self.assertEqual([item.code for item in found], ["T0447", "T0553"])

    def test_mean_card(self):
        self.assertEqual(lists.mean_card(self.tools), 107.8)
        self.assertIsNone(lists.mean_card([]))

    def test_at_least_card(self):
        found = lists.at_least_card(self.tools, 141)
        self.assertEqual([item.code for item in found], ["T0029", "T0447"])

    def test_group_by_state(self):
        groups = lists.group_by_state(self.tools)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"here": 1, "lent": 1, "broken": 2})

    def test_count_states(self):
        self.assertEqual(lists.count_states(self.tools), [("broken", 2), ("here", 1), ("lent", 1)])


if __name__ == "__main__":
    unittest.main()
