import unittest
from datetime import date

from archive.kit.fields import BadField
from archive.queries import books as lists
from archive.model.books import BOOKS, changes_of_volume, describe_volume, format_volume, parse_volume

ROWS = [
    {
        "code": "G0039",
        "title": "Warm gate volume",
        "begun": "2024-04-17",
        "closed": "2024-05-21",
        "pages": "217",
        "state": "lent",
    },
    {
        "code": "G0319",
        "title": "Bright yard volume",
        "begun": "2024-08-02",
        "closed": "2024-08-21",
        "pages": "334",
        "state": "lent",
    },
    {
        "code": "G0595",
        "title": "Southern window volume 3",
        "begun": "2024-11-21",
        "closed": "2024-12-11",
        "pages": "201",
        "state": "lent",
    },
    {
        "code": "G0825",
        "title": "Southern bridge volume",
        "begun": "2025-02-19",
        "closed": "2025-02-25",
        "pages": "108",
        "state": "lost",
    },
]


class VolumeTest(unittest.TestCase):
    def setUp(self):
        self.books = [parse_volume(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_volume(item) for item in self.books], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(BOOKS.read()), 213)
        self.assertEqual(BOOKS.get("G0039"), self.books[0])

    def test_it_is_described(self):
        wanted = [
            "code: G0039",
            "title: Warm gate volume",
            "begun: 17.04.2024",
            "closed: 21.05.2024",
            "pages: 217",
            "state: lent",
        ]
        self.assertEqual(list(describe_volume(self.books[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_volume(self.books[0], self.books[1])
        self.assertEqual([name for name, _, _ in found], ["code", "title", "begun", "closed", "pages"])
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
        found = lists.search_title(self.books, "BRIGHT")
        self.assertEqual([item.code for item in found], ["G0319"])

    def test_pick_begun_between(self):
        first, last = date(2024, 8, 2), date(2024, 11, 21)
        found = lists.pick_begun_between(self.books, first, last)
        self.assertEqual([item.code for item in found], ["G0319", "G0595"])

    def test_pick_closed_between(self):
        first, last = date(2024, 8, 21), date(2024, 12, 11)
        found = lists.pick_closed_between(self.books, first, last)
        self.assertEqual([item.code for item in found], ["G0319", "G0595"])

    def test_mean_pages(self):
        self.assertEqual(lists.mean_pages(self.books), 215.0)
        self.assertIsNone(lists.mean_pages([]))

    def test_at_least_pages(self):
        found = lists.at_least_pages(self.books, 217)
        self.assertEqual([item.code for item in found], ["G0039", "G0319"])

    def test_group_by_state(self):
        groups = lists.group_by_state(self.books)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"lent": 3, "lost": 1})

    def test_count_states(self):
        self.assertEqual(lists.count_states(self.books), [("lent", 3), ("lost", 1)])


if __name__ == "__main__":
    unittest.main()
