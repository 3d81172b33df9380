import unittest
from datetime import date
from decimal import Decimal

from office.kit.fields import BadField
from office.lists import tools as lists
from office.records.tools import TOOLS, changes_of_tool, describe_tool, format_tool, parse_tool

ROWS = [
    {
        "code": "W0027",
        "what": "Plain drill",
        "bought": "2024-07-06",
        "price": "110.94",
        "place": "shed",
        "broken": "yes",
    },
    {
        "code": "W0397",
        "what": "Spare rake",
        "bought": "2024-11-14",
        "price": "811.53",
        "place": "shed",
        "broken": "no",
    },
    {
        "code": "W0742",
        "what": "Plain level",
        "bought": "2025-04-19",
        "price": "669.30",
        "place": "cellar",
        "broken": "no",
    },
    {
        "code": "W0749",
        "what": "Good hammer",
        "bought": "2025-04-19",
        "price": "399.52",
        "place": "shed",
        "broken": "yes",
    },
]


class ToolTest(unittest.TestCase):
    def setUp(self):
        self.tools = [parse_tool(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_tool(item) for item in self.tools], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(TOOLS.read()), 202)
        self.assertEqual(TOOLS.get("W0027"), self.tools[0])

    def test_it_is_described(self):
        wanted = [
            "code: W0027",
            "what: Plain drill",
            "bought: 06.07.2024",
            "price: 110.94",
            "place: shed",
            "broken",
        ]
        self.assertEqual(list(describe_tool(self.tools[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_tool(self.tools[0], self.tools[1])
        self.assertEqual([name for name, _, _ in found], ["code", "what", "bought", "price", "broken"])
        self.assertEqual(changes_of_tool(self.tools[0], self.tools[0]), [])

    def test_bought_is_checked(self):
        with self.assertRaises(BadField):
            parse_tool(ROWS[0] | {"bought": "31.02.2025"})

    def test_price_is_checked(self):
        with self.assertRaises(BadField):
            parse_tool(ROWS[0] | {"price": "a lot"})

    def test_place_is_checked(self):
        with self.assertRaises(BadField):
            parse_tool(ROWS[0] | {"place": "unheard of"})

    def test_broken_is_checked(self):
        with self.assertRaises(BadField):
            parse_tool(ROWS[0] | {"broken": "perhaps"})

    def test_search_what(self):
        found = lists.search_what(self.tools, "SPARE")
        self.assertEqual([item.code for item in found], ["W0397"])

    def test_find_bought_between(self):
        first, last = date(2024, 11, 14), date(2025, 4, 19)
        found = lists.find_bought_between(self.tools, first, last)
        self.assertEqual([item.code for item in found], ["W0397", "W0742", "W0749"])

    def test_total_price(self):
        self.assertEqual(lists.total_price(self.tools), Decimal("1991.29"))

    def test_price_of_each_place(self):
        wanted = [("shed", Decimal("1321.99")), ("cellar", Decimal("669.30"))]
        self.assertEqual(lists.price_of_each_place(self.tools), wanted)

    def test_dearest_price(self):
        found = lists.dearest_price(self.tools, 2)
        self.assertEqual([item.code for item in found], ["W0397", "W0742"])

    def test_by_place(self):
        groups = lists.by_place(self.tools)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"shed": 3, "cellar": 1})

    def test_count_places(self):
        self.assertEqual(lists.count_places(self.tools), [("shed", 3), ("cellar", 1)])

    def test_find_broken(self):
        found = lists.find_broken(self.tools)
        self.assertEqual([item.code for item in found], ["W0027", "W0749"])


if __name__ == "__main__":
    unittest.main()
