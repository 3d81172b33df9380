import unittest
from datetime import date
from decimal import Decimal

from pantry.kit.fields import BadField
from pantry.queries import cellar as lists
from pantry.model.cellar import CELLAR, changes_of_bottle, describe_bottle, format_bottle, parse_bottle

ROWS = [
    {"code": "B0110", "label": "Large apple", "laid": "2024-06-03", "count": "4", "price": "9.86", "kind": "cider"},
    {
        "code": "B0470",
        "label": "Wild fennel",
        "laid": "2024-11-13",
        "count": "14",
        "price": "18.71",
        "kind": "wine",
    },
    {
        "code": "B0506",
        "label": "Old apple 8",
        "laid": "2024-12-03",
        "count": "5",
        "price": "13.72",
        "kind": "vinegar",
    },
    {
        "code": "B0574",
        "label": "Early plum",
        "laid": "2024-12-27",
        "count": "18",
        "price": "26.21",
        "kind": "cider",
    },
]


class BottleTest(unittest.TestCase):
    def setUp(self):
        self.cellar = [parse_bottle(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_bottle(item) for item in self.cellar], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(CELLAR.read()), 163)
        self.assertEqual(CELLAR.get("B0110"), self.cellar[0])

    def test_it_is_described(self):
        wanted = [
            "code: B0110",
            "label: Large apple",
            "laid: 03.06.2024",
            "count: 4",
            "price: 9.86",
            "kind: cider",
        ]
        self.assertEqual(list(describe_bottle(self.cellar[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_bottle(self.cellar[0], self.cellar[1])
        self.assertEqual([name for name, _, _ in found], ["code", "label", "laid", "count", "price", "kind"])
        self.assertEqual(changes_of_bottle(self.cellar[0], self.cellar[0]), [])

    def test_laid_is_checked(self):
        with self.assertRaises(BadField):
            parse_bottle(ROWS[0] | {"laid": "31.02.2025"})

    def test_count_is_checked(self):
        with self.assertRaises(BadField):
            parse_bottle(ROWS[0] | {"count": "several"})

    def test_price_is_checked(self):
        with self.assertRaises(BadField):
            parse_bottle(ROWS[0] | {"price": "a lot"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_bottle(ROWS[0] | {"kind": "unheard of"})

    def test_search_label(self):
        found = lists.search_label(self.cellar, "WILD")
        self.assertEqual([item.code for item in found], ["B0470"])

    def test_pick_laid_between(self):
        first, last = date(2024, 11, 13), date(2024, 12, 3)
        found = lists.pick_laid_between(self.cellar, first, last)
        self.assertEqual([item.code for item in found], ["B0470", "B0506"])

    def test_mean_count(self):
        self.assertEqual(lists.mean_count(self.cellar), 10.2)
        self.assertIsNone(lists.mean_count([]))

    def test_at_least_count(self):
        found = lists.at_least_count(self.cellar, 14)
        self.assertEqual([item.code for item in found], ["B0470", "B0574"])

    def test_sum_of_price(self):
        self.assertEqual(lists.sum_of_price(self.cellar), Decimal("68.50"))

    def test_price_of_each_kind(self):
        wanted = [("cider", Decimal("36.07")), ("wine", Decimal("18.71")), ("vinegar", Decimal("13.72"))]
        self.assertEqual(lists.price_of_each_kind(self.cellar), wanted)

    def test_dearest_price(self):
        found = lists.dearest_price(self.cellar, 2)
        self.assertEqual([item.code for item in found], ["B0574", "B0470"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.cellar)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"cider": 2, "wine": 1, "vinegar": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.cellar), [("cider", 2), ("vinegar", 1), ("wine", 1)])


if __name__ == "__main__":
    unittest.main()
