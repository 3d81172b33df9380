import unittest
from datetime import date

from office.kit.fields import BadField
from office.queries import links as lists
from office.model.links import LINKS, changes_of_link, describe_link, format_link, parse_link

ROWS = [
    {"code": "L0162", "title": "Small stair", "seen": "2024-10-31", "hits": "221", "kind": "press", "dead": "yes"},
    {"code": "L0285", "title": "Second hall", "seen": "2024-12-26", "hits": "45", "kind": "forum", "dead": "no"},
    {"code": "L0523", "title": "Northern stair", "seen": "2025-04-06", "hits": "68", "kind": "press", "dead": "no"},
    {"code": "L0589", "title": "New field", "seen": "2025-05-08", "hits": "30", "kind": "friend", "dead": "no"},
]


class LinkTest(unittest.TestCase):
    def setUp(self):
        self.links = [parse_link(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_link(item) for item in self.links], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(LINKS.read()), 226)
        self.assertEqual(LINKS.get("L0162"), self.links[0])

    def test_it_is_described(self):
        wanted = [
            "code: L0162",
            "title: Small stair",
            "seen: 31.10.2024",
            "hits: 221",
            "kind: press",
            "dead",
        ]
        self.assertEqual(list(describe_link(self.links[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_link(self.links[0], self.links[1])
        self.assertEqual([name for name, _, _ in found], ["code", "title", "seen", "hits", "kind", "dead"])
        self.assertEqual(changes_of_link(self.links[0], self.links[0]), [])

    def test_seen_is_checked(self):
        with self.assertRaises(BadField):
            parse_link(ROWS[0] | {"seen": "31.02.2025"})

    def test_hits_is_checked(self):
        with self.assertRaises(BadField):
            parse_link(ROWS[0] | {"hits": "several"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_link(ROWS[0] | {"kind": "unheard of"})

    def test_dead_is_checked(self):
        with self.assertRaises(BadField):
            parse_link(ROWS[0] | {"dead": "perhaps"})

    def test_search_title(self):
        found = lists.search_title(self.links, "SECOND")
        self.assertEqual([item.code for item in found], ["L0285"])

    def test_pick_seen_between(self):
        first, last = date(2024, 12, 26), date(2025, 4, 6)
        found = lists.pick_seen_between(self.links, first, last)
        self.assertEqual([item.code for item in found], ["L0285", "L0523"])

    def test_mean_hits(self):
        self.assertEqual(lists.mean_hits(self.links), 91.0)
        self.assertIsNone(lists.mean_hits([]))

    def test_at_least_hits(self):
        found = lists.at_least_hits(self.links, 68)
        self.assertEqual([item.code for item in found], ["L0162", "L0523"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.links)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"press": 2, "forum": 1, "friend": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.links), [("press", 2), ("forum", 1), ("friend", 1)])

    def test_pick_dead(self):
        found = lists.pick_dead(self.links)
        self.assertEqual([item.code for item in found], ["L0162"])


if __name__ == "__main__":
    unittest.main()
