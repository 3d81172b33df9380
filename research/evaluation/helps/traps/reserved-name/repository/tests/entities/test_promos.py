import unittest
from datetime import date

from sales.kit.fields import BadField
from sales.summaries import promos as lists
from sales.entities.promos import PROMOS, changes_of_promo, describe_promo, format_promo, parse_promo

ROWS = [
    {
        "code": "P0138",
        "title": "Hill bridge offer",
        "begins": "2024-06-25",
        "ends": "2024-07-16",
        "percent": "47",
        "kind": "cards",
    },
    {
        "code": "P0221",
        "title": "Old yard offer",
        "begins": "2024-08-03",
        "ends": "2024-08-18",
        "percent": "18",
        "kind": "evening",
    },
    {
        "code": "P0873",
        "title": "Green square offer 5",
        "begins": "2025-05-07",
        "ends": "2025-05-22",
        "percent": "33",
        "kind": "evening",
    },
    {
        "code": "P0917",
        "title": "North quay offer 2",
        "begins": "2025-06-01",
        "ends": "2025-07-26",
        "percent": "34",
        "kind": "all",
    },
]


class PromoTest(unittest.TestCase):
    def setUp(self):
        self.promos = [parse_promo(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_promo(item) for item in self.promos], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(PROMOS.read()), 269)
        self.assertEqual(PROMOS.get("P0138"), self.promos[0])

    def test_it_is_described(self):
        wanted = [
            "code: P0138",
            "title: Hill bridge offer",
            "begins: 25.06.2024",
            "ends: 16.07.2024",
            "percent: 47",
            "kind: cards",
        ]
        self.assertEqual(list(describe_promo(self.promos[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_promo(self.promos[0], self.promos[1])
        self.assertEqual([name for name, _, _ in found], ["code", "title", "begins", "ends", "percent", "kind"])
        self.assertEqual(changes_of_promo(self.promos[0], self.promos[0]), [])

    def test_begins_is_checked(self):
        with self.assertRaises(BadField):
            parse_promo(ROWS[0] | {"begins": "31.02.2025"})

    def test_ends_is_checked(self):
        with self.assertRaises(BadField):
            parse_promo(ROWS[0] | {"ends": "31.02.2025"})

    def test_percent_is_checked(self):
        with self.assertRaises(BadField):
            parse_promo(ROWS[0] | {"percent": "several"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_promo(ROWS[0] | {"kind": "unheard of"})

    def test_search_title(self):
        found = lists.search_title(self.promos, "OLD")
        self.assertEqual([item.code for item in found], ["P0221"])

    def test_select_begins_between(self):
        first, last = date(2024, 8, 3), date(2025, 5, 7)
        found = lists.select_begins_between(self.promos, first, last)
        self.assertEqual([item.code for item in found], ["P0221", "P0873"])

    def test_select_ends_between(self):
        first, last = date(2024, 8, 18), date(2025, 5, 22)
        found = lists.select_ends_between(self.promos, first, last)
        self.assertEqual([item.code for item in found], ["P0221", "P0873"])

    def test_mean_percent(self):
        self.assertEqual(lists.mean_percent(self.promos), 33.0)
        self.assertIsNone(lists.mean_percent([]))

    def test_at_least_percent(self):
        found = lists.at_least_percent(self.promos, 34)
        self.assertEqual([item.code for item in found], ["P0138", "P0917"])

    def test_per_kind(self):
        groups = lists.per_kind(self.promos)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"cards": 1, "evening": 2, "all": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.promos), [("evening", 2), ("all", 1), ("cards", 1)])


if __name__ == "__main__":
    unittest.main()
