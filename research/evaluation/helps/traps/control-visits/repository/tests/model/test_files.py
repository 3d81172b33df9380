import unittest
from datetime import date
from decimal import Decimal

from office.kit.fields import BadField
from office.queries import files as lists
from office.model.files import FILES, changes_of_file, describe_file, format_file, parse_file

ROWS = [
    {
        "code": "N0010",
        "title": "Quiet stair",
        "added": "2024-04-23",
        "megabytes": "270.82",
        "fetched": "7875",
        "kind": "picture",
    },
    {
        "code": "N0113",
        "title": "Old quay",
        "added": "2024-06-21",
        "megabytes": "58.77",
        "fetched": "7328",
        "kind": "sound",
    },
    {
        "code": "N0590",
        "title": "Southern wall",
        "added": "2024-12-09",
        "megabytes": "399.85",
        "fetched": "804",
        "kind": "picture",
    },
    {
        "code": "N0691",
        "title": "Northern hall",
        "added": "2025-01-29",
        "megabytes": "243.53",
        "fetched": "561",
        "kind": "map",
    },
]


class FileTest(unittest.TestCase):
    def setUp(self):
        self.files = [parse_file(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_file(item) for item in self.files], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(FILES.read()), 176)
        self.assertEqual(FILES.get("N0010"), self.files[0])

    def test_it_is_described(self):
        wanted = [
            "code: N0010",
            "title: Quiet stair",
            "added: 23.04.2024",
            "megabytes: 270.82",
            "fetched: 7875",
            "kind: picture",
        ]
        self.assertEqual(list(describe_file(self.files[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_file(self.files[0], self.files[1])
        wanted = ["code", "title", "added", "megabytes", "fetched", "kind"]
        self.assertEqual([name for name, _, _ in found], wanted)
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
        found = lists.search_title(self.files, "OLD")
        self.assertEqual([item.code for item in found], ["N0113"])

    def test_pick_added_between(self):
        first, last = date(2024, 6, 21), date(2024, 12, 9)
        found = lists.pick_added_between(self.files, first, last)
        self.assertEqual([item.code for item in found], ["N0113", "N0590"])

    def test_sum_of_megabytes(self):
        self.assertEqual(lists.sum_of_megabytes(self.files), Decimal("972.97"))

    def test_megabytes_of_each_kind(self):
        wanted = [("picture", Decimal("670.67")), ("map", Decimal("243.53")), ("sound", Decimal("58.77"))]
        self.assertEqual(lists.megabytes_of_each_kind(self.files), wanted)

    def test_largest_megabytes(self):
        found = lists.largest_megabytes(self.files, 2)
        self.assertEqual([item.code for item in found], ["N0590", "N0010"])

    def test_mean_fetched(self):
        self.assertEqual(lists.mean_fetched(self.files), 4142.0)
        self.assertIsNone(lists.mean_fetched([]))

    def test_at_least_fetched(self):
        found = lists.at_least_fetched(self.files, 7328)
        self.assertEqual([item.code for item in found], ["N0010", "N0113"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.files)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"picture": 2, "sound": 1, "map": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.files), [("picture", 2), ("map", 1), ("sound", 1)])


if __name__ == "__main__":
    unittest.main()
