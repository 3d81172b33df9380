import unittest
from datetime import date

from office.kit.fields import BadField
from office.queries import links as lists
from office.model.links import LINKS, changes_of_link, describe_link, format_link, parse_link

ROWS = [
    {"code": "L0125", "title": "Inner map", "seen": "2024-04-24", "hits": "359", "kind": "friend", "dead": "no"},
    {"code": "L0129", "title": "Bright page", "seen": "2024-04-26", "hits": "64", "kind": "friend", "dead": "no"},
    {
        "code": "L0201",
        "title": "Northern stair",
        "seen": "2024-05-19",
        "hits": "151",
        "kind": "forum",
        "dead": "no",
    },
    {"code": "L0538", "title": "Quiet quay 3", "seen": "2024-11-10", "hits": "120", "kind": "friend", "dead": "no"},
]


class LinkTest(unittest.TestCase):
    def setUp(self):
        self.links = [parse_link(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_link(item) for item in self.links], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(LINKS.read()), 279)
        self.assertEqual(LINKS.get("L0125"), self.links[0])

    def test_it_is_described(self):
        wanted = [
            "code: L0125",
            "title: Inner map",
            "seen: 24.04.2024",
            "hits: 359",
            "kind: friend",
        ]
        self.assertEqual(list(describe_link(self.links[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_link(self.links[0], self.links[1])
        self.assertEqual([name for name, _, _ in found], ["code", "title", "seen", "hits"])
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
        found = lists.search_title(self.links, "BRIGHT")
        self.assertEqual([item.code for item in found], ["L0129"])

    def test_pick_seen_between(self):
        first, last = date(2024, 4, 26), date(2024, 5, 19)
        found = lists.pick_seen_between(self.links, first, last)
        self.assertEqual([item.code for item in found], ["L0129", "L0201"])

    def test_mean_hits(self):
        self.assertEqual(lists.mean_hits(self.links), 173.5)
        self.assertIsNone(lists.mean_hits([]))

    def test_at_least_hits(self):
        found = lists.at_least_hits(self.links, 151)
        self.assertEqual([item.code for item in found], ["L0125", "L0201"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.links)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"friend": 3, "forum": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.links), [("friend", 3), ("forum", 1)])

    def test_pick_dead(self):
        found = lists.pick_dead(self.links)
        self.assertEqual([item.code for item in found], [])


if __name__ == "__main__":
    unittest.main()
