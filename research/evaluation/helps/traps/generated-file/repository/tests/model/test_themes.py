import unittest
from datetime import date

from archive.kit.fields import BadField
from archive.queries import themes as lists
from archive.model.themes import THEMES, changes_of_theme, describe_theme, format_theme, parse_theme

ROWS = [
    {
        "code": "T0146",
        "title": "New hall theme",
        "since": "2024-11-19",
        "colours": "6",
        "kind": "dark",
        "used": "no",
    },
    {
        "code": "T0226",
        "title": "Quiet page theme",
        "since": "2025-01-01",
        "colours": "3",
        "kind": "print",
        "used": "yes",
    },
    {
        "code": "T0299",
        "title": "Quiet yard theme",
        "since": "2025-01-31",
        "colours": "12",
        "kind": "light",
        "used": "no",
    },
    {
        "code": "T0455",
        "title": "Grey path theme",
        "since": "2025-04-02",
        "colours": "6",
        "kind": "light",
        "used": "yes",
    },
]


class ThemeTest(unittest.TestCase):
    def setUp(self):
        self.themes = [parse_theme(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_theme(item) for item in self.themes], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(THEMES.read()), 256)
        self.assertEqual(THEMES.get("T0146"), self.themes[0])

    def test_it_is_described(self):
        wanted = [
            "code: T0146",
            "title: New hall theme",
            "since: 19.11.2024",
            "colours: 6",
            "kind: dark",
        ]
        self.assertEqual(list(describe_theme(self.themes[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_theme(self.themes[0], self.themes[1])
        self.assertEqual([name for name, _, _ in found], ["code", "title", "since", "colours", "kind", "used"])
        self.assertEqual(changes_of_theme(self.themes[0], self.themes[0]), [])

    def test_since_is_checked(self):
        with self.assertRaises(BadField):
            parse_theme(ROWS[0] | {"since": "31.02.2025"})

    def test_colours_is_checked(self):
        with self.assertRaises(BadField):
            parse_theme(ROWS[0] | {"colours": "several"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_theme(ROWS[0] | {"kind": "unheard of"})

    def test_used_is_checked(self):
        with self.assertRaises(BadField):
            parse_theme(ROWS[0] | {"used": "perhaps"})

    def test_search_title(self):
        found = lists.search_title(self.themes, "QUIET")
        self.assertEqual([item.code for item in found], ["T0226", "T0299"])

    def test_pick_since_between(self):
        first, last = date(2025, 1, 1), date(2025, 1, 31)
        found = lists.pick_since_between(self.themes, first, last)
        self.assertEqual([item.code for item in found], ["T0226", "T0299"])

    def test_mean_colours(self):
        self.assertEqual(lists.mean_colours(self.themes), 6.8)
        self.assertIsNone(lists.mean_colours([]))

    def test_at_least_colours(self):
        found = lists.at_least_colours(self.themes, 6)
        self.assertEqual([item.code for item in found], ["T0146", "T0299", "T0455"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.themes)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"dark": 1, "print": 1, "light": 2})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.themes), [("light", 2), ("dark", 1), ("print", 1)])

    def test_pick_used(self):
        found = lists.pick_used(self.themes)
        self.assertEqual([item.code for item in found], ["T0226", "T0455"])


if __name__ == "__main__":
    unittest.main()
