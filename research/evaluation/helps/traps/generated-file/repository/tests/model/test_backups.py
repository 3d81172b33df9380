import unittest
from datetime import date
from decimal import Decimal

from archive.kit.fields import BadField
from archive.queries import backups as lists
from archive.model.backups import BACKUPS, changes_of_backup, describe_backup, format_backup, parse_backup

ROWS = [
    {"code": "K0371", "made": "2024-09-07", "files": "8104", "size": "68.35", "where": "near", "tested": "no"},
    {"code": "K0529", "made": "2024-10-29", "files": "4516", "size": "40.13", "where": "near", "tested": "yes"},
    {"code": "K0705", "made": "2025-01-15", "files": "1561", "size": "18.83", "where": "near", "tested": "yes"},
    {"code": "K0818", "made": "2025-03-10", "files": "6387", "size": "16.22", "where": "near", "tested": "no"},
]


class BackupTest(unittest.TestCase):
    def setUp(self):
        self.backups = [parse_backup(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_backup(item) for item in self.backups], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(BACKUPS.read()), 220)
        self.assertEqual(BACKUPS.get("K0371"), self.backups[0])

    def test_it_is_described(self):
        wanted = [
            "code: K0371",
            "made: 07.09.2024",
            "files: 8104",
            "size: 68.35",
            "where: near",
        ]
        self.assertEqual(list(describe_backup(self.backups[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_backup(self.backups[0], self.backups[1])
        self.assertEqual([name for name, _, _ in found], ["code", "made", "files", "size", "tested"])
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
        first, last = date(2024, 10, 29), date(2025, 1, 15)
        found = lists.pick_made_between(self.backups, first, last)
        self.assertEqual([item.code for item in found], ["K0529", "K0705"])

    def test_mean_files(self):
        self.assertEqual(lists.mean_files(self.backups), 5142.0)
        self.assertIsNone(lists.mean_files([]))

    def test_at_least_files(self):
        found = lists.at_least_files(self.backups, 6387)
        self.assertEqual([item.code for item in found], ["K0371", "K0818"])

    def test_sum_of_size(self):
        self.assertEqual(lists.sum_of_size(self.backups), Decimal("143.53"))

    def test_size_of_each_where(self):
        self.assertEqual(lists.size_of_each_where(self.backups), [("near", Decimal("143.53"))])

    def test_largest_size(self):
        found = lists.largest_size(self.backups, 2)
        self.assertEqual([item.code for item in found], ["K0371", "K0529"])

    def test_group_by_where(self):
        groups = lists.group_by_where(self.backups)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"near": 4})

    def test_count_wheres(self):
        self.assertEqual(lists.count_wheres(self.backups), [("near", 4)])

    def test_pick_tested(self):
        found = lists.pick_tested(self.backups)
        self.assertEqual([item.code for item in found], ["K0529", "K0705"])


if __name__ == "__main__":
    unittest.main()
