import unittest
from datetime import date

from archive.kit.fields import BadField
from archive.queries import books as lists
from archive.model.books import BOOKS, changes_of_volume, describe_volume, format_volume, parse_volume

ROWS = [
    {
        "code": "G0073",
        "title": "Grey bridge volume",
        "begun": "2024-04-30",
        "closed": "2024-05-13",
        "pages": "334",
        "state": "good",
    },
    {
        "code": "G0109",
        "title": "Last quay volume",
        "begun": "2024-05-15",
        "closed": "2024-06-17",
        "pages": "223",
        "state": "worn",
    },
    {
        "code": "G0253",
        "title": "Inner hall volume",
        "begun": "2024-07-11",
        "closed": "2024-08-07",
        "pages": "372",
        "state": "worn",
    },
    {
        "code": "G0285",
        "title": "Blue street volume",
        "begun": "2024-07-21",
        "closed": "2024-08-20",
        "pages": "144",
        "state": "good",
    },
]


class VolumeTest(unittest.TestCase):
    def setUp(self):
        self.books = [parse_volume(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_volume(item) for item in self.books], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(BOOKS.read()), 213)
        self.assertEqual(BOOKS.get("G0073"), self.books[0])

    def test_it_is_described(self):
        wanted = [
            "code: G0073",
            "title: Grey bridge volume",
            "begun: 30.04.2024",
            "closed: 13.05.2024",
            "pages: 334",
            "state: good",
        ]
        self.assertEqual(list(describe_volume(self.books[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_volume(self.books[0], self.books[1])
        self.assertEqual([name for name, _, _ in found], ["code", "title", "begun", "closed", "pages", "state"])
        self.assertEqual(changes_of_volume(self.books[0], self.books[0]), [])

    def test_begun_is_checked(self):
        with self.assertRaises(BadField):
            parse_volume(ROWS[0] | {"begun": "31.02.2025"})

    def test_closed_is_checked(self):
        with self.assertRaises(BadField):
            parse_volume(ROWS[0] | {"closed": "31.02.2025"})

    def test_pages_is_checked(self):
        with self.assertRaises(BadField):
            parse_volume(ROWS[0] | {"pages": "several"})

    def test_state_is_checked(self):
        with self.assertRaises(BadField):
            parse_volume(ROWS[0] | {"state": "unheard of"})

    def test_search_title(self):
        found = lists.search_title(self.books, "LAST")
        self.assertEqual([item.code for item in found], ["G0109"])

    def test_pick_begun_between(self):
        first, last = date(2024, 5, 15), date(2024, 7, 11)
        found = lists.pick_begun_between(self.books, first, last)
        self.assertEqual([item.code for item in found], ["G0109", "G0253"])

    def test_pick_closed_between(self):
        first, last = date(2024, 6, 17), date(2024, 8, 7)
        found = lists.pick_closed_between(self.books, first, last)
        self.assertEqual([item.code for item in found], ["G0109", "G0253"])

    def test_mean_pages(self):
        self.assertEqual(lists.mean_pages(self.books), 268.2)
        self.assertIsNone(lists.mean_pages([]))

    def test_at_least_pages(self):
        found = lists.at_least_pages(self.books, 334)
        self.assertEqual([item.code for item in found], ["G0073", "G0253"])

    def test_group_by_state(self):
        groups = lists.group_by_state(self.books)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"good": 2, "worn": 2})

    def test_count_states(self):
        self.assertEqual(lists.count_states(self.books), [("good", 2), ("worn", 2)])


if __name__ == "__main__":
    unittest.main()
