import unittest
from datetime import date
from decimal import Decimal

from archive.kit.fields import BadField
from archive.queries import backups as lists
from archive.model.backups import BACKUPS, changes_of_backup, describe_backup, format_backup, parse_backup

ROWS = [
    {"code": "K0423", "made": "2024-12-05", "files": "7815", "size": "76.40", "where": "far", "tested": "yes"},
    {"code": "K0618", "made": "2025-02-22", "files": "6049", "size": "66.91", "where": "far", "tested": "no"},
    {"code": "K0697", "made": "2025-03-30", "files": "952", "size": "39.14", "where": "near", "tested": "yes"},
    {"code": "K0709", "made": "2025-04-04", "files": "5566", "size": "84.17", "where": "far", "tested": "yes"},
]


class BackupTest(unittest.TestCase):
    def setUp(self):
        self.backups = [parse_backup(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_backup(item) for item in self.backups], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(BACKUPS.read()), 178)
        self.assertEqual(BACKUPS.get("K0423"), self.backups[0])

    def test_it_is_described(self):
        wanted = [
            "code: K0423",
            "made: 05.12.2024",
            "files: 7815",
            "size: 76.40",
            "where: far",
            "tested",
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
        first, last = date(2025, 2, 22), date(2025, 3, 30)
        found = lists.pick_made_between(self.backups, first, last)
        self.assertEqual([item.code for item in found], ["K0618", "K0697"])

    def test_mean_files(self):
        self.assertEqual(lists.mean_files(self.backups), 5095.5)
        self.assertIsNone(lists.mean_files([]))

    def test_at_least_files(self):
        found = lists.at_least_files(self.backups, 6049)
        self.assertEqual([item.code for item in found], ["K0423", "K0618"])

    def test_sum_of_size(self):
        self.assertEqual(lists.sum_of_size(self.backups), Decimal("266.62"))

    def test_size_of_each_where(self):
        wanted = [("far", Decimal("227.48")), ("near", Decimal("39.14"))]
        self.assertEqual(lists.size_of_each_where(self.backups), wanted)

    def test_largest_size(self):
        found = lists.largest_size(self.backups, 2)
        self.assertEqual([item.code for item in found], ["K0709", "K0423"])

    def test_group_by_where(self):
        groups = lists.group_by_where(self.backups)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"far": 3, "near": 1})

    def test_count_wheres(self):
        self.assertEqual(lists.count_wheres(self.backups), [("far", 3), ("near", 1)])

    def test_pick_tested(self):
        found = lists.pick_tested(self.backups)
        self.assertEqual([item.code for item in found], ["K0423", "K0697", "K0709"])


if __name__ == "__main__":
    unittest.main()
