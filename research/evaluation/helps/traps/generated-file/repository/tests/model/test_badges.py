import unittest
from datetime import date

from archive.kit.fields import BadField
from archive.queries import badges as lists
from archive.model.badges import BADGES, changes_of_badge, describe_badge, format_badge, parse_badge

ROWS = [
    {"code": "A0058", "title": "Old river badge", "since": "2024-10-01", "given": "60", "kind": "old"},
    {"code": "A0242", "title": "Southern tower badge", "since": "2024-12-13", "given": "32", "kind": "funny"},
    {"code": "A0723", "title": "Warm bridge badge", "since": "2025-07-04", "given": "212", "kind": "warm"},
    {"code": "A0789", "title": "Outer path badge", "since": "2025-07-31", "given": "571", "kind": "old"},
]


class BadgeTest(unittest.TestCase):
    def setUp(self):
        self.badges = [parse_badge(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_badge(item) for item in self.badges], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(BADGES.read()), 235)
        self.assertEqual(BADGES.get("A0058"), self.badges[0])

    def test_it_is_described(self):
        wanted = [
            "code: A0058",
            "title: Old river badge",
            "since: 01.10.2024",
            "given: 60",
            "kind: old",
        ]
        self.assertEqual(list(describe_badge(self.badges[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_badge(self.badges[0], self.badges[1])
        self.assertEqual([name for name, _, _ in found], ["code", "title", "since", "given", "kind"])
        self.assertEqual(changes_of_badge(self.badges[0], self.badges[0]), [])

    def test_since_is_checked(self):
        with self.assertRaises(BadField):
            parse_badge(ROWS[0] | {"since": "31.02.2025"})

    def test_given_is_checked(self):
        with self.assertRaises(BadField):
            parse_badge(ROWS[0] | {"given": "several"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_badge(ROWS[0] | {"kind": "unheard of"})

    def test_search_title(self):
        found = lists.search_title(self.badges, "SOUTHERN")
        self.assertEqual([item.code for item in found], ["A0242"])

    def test_pick_since_between(self):
        first, last = date(2024, 12, 13), date(2025, 7, 4)
        found = lists.pick_since_between(self.badges, first, last)
        self.assertEqual([item.code for item in found], ["A0242", "A0723"])

    def test_mean_given(self):
        self.assertEqual(lists.mean_given(self.badges), 218.8)
        self.assertIsNone(lists.mean_given([]))

    def test_at_least_given(self):
        found = lists.at_least_given(self.badges, 212)
        self.assertEqual([item.code for item in found], ["A0723", "A0789"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.badges)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"old": 2, "funny": 1, "warm": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.badges), [("old", 2), ("funny", 1), ("warm", 1)])


if __name__ == "__main__":
    unittest.main()
