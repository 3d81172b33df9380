import unittest
from datetime import date
from decimal import Decimal

from office.kit.fields import BadField
from office.queries import files as lists
from office.model.files import FILES, changes_of_file, describe_file, format_file, parse_file

ROWS = [
    {
        "code": "N0111",
        "title": "Early path",
        "added": "2024-07-16",
        "megabytes": "292.63",
        "fetched": "3795",
        "kind": "picture",
    },
    {
        "code": "N0214",
        "title": "Early harbour",
        "added": "2024-08-27",
        "megabytes": "299.21",
        "fetched": "5883",
        "kind": "picture",
    },
    {
        "code": "N0227",
        "title": "Second map",
        "added": "2024-09-06",
        "megabytes": "159.12",
        "fetched": "5734",
        "kind": "picture",
    },
    {
        "code": "N0681",
        "title": "Green yard",
        "added": "2025-03-19",
        "megabytes": "53.15",
        "fetched": "6072",
        "kind": "sound",
    },
]


class FileTest(unittest.TestCase):
    def setUp(self):
        self.files = [parse_file(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_file(item) for item in self.files], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(FILES.read()), 176)
        self.assertEqual(FILES.get("N0111"), self.files[0])

    def test_it_is_described(self):
        wanted = [
            "code: N0111",
            "title: Early path",
            "added: 16.07.2024",
            "megabytes: 292.63",
            "fetched: 3795",
            "kind: picture",
        ]
        self.assertEqual(list(describe_file(self.files[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_file(self.files[0], self.files[1])
        self.assertEqual([name for name, _, _ in found], ["code", "title", "added", "megabytes", "fetched"])
        self.assertEqual(changes_of_file(self.files[0], self.files[0]), [])

    def test_added_is_checked(self):
        with self.assertRaises(BadField):
            parse_file(ROWS[0] | {"added": "31.02.2025"})

    def test_megabytes_is_checked(self):
        with self.assertRaises(BadField):
            parse_file(ROWS[0] | {"megabytes": "a lot"})

    def test_fetched_is_checked(self):
        with self.assertRaises(BadField):
            parse_file(ROWS[0] | {"fetched": "several"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_file(ROWS[0] | {"kind": "unheard of"})

    def test_search_title(self):
        found = lists.search_title(self.files, "EARLY")
        self.assertEqual([item.code for item in found], ["N0111", "N0214"])

    def test_pick_added_between(self):
        first, last = date(2024, 8, 27), date(2024, 9, 6)
        found = lists.pick_added_between(self.files, first, last)
        self.assertEqual([item.code for item in found], ["N0214", "N0227"])

    def test_sum_of_megabytes(self):
        self.assertEqual(lists.sum_of_megabytes(self.files), Decimal("804.11"))

    def test_megabytes_of_each_kind(self):
        wanted = [("picture", Decimal("750.96")), ("sound", Decimal("53.15"))]
        self.assertEqual(lists.megabytes_of_each_kind(self.files), wanted)

    def test_largest_megabytes(self):
        found = lists.largest_megabytes(self.files, 2)
        self.assertEqual([item.code for item in found], ["N0214", "N0111"])

    def test_mean_fetched(self):
        self.assertEqual(lists.mean_fetched(self.files), 5371.0)
        self.assertIsNone(lists.mean_fetched([]))

    def test_at_least_fetched(self):
        found = lists.at_least_fetched(self.files, 5883)
        self.assertEqual([item.code for item in found], ["N0214", "N0681"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.files)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"picture": 3, "sound": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.files), [("picture", 3), ("sound", 1)])


if __name__ == "__main__":
    unittest.main()
