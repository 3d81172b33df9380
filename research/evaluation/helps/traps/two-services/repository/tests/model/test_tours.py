import unittest
from datetime import date
from decimal import Decimal

from house.kit.fields import BadField
from house.queries import tours as lists
from house.model.tours import TOURS, changes_of_tour, describe_tour, format_tour, parse_tour

ROWS = [
    {
        "code": "T0098",
        "title": "Old tower tour",
        "begins": "2024-09-13",
        "places": "17",
        "minutes": "49",
        "price": "6.79",
        "language": "fr",
        "full": "no",
    },
    {
        "code": "T0383",
        "title": "Western lantern tour",
        "begins": "2025-01-04",
        "places": "28",
        "minutes": "37",
        "price": "10.95",
        "language": "fr",
        "full": "yes",
    },
    {
        "code": "T0690",
        "title": "Wooden pier tour",
        "begins": "2025-06-06",
        "places": "16",
        "minutes": "100",
        "price": "14.93",
        "language": "en",
        "full": "yes",
    },
    {
        "code": "T0838",
        "title": "River pier tour",
        "begins": "2025-08-14",
        "places": "16",
        "minutes": "74",
        "price": "14.50",
        "language": "en",
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
        self.assertEqual(TOURS.get("T0098"), self.tours[0])

    def test_it_is_described(self):
        wanted = [
            "code: T0098",
            "title: Old tower tour",
            "begins: 13.09.2024",
            "places: 17",
            "minutes: 49",
            "price: 6.79",
            "language: fr",
        ]
        self.assertEqual(list(describe_tour(self.tours[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_tour(self.tours[0], self.tours[1])
        wanted = ["code", "title", "begins", "places", "minutes", "price", "full"]
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
        found = lists.search_title(self.tours, "WESTERN")
        self.assertEqual([item.code for item in found], ["T0383"])

    def test_pick_begins_between(self):
        first, last = date(2025, 1, 4), date(2025, 6, 6)
        found = lists.pick_begins_between(self.tours, first, last)
        self.assertEqual([item.code for item in found], ["T0383", "T0690"])

    def test_mean_places(self):
        self.assertEqual(lists.mean_places(self.tours), 19.2)
        self.assertIsNone(lists.mean_places([]))

    def test_at_least_places(self):
        found = lists.at_least_places(self.tours, 17)
        self.assertEqual([item.code for item in found], ["T0098", "T0383"])

    def test_mean_minutes(self):
        self.assertEqual(lists.mean_minutes(self.tours), 65.0)
        self.assertIsNone(lists.mean_minutes([]))

    def test_at_least_minutes(self):
        found = lists.at_least_minutes(self.tours, 74)
        self.assertEqual([item.code for item in found], ["T0690", "T0838"])

    def test_sum_of_price(self):
        self.assertEqual(lists.sum_of_price(self.tours), Decimal("47.17"))

    def test_price_of_each_language(self):
        wanted = [("en", Decimal("29.43")), ("fr", Decimal("17.74"))]
        self.assertEqual(lists.price_of_each_language(self.tours), wanted)

    def test_dearest_price(self):
        found = lists.dearest_price(self.tours, 2)
        self.assertEqual([item.code for item in found], ["T0690", "T0838"])

    def test_group_by_language(self):
        groups = lists.group_by_language(self.tours)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"fr": 2, "en": 2})

    def test_count_languages(self):
        self.assertEqual(lists.count_languages(self.tours), [("en", 2), ("fr", 2)])

    def test_pick_full(self):
        found = lists.pick_full(self.tours)
        self.assertEqual([item.code for item in found], ["T0383", "T0690", "T0838"])


if __name__ == "__main__":
    unittest.main()
