import unittest
from datetime import date

from archive.kit.fields import BadField
from archive.queries import badges as lists
from archive.model.badges import BADGES, changes_of_badge, describe_badge, format_badge, parse_badge

ROWS = [
    {"code": "A0071", "title": "Inner field badge", "since": "2024-04-03", "given": "79", "kind": "far"},
    {"code": "A0202", "title": "Early harbour badge", "since": "2024-05-19", "given": "518", "kind": "funny"},
    {"code": "A0537", "title": "Inner window badge", "since": "2024-10-10", "given": "422", "kind": "funny"},
    {"code": "A0558", "title": "Early window badge", "since": "2024-10-21", "given": "567", "kind": "far"},
]


class BadgeTest(unittest.TestCase):
    def setUp(self):
        self.badges = [parse_badge(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_badge(item) for item in self.badges], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(BADGES.read()), 198)
        self.assertEqual(BADGES.get("A0071"), self.badges[0])

    def test_it_is_described(self):
        wanted = [
            "code: A0071",
            "title: Inner field badge",
            "since: 03.04.2024",
            "given: 79",
            "kind: far",
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
        found = lists.search_title(self.badges, "EARLY")
        self.assertEqual([item.code for item in found], ["A0202", "A0558"])

    def test_pick_since_between(self):
        first, last = date(2024, 5, 19), date(2024, 10, 10)
        found = lists.pick_since_between(self.badges, first, last)
        self.assertEqual([item.code for item in found], ["A0202", "A0537"])

    def test_mean_given(self):
        self.assertEqual(lists.mean_given(self.badges), 396.5)
        self.assertIsNone(lists.mean_given([]))

    def test_at_least_given(self):
        found = lists.at_least_given(self.badges, 518)
        self.assertEqual([item.code for item in found], ["A0202", "A0558"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.badges)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"far": 2, "funny": 2})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.badges), [("far", 2), ("funny", 2)])


if __name__ == "__main__":
    unittest.main()
