import unittest
from datetime import date
from decimal import Decimal

from house.kit.fields import BadField
from house.queries import tours as lists
from house.model.tours import TOURS, changes_of_tour, describe_tour, format_tour, parse_tour

ROWS = [
    {
        "code": "T0157",
        "title": "Double tower tour",
        "begins": "2024-10-05",
        "places": "23",
        "minutes": "32",
        "price": "5.83",
        "language": "en",
        "full": "yes",
    },
    {
        "code": "T0267",
        "title": "Silver mill tour",
        "begins": "2024-11-08",
        "places": "19",
        "minutes": "85",
        "price": "6.10",
        "language": "nl",
        "full": "no",
    },
    {
        "code": "T0426",
        "title": "Hidden compass tour",
        "begins": "2025-01-25",
        "places": "22",
        "minutes": "65",
        "price": "8.89",
        "language": "de",
        "full": "no",
    },
    {
        "code": "T0815",
        "title": "Eastern wheel tour",
        "begins": "2025-07-28",
        "places": "22",
        "minutes": "54",
        "price": "13.48",
        "language": "fr",
        "full": "yes",
    },
]


class TourTest(unittest.TestCase):
    def setUp(self):
        self.tours = [parse_tour(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_tour(item) for item in self.tours], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(TOURS.read()), 212)
        self.assertEqual(TOURS.get("T0157"), self.tours[0])

    def test_it_is_described(self):
        wanted = [
            "code: T0157",
            "title: Double tower tour",
            "begins: 05.10.2024",
            "places: 23",
            "minutes: 32",
            "price: 5.83",
            "language: en",
            "full",
        ]
        self.assertEqual(list(describe_tour(self.tours[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_tour(self.tours[0], self.tours[1])
        wanted = ["code", "title", "begins", "places", "minutes", "price", "language", "full"]
        self.assertEqual([name for name, _, _ in found], wanted)
        self.assertEqual(changes_of_tour(self.tours[0], self.tours[0]), [])

    def test_begins_is_checked(self):
        with self.assertRaises(BadField):
            parse_tour(ROWS[0] | {"begins": "31.02.2025"})

    def test_places_is_checked(self):
        with self.assertRaises(BadField):
            parse_tour(ROWS[0] | {"places": "several"})

    def test_minutes_is_checked(self):
        with self.assertRaises(BadField):
            parse_tour(ROWS[0] | {"minutes": "several"})

    def test_price_is_checked(self):
        with self.assertRaises(BadField):
            parse_tour(ROWS[0] | {"price": "a lot"})

    def test_language_is_checked(self):
        with self.assertRaises(BadField):
            parse_tour(ROWS[0] | {"language": "unheard of"})

    def test_full_is_checked(self):
        with self.assertRaises(BadField):
            parse_tour(ROWS[0] | {"full": "perhaps"})

    def test_search_title(self):
        found = lists.search_title(self.tours, "SILVER")
        self.assertEqual([item.code for item in found], ["T0267"])

    def test_pick_begins_between(self):
        first, last = date(2024, 11, 8), date(2025, 1, 25)
        found = lists.pick_begins_between(self.tours, first, last)
        self.assertEqual([item.code for item in found], ["T0267", "T0426"])

    def test_mean_places(self):
        self.assertEqual(lists.mean_places(self.tours), 21.5)
        self.assertIsNone(lists.mean_places([]))

    def test_at_least_places(self):
        found = lists.at_least_places(self.tours, 22)
        self.assertEqual([item.code for item in found], ["T0157", "T0426", "T0815"])

    def test_mean_minutes(self):
        self.assertEqual(lists.mean_minutes(self.tours), 59.0)
        self.assertIsNone(lists.mean_minutes([]))

    def test_at_least_minutes(self):
        found = lists.at_least_minutes(self.tours, 65)
        self.assertEqual([item.code for item in found], ["T0267", "T0426"])

    def test_sum_of_price(self):
        self.assertEqual(lists.sum_of_price(self.tours), Decimal("34.30"))

    def test_price_of_each_language(self):
        wanted = [
            ("fr", Decimal("13.48")),
            ("de", Decimal("8.89")),
            ("nl", Decimal("6.10")),
            ("en", Decimal("5.83")),
        ]
        self.assertEqual(lists.price_of_each_language(self.tours), wanted)

    def test_dearest_price(self):
        found = lists.dearest_price(self.tours, 2)
        self.assertEqual([item.code for item in found], ["T0815", "T0426"])

    def test_group_by_language(self):
        groups = lists.group_by_language(self.tours)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"en": 1, "nl": 1, "de": 1, "fr": 1})

    def test_count_languages(self):
        self.assertEqual(lists.count_languages(self.tours), [("de", 1), ("en", 1), ("fr", 1), ("nl", 1)])

    def test_pick_full(self):
        found = lists.pick_full(self.tours)
        self.assertEqual([item.code for item in found], ["T0157", "T0815"])


if __name__ == "__main__":
    unittest.main()
