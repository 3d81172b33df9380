import unittest
from datetime import date
from decimal import Decimal

from room.kit.fields import BadField
from room.lists import books as lists
from room.records.books import BOOKS, changes_of_book, describe_book, format_book, parse_book

ROWS = [
    {
        "code": "B0249",
        "title": "Broken field",
        "shelf": "novels",
        "pages": "860",
        "bought": "2025-01-04",
        "price": "6.63",
        "worn": "yes",
    },
    {
        "code": "B0369",
        "title": "Old island",
        "shelf": "history",
        "pages": "322",
        "bought": "2025-02-23",
        "price": "22.90",
        "worn": "no",
    },
    {
        "code": "B0619",
        "title": "Paper table",
        "shelf": "history",
        "pages": "497",
        "bought": "2025-06-09",
        "price": "16.53",
        "worn": "yes",
    },
    {
        "code": "B0659",
        "title": "Little shore 2",
        "shelf": "poems",
        "pages": "715",
        "bought": "2025-06-23",
        "price": "31.51",
        "worn": "yes",
    },
]


class BookTest(unittest.TestCase):
    def setUp(self):
        self.books = [parse_book(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_book(item) for item in self.books], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(BOOKS.read()), 167)
        self.assertEqual(BOOKS.get("B0249"), self.books[0])

    def test_it_is_described(self):
        wanted = [
            "code: B0249",
            "title: Broken field",
            "shelf: novels",
            "pages: 860",
            "bought: 04.01.2025",
            "price: 6.63",
            "worn",
        ]
        self.assertEqual(list(describe_book(self.books[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_book(self.books[0], self.books[1])
        wanted = ["code", "title", "shelf", "pages", "bought", "price", "worn"]
        self.assertEqual([name for name, _, _ in found], wanted)
        self.assertEqual(changes_of_book(self.books[0], self.books[0]), [])

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
        found = lists.search_title(self.books, "OLD")
        self.assertEqual([item.code for item in found], ["B0369"])

    def test_by_shelf(self):
        groups = lists.by_shelf(self.books)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"novels": 1, "history": 2, "poems": 1})

    def test_count_shelfs(self):
        self.assertEqual(lists.count_shelfs(self.books), [("history", 2), ("novels", 1), ("poems", 1)])

    def test_mean_pages(self):
        self.assertEqual(lists.mean_pages(self.books), 598.5)
        self.assertIsNone(lists.mean_pages([]))

    def test_at_least_pages(self):
        found = lists.at_least_pages(self.books, 715)
        self.assertEqual([item.code for item in found], ["B0249", "B0659"])

    def test_find_bought_between(self):
        first, last = date(2025, 2, 23), date(2025, 6, 9)
        found = lists.find_bought_between(self.books, first, last)
        self.assertEqual([item.code for item in found], ["B0369", "B0619"])

    def test_total_price(self):
        self.assertEqual(lists.total_price(self.books), Decimal("77.57"))

    def test_price_of_each_shelf(self):
        wanted = [("history", Decimal("39.43")), ("poems", Decimal("31.51")), ("novels", Decimal("6.63"))]
        self.assertEqual(lists.price_of_each_shelf(self.books), wanted)

    def test_dearest_price(self):
        found = lists.dearest_price(self.books, 2)
        self.assertEqual([item.code for item in found], ["B0659", "B0369"])

    def test_find_worn(self):
        found = lists.find_worn(self.books)
        self.assertEqual([item.code for item in found], ["B0249", "B0619", "B0659"])


if __name__ == "__main__":
    unittest.main()
