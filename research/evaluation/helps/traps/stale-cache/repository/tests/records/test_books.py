import unittest
from datetime import date
from decimal import Decimal

from room.kit.fields import BadField
from room.lists import books as lists
from room.records.books import BOOKS, format_book, parse_book

ROWS = [
    {"code": "B0097", "title": "Silver winter", "shelf": "novels", "pages": "709", "bought": "2024-11-03", "price": "25.40", "worn": "yes"},
    {"code": "B0241", "title": "Winter harbour", "shelf": "novels", "pages": "576", "bought": "2024-12-31", "price": "23.77", "worn": "yes"},
    {"code": "B0457", "title": "Stony table", "shelf": "history", "pages": "634", "bought": "2025-03-25", "price": "19.56", "worn": "no"},
    {"code": "B0545", "title": "Winter table", "shelf": "novels", "pages": "876", "bought": "2025-04-29", "price": "20.22", "worn": "no"},
]


class BookTest(unittest.TestCase):
    def setUp(self):
        self.books = [parse_book(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_book(item) for item in self.books], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(BOOKS.read()), 147)
        self.assertEqual(BOOKS.get("B0097"), self.books[0])

    def test_shelf_is_checked(self):
        with self.assertRaises(BadField):
            parse_book(ROWS[0] | {"shelf": "unheard of"})

    def test_pages_is_checked(self):
        with self.assertRaises(BadField):
            parse_book(ROWS[0] | {"pages": "several"})

    def test_bought_is_checked(self):
        with self.assertRaises(BadField):
            parse_book(ROWS[0] | {"bought": "31.02.2025"})

    def test_price_is_checked(self):
        with self.assertRaises(BadField):
            parse_book(ROWS[0] | {"price": "a lot"})

    def test_worn_is_checked(self):
        with self.assertRaises(BadField):
            parse_book(ROWS[0] | {"worn": "perhaps"})

    def test_search_title(self):
        self.assertEqual([item.code for item in lists.search_title(self.books, "WINTER")], ["B0097", "B0241", "B0545"])

    def test_by_shelf(self):
        groups = lists.by_shelf(self.books)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"novels": 3, "history": 1})

    def test_count_shelfs(self):
        self.assertEqual(lists.count_shelfs(self.books), [("novels", 3), ("history", 1)])

    def test_mean_pages(self):
        self.assertEqual(lists.mean_pages(self.books), 698.8)
        self.assertIsNone(lists.mean_pages([]))

    def test_at_least_pages(self):
        self.assertEqual([item.code for item in lists.at_least_pages(self.books, 709)], ["B0097", "B0545"])

    def test_find_bought_between(self):
        first, last = date(2024, 12, 31), date(2025, 3, 25)
        self.assertEqual([item.code for item in lists.find_bought_between(self.books, first, last)], ["B0241", "B0457"])

    def test_total_price(self):
        self.assertEqual(lists.total_price(self.books), Decimal("88.95"))

    def test_price_of_each_shelf(self):
        self.assertEqual(lists.price_of_each_shelf(self.books), [("novels", Decimal("69.39")), ("history", Decimal("19.56"))])

    def test_dearest_price(self):
        self.assertEqual([item.code for item in lists.dearest_price(self.books, 2)], ["B0097", "B0241"])

    def test_find_worn(self):
        self.assertEqual([item.code for item in lists.find_worn(self.books)], ["B0097", "B0241"])


if __name__ == "__main__":
    unittest.main()
