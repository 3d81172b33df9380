import unittest
from datetime import date
from decimal import Decimal

from office.kit.fields import BadField
from office.lists import tools as lists
from office.records.tools import TOOLS, changes_of_tool, describe_tool, format_tool, parse_tool

ROWS = [
    {
        "code": "W0075",
        "what": "River hedge",
        "bought": "2024-07-22",
        "price": "441.95",
        "place": "shed",
        "broken": "yes",
    },
    {
        "code": "W0091",
        "what": "Early terrace",
        "bought": "2024-07-29",
        "price": "841.95",
        "place": "cellar",
        "broken": "yes",
    },
    {
        "code": "W0130",
        "what": "River meadow 2",
        "bought": "2024-08-21",
        "price": "695.55",
        "place": "lent",
        "broken": "yes",
    },
    {
        "code": "W0173",
        "what": "Winter meadow",
        "bought": "2024-09-09",
        "price": "24.55",
        "place": "lent",
        "broken": "no",
    },
]


class ToolTest(unittest.TestCase):
    def setUp(self):
        self.tools = [parse_tool(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_tool(item) for item in self.tools], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(TOOLS.read()), 202)
        self.assertEqual(TOOLS.get("W0075"), self.tools[0])

    def test_it_is_described(self):
        wanted = [
            "code: W0075",
            "what: River hedge",
            "bought: 22.07.2024",
            "price: 441.95",
            "place: shed",
            "broken",
        ]
        self.assertEqual(list(describe_tool(self.tools[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_tool(self.tools[0], self.tools[1])
        self.assertEqual([name for name, _, _ in found], ["code", "what", "bought", "price", "place"])
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
        found = lists.search_what(self.tools, "EARLY")
        self.assertEqual([item.code for item in found], ["W0091"])

    def test_find_bought_between(self):
        first, last = date(2024, 7, 29), date(2024, 8, 21)
        found = lists.find_bought_between(self.tools, first, last)
        self.assertEqual([item.code for item in found], ["W0091", "W0130"])

    def test_total_price(self):
        self.assertEqual(lists.total_price(self.tools), Decimal("2004.00"))

    def test_price_of_each_place(self):
        wanted = [("cellar", Decimal("841.95")), ("lent", Decimal("720.10")), ("shed", Decimal("441.95"))]
        self.assertEqual(lists.price_of_each_place(self.tools), wanted)

    def test_dearest_price(self):
        found = lists.dearest_price(self.tools, 2)
        self.assertEqual([item.code for item in found], ["W0091", "W0130"])

    def test_by_place(self):
        groups = lists.by_place(self.tools)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"shed": 1, "cellar": 1, "lent": 2})

    def test_count_places(self):
        self.assertEqual(lists.count_places(self.tools), [("lent", 2), ("cellar", 1), ("shed", 1)])

    def test_find_broken(self):
        found = lists.find_broken(self.tools)
        self.assertEqual([item.code for item in found], ["W0075", "W0091", "W0130"])


if __name__ == "__main__":
    unittest.main()
