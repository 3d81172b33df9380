import unittest
from datetime import date

from ops.kit.fields import BadField
from ops.queries import domains as lists
from ops.model.domains import DOMAINS, format_domain, parse_domain

ROWS = [
    {"code": "N0301", "title": "Red ring", "since": "2024-11-22", "hits": "4139", "kind": "friend"},
    {"code": "N0654", "title": "West hub", "since": "2025-04-13", "hits": "1478", "kind": "friend"},
    {"code": "N0701", "title": "New mast", "since": "2025-04-25", "hits": "4146", "kind": "friend"},
    {"code": "N0785", "title": "New pool", "since": "2025-05-24", "hits": "1322", "kind": "own"},
]


class DomainTest(unittest.TestCase):
    def setUp(self):
        self.domains = [parse_domain(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_domain(item) for item in self.domains], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(DOMAINS.read()), 240)
        self.assertEqual(DOMAINS.get("N0301"), self.domains[0])

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
        self.assertEqual([item.code for item in lists.search_title(self.domains, "WEST")], ["N0654"])

    def test_pick_since_between(self):
        first, last = date(2025, 4, 13), date(2025, 4, 25)
        self.assertEqual([item.code for item in lists.pick_since_between(self.domains, first, last)], ["N0654", "N0701"])

    def test_mean_hits(self):
        self.assertEqual(lists.mean_hits(self.domains), 2771.2)
        self.assertIsNone(lists.mean_hits([]))

    def test_at_least_hits(self):
        self.assertEqual([item.code for item in lists.at_least_hits(self.domains, 4139)], ["N0301", "N0701"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.domains)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"friend": 3, "own": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.domains), [("friend", 3), ("own", 1)])


if __name__ == "__main__":
    unittest.main()
