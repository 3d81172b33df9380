import unittest
from datetime import date

from office.kit.fields import BadField
from office.queries import pages as lists
from office.model.pages import PAGES, changes_of_page_note, describe_page_note, format_page_note, parse_page_note

ROWS = [
    {"code": "P0161", "title": "Outer wall", "seen": "2024-09-27", "words": "395", "kind": "map", "old": "yes"},
    {"code": "P0211", "title": "Green garden", "seen": "2024-10-14", "words": "984", "kind": "about", "old": "no"},
    {
        "code": "P0310",
        "title": "First letter 4",
        "seen": "2024-11-30",
        "words": "1294",
        "kind": "about",
        "old": "no",
    },
    {"code": "P0441", "title": "Lower hall 3", "seen": "2025-01-23", "words": "1790", "kind": "news", "old": "yes"},
]


class PageNoteTest(unittest.TestCase):
    def setUp(self):
        self.pages = [parse_page_note(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_page_note(item) for item in self.pages], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(PAGES.read()), 250)
        self.assertEqual(PAGES.get("P0161"), self.pages[0])

    def test_it_is_described(self):
        wanted = [
            "code: P0161",
            "title: Outer wall",
            "seen: 27.09.2024",
            "words: 395",
            "kind: map",
            "old",
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
        found = lists.search_title(self.pages, "GREEN")
        self.assertEqual([item.code for item in found], ["P0211"])

    def test_pick_seen_between(self):
        first, last = date(2024, 10, 14), date(2024, 11, 30)
        found = lists.pick_seen_between(self.pages, first, last)
        self.assertEqual([item.code for item in found], ["P0211", "P0310"])

    def test_mean_words(self):
        self.assertEqual(lists.mean_words(self.pages), 1115.8)
        self.assertIsNone(lists.mean_words([]))

    def test_at_least_words(self):
        found = lists.at_least_words(self.pages, 1294)
        self.assertEqual([item.code for item in found], ["P0310", "P0441"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.pages)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"map": 1, "about": 2, "news": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.pages), [("about", 2), ("map", 1), ("news", 1)])

    def test_pick_old(self):
        found = lists.pick_old(self.pages)
        self.assertEqual([item.code for item in found], ["P0161", "P0441"])


if __name__ == "__main__":
    unittest.main()
