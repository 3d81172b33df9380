import unittest
from datetime import date

from ops.kit.fields import BadField
from ops.queries import domains as lists
from ops.model.domains import DOMAINS, changes_of_domain, describe_domain, format_domain, parse_domain

ROWS = [
    {"code": "N0265", "title": "Small cabin", "since": "2024-05-23", "hits": "1650", "kind": "friend"},
    {"code": "N0310", "title": "Green core", "since": "2024-06-12", "hits": "1988", "kind": "friend"},
    {"code": "N0497", "title": "Red tray", "since": "2024-08-27", "hits": "473", "kind": "own"},
    {"code": "N0875", "title": "Inner lamp", "since": "2025-03-05", "hits": "958", "kind": "friend"},
]


class DomainTest(unittest.TestCase):
    def setUp(self):
        self.domains = [parse_domain(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_domain(item) for item in self.domains], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(DOMAINS.read()), 400)
        self.assertEqual(DOMAINS.get("N0265"), self.domains[0])

    def test_it_is_described(self):
        wanted = [
            "code: N0265",
            "title: Small cabin",
            "since: 23.05.2024",
            "hits: 1650",
            "kind: friend",
        ]
        self.assertEqual(list(describe_domain(self.domains[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_domain(self.domains[0], self.domains[1])
        self.assertEqual([name for name, _, _ in found], ["code", "title", "since", "hits"])
        self.assertEqual(changes_of_domain(self.domains[0], self.domains[0]), [])

    def test_since_is_checked(self):
        with self.assertRaises(BadField):
            parse_domain(ROWS[0] | {"since": "31.02.2025"})

    def test_hits_is_checked(self):
        with self.assertRaises(BadField):
            parse_domain(ROWS[0] | {"hits": "several"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_domain(ROWS[0] | {"kind": "unheard of"})

    def test_search_title(self):
        found = lists.search_title(self.domains, "GREEN")
        self.assertEqual([item.code for item in found], ["N0310"])

    def test_pick_since_between(self):
        first, last = date(2024, 6, 12), date(2024, 8, 27)
        found = lists.pick_since_between(self.domains, first, last)
        self.assertEqual([item.code for item in found], ["N0310", "N0497"])

    def test_mean_hits(self):
        self.assertEqual(lists.mean_hits(self.domains), 1267.2)
        self.assertIsNone(lists.mean_hits([]))

    def test_at_least_hits(self):
        found = lists.at_least_hits(self.domains, 1650)
        self.assertEqual([item.code for item in found], ["N0265", "N0310"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.domains)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"friend": 3, "own": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.domains), [("friend", 3), ("own", 1)])


if __name__ == "__main__":
    unittest.main()
