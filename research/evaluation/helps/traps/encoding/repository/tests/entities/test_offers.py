import unittest
from datetime import date

from shop.kit.fields import BadField
from shop.summaries import offers as lists
from shop.entities.offers import OFFERS, changes_of_offer, describe_offer, format_offer, parse_offer

ROWS = [
    {
        "code": "O0289",
        "title": "Stone yard offer",
        "begins": "2024-09-30",
        "ends": "2024-11-25",
        "percent": "6",
        "kind": "cards",
    },
    {
        "code": "O0383",
        "title": "Round store offer",
        "begins": "2024-11-08",
        "ends": "2024-12-01",
        "percent": "38",
        "kind": "cards",
    },
    {
        "code": "O0397",
        "title": "Bright garden offer 2",
        "begins": "2024-11-13",
        "ends": "2024-12-27",
        "percent": "40",
        "kind": "evening",
    },
    {
        "code": "O0494",
        "title": "Narrow store offer",
        "begins": "2024-12-15",
        "ends": "2024-12-23",
        "percent": "34",
        "kind": "evening",
    },
]


class OfferTest(unittest.TestCase):
    def setUp(self):
        self.offers = [parse_offer(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_offer(item) for item in self.offers], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(OFFERS.read()), 263)
        self.assertEqual(OFFERS.get("O0289"), self.offers[0])

    def test_it_is_described(self):
        wanted = [
            "code: O0289",
            "title: Stone yard offer",
            "begins: 30.09.2024",
            "ends: 25.11.2024",
            "percent: 6",
            "kind: cards",
        ]
        self.assertEqual(list(describe_offer(self.offers[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_offer(self.offers[0], self.offers[1])
        self.assertEqual([name for name, _, _ in found], ["code", "title", "begins", "ends", "percent"])
        self.assertEqual(changes_of_offer(self.offers[0], self.offers[0]), [])

    def test_begins_is_checked(self):
        with self.assertRaises(BadField):
            parse_offer(ROWS[0] | {"begins": "31.02.2025"})

    def test_ends_is_checked(self):
        with self.assertRaises(BadField):
            parse_offer(ROWS[0] | {"ends": "31.02.2025"})

    def test_percent_is_checked(self):
        with self.assertRaises(BadField):
            parse_offer(ROWS[0] | {"percent": "several"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_offer(ROWS[0] | {"kind": "unheard of"})

    def test_search_title(self):
        found = lists.search_title(self.offers, "ROUND")
        self.assertEqual([item.code for item in found], ["O0383"])

    def test_select_begins_between(self):
        first, last = date(2024, 11, 8), date(2024, 11, 13)
        found = lists.select_begins_between(self.offers, first, last)
        self.assertEqual([item.code for item in found], ["O0383", "O0397"])

    def test_select_ends_between(self):
        first, last = date(2024, 12, 1), date(2024, 12, 23)
        found = lists.select_ends_between(self.offers, first, last)
        self.assertEqual([item.code for item in found], ["O0383", "O0494"])

    def test_mean_percent(self):
        self.assertEqual(lists.mean_percent(self.offers), 29.5)
        self.assertIsNone(lists.mean_percent([]))

    def test_at_least_percent(self):
        found = lists.at_least_percent(self.offers, 38)
        self.assertEqual([item.code for item in found], ["O0383", "O0397"])

    def test_per_kind(self):
        groups = lists.per_kind(self.offers)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"cards": 2, "evening": 2})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.offers), [("cards", 2), ("evening", 2)])


if __name__ == "__main__":
    unittest.main()
