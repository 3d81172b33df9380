import unittest
from datetime import date
from decimal import Decimal

from pantry.kit.fields import BadField
from pantry.queries import cellar as lists
from pantry.model.cellar import CELLAR, changes_of_bottle, describe_bottle, format_bottle, parse_bottle

ROWS = [
    {
        "code": "B0357",
        "label": "Small pepper",
        "laid": "2025-02-04",
        "count": "12",
        "price": "6.45",
        "kind": "vinegar",
    },
    {"code": "B0537", "label": "Dry beet", "laid": "2025-04-23", "count": "19", "price": "20.14", "kind": "juice"},
    {
        "code": "B0671",
        "label": "Yellow bean",
        "laid": "2025-06-04",
        "count": "16",
        "price": "13.72",
        "kind": "juice",
    },
    {
        "code": "B1058",
        "label": "Green carrot 3",
        "laid": "2025-11-16",
        "count": "3",
        "price": "24.28",
        "kind": "wine",
    },
]


class BottleTest(unittest.TestCase):
    def setUp(self):
        self.cellar = [parse_bottle(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_bottle(item) for item in self.cellar], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(CELLAR.read()), 294)
        self.assertEqual(CELLAR.get("B0357"), self.cellar[0])

    def test_it_is_described(self):
        wanted = [
            "code: B0357",
            "label: Small pepper",
            "laid: 04.02.2025",
            "count: 12",
            "price: 6.45",
            "kind: vinegar",
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
        found = lists.search_label(self.cellar, "DRY")
        self.assertEqual([item.code for item in found], ["B0537"])

    def test_pick_laid_between(self):
        first, last = date(2025, 4, 23), date(2025, 6, 4)
        found = lists.pick_laid_between(self.cellar, first, last)
        self.assertEqual([item.code for item in found], ["B0537", "B0671"])

    def test_mean_count(self):
        self.assertEqual(lists.mean_count(self.cellar), 12.5)
        self.assertIsNone(lists.mean_count([]))

    def test_at_least_count(self):
        found = lists.at_least_count(self.cellar, 16)
        self.assertEqual([item.code for item in found], ["B0537", "B0671"])

    def test_sum_of_price(self):
        self.assertEqual(lists.sum_of_price(self.cellar), Decimal("64.59"))

    def test_price_of_each_kind(self):
        wanted = [("juice", Decimal("33.86")), ("wine", Decimal("24.28")), ("vinegar", Decimal("6.45"))]
        self.assertEqual(lists.price_of_each_kind(self.cellar), wanted)

    def test_dearest_price(self):
        found = lists.dearest_price(self.cellar, 2)
        self.assertEqual([item.code for item in found], ["B1058", "B0537"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.cellar)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"vinegar": 1, "juice": 2, "wine": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.cellar), [("juice", 2), ("vinegar", 1), ("wine", 1)])


if __name__ == "__main__":
    unittest.main()
