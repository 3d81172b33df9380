import unittest
from datetime import date
from decimal import Decimal

from pantry.kit.fields import BadField
from pantry.queries import menus as lists
from pantry.model.menus import MENUS, changes_of_menu, describe_menu, format_menu, parse_menu

ROWS = [
    {"code": "N0362", "begins": "2025-01-09", "dishes": "8", "cost": "50.81", "kind": "feast"},
    {"code": "N0417", "begins": "2025-01-25", "dishes": "6", "cost": "56.59", "kind": "feast"},
    {"code": "N0478", "begins": "2025-02-19", "dishes": "8", "cost": "125.38", "kind": "feast"},
    {"code": "N0513", "begins": "2025-03-05", "dishes": "11", "cost": "48.34", "kind": "plain"},
]


class MenuTest(unittest.TestCase):
    def setUp(self):
        self.menus = [parse_menu(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_menu(item) for item in self.menus], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(MENUS.read()), 188)
        self.assertEqual(MENUS.get("N0362"), self.menus[0])

    def test_it_is_described(self):
        wanted = [
            "code: N0362",
            "begins: 09.01.2025",
            "dishes: 8",
            "cost: 50.81",
            "kind: feast",
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
        first, last = date(2025, 1, 25), date(2025, 2, 19)
        found = lists.pick_begins_between(self.menus, first, last)
        self.assertEqual([item.code for item in found], ["N0417", "N0478"])

    def test_mean_dishes(self):
        self.assertEqual(lists.mean_dishes(self.menus), 8.2)
        self.assertIsNone(lists.mean_dishes([]))

    def test_at_least_dishes(self):
        found = lists.at_least_dishes(self.menus, 8)
        self.assertEqual([item.code for item in found], ["N0362", "N0478", "N0513"])

    def test_sum_of_cost(self):
        self.assertEqual(lists.sum_of_cost(self.menus), Decimal("281.12"))

    def test_cost_of_each_kind(self):
        wanted = [("feast", Decimal("232.78")), ("plain", Decimal("48.34"))]
        self.assertEqual(lists.cost_of_each_kind(self.menus), wanted)

    def test_dearest_cost(self):
        found = lists.dearest_cost(self.menus, 2)
        self.assertEqual([item.code for item in found], ["N0478", "N0417"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.menus)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"feast": 3, "plain": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.menus), [("feast", 3), ("plain", 1)])


if __name__ == "__main__":
    unittest.main()
