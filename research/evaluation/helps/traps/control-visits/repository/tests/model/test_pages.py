import unittest
from datetime import date

from office.kit.fields import BadField
from office.queries import pages as lists
from office.model.pages import PAGES, changes_of_page_note, describe_page_note, format_page_note, parse_page_note

ROWS = [
    {"code": "P0326", "title": "Plain lamp", "seen": "2024-12-02", "words": "227", "kind": "map", "old": "no"},
    {"code": "P0517", "title": "Plain news", "seen": "2025-02-25", "words": "650", "kind": "about", "old": "yes"},
    {"code": "P0699", "title": "Large hall", "seen": "2025-05-15", "words": "1889", "kind": "news", "old": "yes"},
    {"code": "P0789", "title": "Second page", "seen": "2025-06-21", "words": "1293", "kind": "map", "old": "no"},
]


class PageNoteTest(unittest.TestCase):
    def setUp(self):
        self.pages = [parse_page_note(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_page_note(item) for item in self.pages], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(PAGES.read()), 240)
        self.assertEqual(PAGES.get("P0326"), self.pages[0])

    def test_it_is_described(self):
        wanted = [
            "code: P0326",
            "title: Plain lamp",
            "seen: 02.12.2024",
            "words: 227",
            "kind: map",
        ]
        self.assertEqual(list(describe_page_note(self.pages[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_page_note(self.pages[0], self.pages[1])
        self.assertEqual([name for name, _, _ in found], ["code", "title", "seen", "words", "kind", "old"])
        self.assertEqual(changes_of_page_note(self.pages[0], self.pages[0]), [])

    def test_seen_is_checked(self):
        with self.assertRaises(BadField):
            parse_page_note(ROWS[0] | {"seen": "31.02.2025"})

    def test_words_is_checked(self):
        with self.assertRaises(BadField):
            parse_page_note(ROWS[0] | {"words": "several"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_page_note(ROWS[0] | {"kind": "unheard of"})

    def test_old_is_checked(self):
        with self.assertRaises(BadField):
            parse_page_note(ROWS[0] | {"old": "perhaps"})

    def test_search_title(self):
        found = lists.search_title(self.pages, "PLAIN")
        self.assertEqual([item.code for item in found], ["P0326", "P0517"])

    def test_pick_seen_between(self):
        first, last = date(2025, 2, 25), date(2025, 5, 15)
        found = lists.pick_seen_between(self.pages, first, last)
        self.assertEqual([item.code for item in found], ["P0517", "P0699"])

    def test_mean_words(self):
        self.assertEqual(lists.mean_words(self.pages), 1014.8)
        self.assertIsNone(lists.mean_words([]))

    def test_at_least_words(self):
        found = lists.at_least_words(self.pages, 1293)
        self.assertEqual([item.code for item in found], ["P0699", "P0789"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.pages)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"map": 2, "about": 1, "news": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.pages), [("map", 2), ("about", 1), ("news", 1)])

    def test_pick_old(self):
        found = lists.pick_old(self.pages)
        self.assertEqual([item.code for item in found], ["P0517", "P0699"])


if __name__ == "__main__":
    unittest.main()
