import unittest
from datetime import date
from decimal import Decimal

from office.kit.fields import BadField
from office.queries import backups as lists
from office.model.backups import BACKUPS, changes_of_backup, describe_backup, format_backup, parse_backup

ROWS = [
    {"code": "B0049", "made": "2024-04-19", "files": "238", "size": "44.81", "where": "far", "tested": "yes"},
    {"code": "B0127", "made": "2024-05-16", "files": "3588", "size": "34.41", "where": "near", "tested": "yes"},
    {"code": "B0239", "made": "2024-06-26", "files": "966", "size": "17.60", "where": "tape", "tested": "yes"},
    {"code": "B0609", "made": "2024-11-30", "files": "5985", "size": "67.57", "where": "near", "tested": "no"},
]


class BackupTest(unittest.TestCase):
    def setUp(self):
        self.backups = [parse_backup(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_backup(item) for item in self.backups], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(BACKUPS.read()), 205)
        self.assertEqual(BACKUPS.get("B0049"), self.backups[0])

    def test_it_is_described(self):
        wanted = [
            "code: B0049",
            "made: 19.04.2024",
            "files: 238",
            "size: 44.81",
            "where: far",
            "tested",
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
        first, last = date(2024, 5, 16), date(2024, 6, 26)
        found = lists.pick_made_between(self.backups, first, last)
        self.assertEqual([item.code for item in found], ["B0127", "B0239"])

    def test_mean_files(self):
        self.assertEqual(lists.mean_files(self.backups), 2694.2)
        self.assertIsNone(lists.mean_files([]))

    def test_at_least_files(self):
        found = lists.at_least_files(self.backups, 3588)
        self.assertEqual([item.code for item in found], ["B0127", "B0609"])

    def test_sum_of_size(self):
        self.assertEqual(lists.sum_of_size(self.backups), Decimal("164.39"))

    def test_size_of_each_where(self):
        wanted = [("near", Decimal("101.98")), ("far", Decimal("44.81")), ("tape", Decimal("17.60"))]
        self.assertEqual(lists.size_of_each_where(self.backups), wanted)

    def test_largest_size(self):
        found = lists.largest_size(self.backups, 2)
        self.assertEqual([item.code for item in found], ["B0609", "B0049"])

    def test_group_by_where(self):
        groups = lists.group_by_where(self.backups)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"far": 1, "near": 2, "tape": 1})

    def test_count_wheres(self):
        self.assertEqual(lists.count_wheres(self.backups), [("near", 2), ("far", 1), ("tape", 1)])

    def test_pick_tested(self):
        found = lists.pick_tested(self.backups)
        self.assertEqual([item.code for item in found], ["B0049", "B0127", "B0239"])


if __name__ == "__main__":
    unittest.main()
