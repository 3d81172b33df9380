import unittest
from datetime import date
from decimal import Decimal

from pantry.kit.fields import BadField
from pantry.queries import menus as lists
from pantry.model.menus import MENUS, changes_of_menu, describe_menu, format_menu, parse_menu

ROWS = [
    {"code": "N0045", "begins": "2024-09-15", "dishes": "13", "cost": "97.74", "kind": "quick"},
    {"code": "N0310", "begins": "2025-01-08", "dishes": "9", "cost": "96.68", "kind": "plain"},
    {"code": "N0609", "begins": "2025-05-19", "dishes": "3", "cost": "100.54", "kind": "feast"},
    {"code": "N0617", "begins": "2025-05-25", "dishes": "13", "cost": "74.91", "kind": "plain"},
]


class MenuTest(unittest.TestCase):
    def setUp(self):
        self.menus = [parse_menu(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_menu(item) for item in self.menus], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(MENUS.read()), 244)
        self.assertEqual(MENUS.get("N0045"), self.menus[0])

    def test_it_is_described(self):
        wanted = [
            "code: N0045",
            "begins: 15.09.2024",
            "dishes: 13",
            "cost: 97.74",
            "kind: quick",
        ]
        self.assertEqual(list(describe_menu(self.menus[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_menu(self.menus[0], self.menus[1])
        self.assertEqual([name for name, _, _ in found], ["code", "begins", "dishes", "cost", "kind"])
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
        first, last = date(2025, 1, 8), date(2025, 5, 19)
        found = lists.pick_begins_between(self.menus, first, last)
        self.assertEqual([item.code for item in found], ["N0310", "N0609"])

    def test_mean_dishes(self):
        self.assertEqual(lists.mean_dishes(self.menus), 9.5)
        self.assertIsNone(lists.mean_dishes([]))

    def test_at_least_dishes(self):
        found = lists.at_least_dishes(self.menus, 13)
        self.assertEqual([item.code for item in found], ["N0045", "N0617"])

    def test_sum_of_cost(self):
        self.assertEqual(lists.sum_of_cost(self.menus), Decimal("369.87"))

    def test_cost_of_each_kind(self):
        wanted = [("plain", Decimal("171.59")), ("feast", Decimal("100.54")), ("quick", Decimal("97.74"))]
        self.assertEqual(lists.cost_of_each_kind(self.menus), wanted)

    def test_dearest_cost(self):
        found = lists.dearest_cost(self.menus, 2)
        self.assertEqual([item.code for item in found], ["N0609", "N0045"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.menus)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"quick": 1, "plain": 2, "feast": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.menus), [("plain", 2), ("feast", 1), ("quick", 1)])


if __name__ == "__main__":
    unittest.main()
