import unittest
from datetime import date
from decimal import Decimal

from pantry.kit.fields import BadField
from pantry.queries import cellar as lists
from pantry.model.cellar import CELLAR, changes_of_bottle, describe_bottle, format_bottle, parse_bottle

ROWS = [
    {
        "code": "B0095",
        "label": "Long cabbage",
        "laid": "2024-06-18",
        "count": "1",
        "price": "13.13",
        "kind": "vinegar",
    },
    {
        "code": "B0285",
        "label": "Salted leek",
        "laid": "2024-09-02",
        "count": "24",
        "price": "25.39",
        "kind": "cider",
    },
    {"code": "B0509", "label": "Sour radish", "laid": "2024-11-15", "count": "20", "price": "2.06", "kind": "wine"},
    {"code": "B0606", "label": "Round onion", "laid": "2024-12-16", "count": "2", "price": "16.24", "kind": "wine"},
]


class BottleTest(unittest.TestCase):
    def setUp(self):
        self.cellar = [parse_bottle(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_bottle(item) for item in self.cellar], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(CELLAR.read()), 229)
        self.assertEqual(CELLAR.get("B0095"), self.cellar[0])

    def test_it_is_described(self):
        wanted = [
            "code: B0095",
            "label: Long cabbage",
            "laid: 18.06.2024",
            "count: 1",
            "price: 13.13",
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
        found = lists.search_label(self.cellar, "SALTED")
        self.assertEqual([item.code for item in found], ["B0285"])

    def test_pick_laid_between(self):
        first, last = date(2024, 9, 2), date(2024, 11, 15)
        found = lists.pick_laid_between(self.cellar, first, last)
        self.assertEqual([item.code for item in found], ["B0285", "B0509"])

    def test_mean_count(self):
        self.assertEqual(lists.mean_count(self.cellar), 11.8)
        self.assertIsNone(lists.mean_count([]))

    def test_at_least_count(self):
        found = lists.at_least_count(self.cellar, 20)
        self.assertEqual([item.code for item in found], ["B0285", "B0509"])

    def test_sum_of_price(self):
        self.assertEqual(lists.sum_of_price(self.cellar), Decimal("56.82"))

    def test_price_of_each_kind(self):
        wanted = [("cider", Decimal("25.39")), ("wine", Decimal("18.30")), ("vinegar", Decimal("13.13"))]
        self.assertEqual(lists.price_of_each_kind(self.cellar), wanted)

    def test_dearest_price(self):
        found = lists.dearest_price(self.cellar, 2)
        self.assertEqual([item.code for item in found], ["B0285", "B0606"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.cellar)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"vinegar": 1, "cider": 1, "wine": 2})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.cellar), [("wine", 2), ("cider", 1), ("vinegar", 1)])


if __name__ == "__main__":
    unittest.main()
