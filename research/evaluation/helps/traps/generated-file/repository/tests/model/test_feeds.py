import unittest
from datetime import date

from archive.kit.fields import BadField
from archive.queries import feeds as lists
from archive.model.feeds import FEEDS, changes_of_feed, describe_feed, format_feed, parse_feed

ROWS = [
    {"code": "F0153", "title": "Last street feed", "since": "2024-09-05", "items": "176", "state": "live"},
    {"code": "F0627", "title": "Blue letter feed", "since": "2025-04-15", "items": "227", "state": "dead"},
    {"code": "F0702", "title": "Long river feed", "since": "2025-05-16", "items": "127", "state": "live"},
    {"code": "F0786", "title": "Outer letter feed", "since": "2025-06-23", "items": "267", "state": "slow"},
]


class FeedTest(unittest.TestCase):
    def setUp(self):
        self.feeds = [parse_feed(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_feed(item) for item in self.feeds], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(FEEDS.read()), 225)
        self.assertEqual(FEEDS.get("F0153"), self.feeds[0])

    def test_it_is_described(self):
        wanted = [
            "code: F0153",
            "title: Last street feed",
            "since: 05.09.2024",
            "items: 176",
            "state: live",
        ]
        self.assertEqual(list(describe_feed(self.feeds[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_feed(self.feeds[0], self.feeds[1])
        self.assertEqual([name for name, _, _ in found], ["code", "title", "since", "items", "state"])
        self.assertEqual(changes_of_feed(self.feeds[0], self.feeds[0]), [])

    def test_since_is_checked(self):
        with self.assertRaises(BadField):
            parse_feed(ROWS[0] | {"since": "31.02.2025"})

    def test_items_is_checked(self):
        with self.assertRaises(BadField):
            parse_feed(ROWS[0] | {"items": "several"})

    def test_state_is_checked(self):
        with self.assertRaises(BadField):
            parse_feed(ROWS[0] | {"state": "unheard of"})

    def test_search_title(self):
        found = lists.search_title(self.feeds, "BLUE")
        self.assertEqual([item.code for item in found], ["F0627"])

    def test_pick_since_between(self):
        first, last = date(2025, 4, 15), date(2025, 5, 16)
        found = lists.pick_since_between(self.feeds, first, last)
        self.assertEqual([item.code for item in found], ["F0627", "F0702"])

    def test_mean_items(self):
        self.assertEqual(lists.mean_items(self.feeds), 199.2)
        self.assertIsNone(lists.mean_items([]))

    def test_at_least_items(self):
        found = lists.at_least_items(self.feeds, 227)
        self.assertEqual([item.code for item in found], ["F0627", "F0786"])

    def test_group_by_state(self):
        groups = lists.group_by_state(self.feeds)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"live": 2, "dead": 1, "slow": 1})

    def test_count_states(self):
        self.assertEqual(lists.count_states(self.feeds), [("live", 2), ("dead", 1), ("slow", 1)])


if __name__ == "__main__":
    unittest.main()
