import unittest
from datetime import date
from decimal import Decimal

from pantry.kit.fields import BadField
from pantry.queries import menus as lists
from pantry.model.menus import MENUS, changes_of_menu, describe_menu, format_menu, parse_menu

ROWS = [
    {"code": "N0443", "begins": "2025-02-15", "dishes": "6", "cost": "22.35", "kind": "plain"},
    {"code": "N0638", "begins": "2025-06-03", "dishes": "12", "cost": "34.98", "kind": "plain"},
    {"code": "N0706", "begins": "2025-07-07", "dishes": "11", "cost": "129.97", "kind": "feast"},
    {"code": "N0881", "begins": "2025-09-15", "dishes": "13", "cost": "42.36", "kind": "feast"},
]


class MenuTest(unittest.TestCase):
    def setUp(self):
        self.menus = [parse_menu(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_menu(item) for item in self.menus], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(MENUS.read()), 290)
        self.assertEqual(MENUS.get("N0443"), self.menus[0])

    def test_it_is_described(self):
        wanted = [
            "code: N0443",
            "begins: 15.02.2025",
            "dishes: 6",
            "cost: 22.35",
            "kind: plain",
        ]
        self.assertEqual(list(describe_menu(self.menus[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_menu(self.menus[0], self.menus[1])
        self.assertEqual([name for name, _, _ in found], ["code", "begins", "dishes", "cost"])
        self.assertEqual(changes_of_menu(self.menus[0], self.menus[0]), [])

    def test_begins_is_checked(self):
        with self.assertRaises(BadField):
            parse_menu(ROWS[0] | {"begins": "31.02.2025"})

    def test_dishes_is_checked(self):
        with self.assertRaises(BadField):
            parse_menu(ROWS[0] | {"dishes": "several"})

    def test_cost_is_checked(self):
        with self.assertRaises(BadField):
            parse_menu(ROWS[0] | {"cost": "a lot"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_menu(ROWS[0] | {"kind": "unheard of"})

    def test_pick_begins_between(self):
        first, last = date(2025, 6, 3), date(2025, 7, 7)
        found = lists.pick_begins_between(self.menus, first, last)
        self.assertEqual([item.code for item in found], ["N0638", "N0706"])

    def test_mean_dishes(self):
        self.assertEqual(lists.mean_dishes(self.menus), 10.5)
        self.assertIsNone(lists.mean_dishes([]))

    def test_at_least_dishes(self):
        found = lists.at_least_dishes(self.menus, 12)
        self.assertEqual([item.code for item in found], ["N0638", "N0881"])

    def test_sum_of_cost(self):
        self.assertEqual(lists.sum_of_cost(self.menus), Decimal("229.66"))

    def test_cost_of_each_kind(self):
        wanted = [("feast", Decimal("172.33")), ("plain", Decimal("57.33"))]
        self.assertEqual(lists.cost_of_each_kind(self.menus), wanted)

    def test_dearest_cost(self):
        found = lists.dearest_cost(self.menus, 2)
        self.assertEqual([item.code for item in found], ["N0706", "N0881"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.menus)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"plain": 2, "feast": 2})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.menus), [("feast", 2), ("plain", 2)])


if __name__ == "__main__":
    unittest.main()
