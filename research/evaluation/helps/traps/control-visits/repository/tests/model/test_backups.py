import unittest
from datetime import date
from decimal import Decimal

from office.kit.fields import BadField
from office.queries import backups as lists
from office.model.backups import BACKUPS, changes_of_backup, describe_backup, format_backup, parse_backup

ROWS = [
    {"code": "B0718", "made": "2025-03-12", "files": "2433", "size": "8.87", "where": "tape", "tested": "no"},
    {"code": "B0726", "made": "2025-03-15", "files": "2035", "size": "53.39", "where": "near", "tested": "no"},
    {"code": "B0827", "made": "2025-05-03", "files": "837", "size": "40.21", "where": "far", "tested": "no"},
    {"code": "B0930", "made": "2025-06-02", "files": "6096", "size": "51.20", "where": "far", "tested": "no"},
]


class BackupTest(unittest.TestCase):
    def setUp(self):
        self.backups = [parse_backup(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_backup(item) for item in self.backups], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(BACKUPS.read()), 265)
        self.assertEqual(BACKUPS.get("B0718"), self.backups[0])

    def test_it_is_described(self):
        wanted = [
            "code: B0718",
            "made: 12.03.2025",
            "files: 2433",
            "size: 8.87",
            "where: tape",
        ]
        self.assertEqual(list(describe_backup(self.backups[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_backup(self.backups[0], self.backups[1])
        self.assertEqual([name for name, _, _ in found], ["code", "made", "files", "size", "where"])
        self.assertEqual(changes_of_backup(self.backups[0], self.backups[0]), [])

    def test_made_is_checked(self):
        with self.assertRaises(BadField):
            parse_backup(ROWS[0] | {"made": "31.02.2025"})

    def test_files_is_checked(self):
        with self.assertRaises(BadField):
            parse_backup(ROWS[0] | {"files": "several"})

    def test_size_is_checked(self):
        with self.assertRaises(BadField):
            parse_backup(ROWS[0] | {"size": "a lot"})

    def test_where_is_checked(self):
        with self.assertRaises(BadField):
            parse_backup(ROWS[0] | {"where": "unheard of"})

    def test_tested_is_checked(self):
        with self.assertRaises(BadField):
            parse_backup(ROWS[0] | {"tested": "perhaps"})

    def test_pick_made_between(self):
        first, last = date(2025, 3, 15), date(2025, 5, 3)
        found = lists.pick_made_between(self.backups, first, last)
        self.assertEqual([item.code for item in found], ["B0726", "B0827"])

    def test_mean_files(self):
        self.assertEqual(lists.mean_files(self.backups), 2850.2)
        self.assertIsNone(lists.mean_files([]))

    def test_at_least_files(self):
        found = lists.at_least_files(self.backups, 2433)
        self.assertEqual([item.code for item in found], ["B0718", "B0930"])

    def test_sum_of_size(self):
        self.assertEqual(lists.sum_of_size(self.backups), Decimal("153.67"))

    def test_size_of_each_where(self):
        wanted = [("far", Decimal("91.41")), ("near", Decimal("53.39")), ("tape", Decimal("8.87"))]
        self.assertEqual(lists.size_of_each_where(self.backups), wanted)

    def test_largest_size(self):
        found = lists.largest_size(self.backups, 2)
        self.assertEqual([item.code for item in found], ["B0726", "B0930"])

    def test_group_by_where(self):
        groups = lists.group_by_where(self.backups)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"tape": 1, "near": 1, "far": 2})

    def test_count_wheres(self):
        self.assertEqual(lists.count_wheres(self.backups), [("far", 2), ("near", 1), ("tape", 1)])

    def test_pick_tested(self):
        found = lists.pick_tested(self.backups)
        self.assertEqual([item.code for item in found], [])


if __name__ == "__main__":
    unittest.main()
