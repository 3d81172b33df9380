import unittest
from datetime import date

from rangers.kit.fields import BadField
from rangers.lists import paths as lists
from rangers.records.paths import PATHS, changes_of_path, describe_path, format_path, parse_path

ROWS = [
    {
        "code": "P0211",
        "title": "Lower oak path",
        "walked": "2024-07-25",
        "metres": "3781",
        "state": "wet",
        "wide": "no",
    },
    {
        "code": "P0315",
        "title": "Quiet wood path 7",
        "walked": "2024-09-07",
        "metres": "3944",
        "state": "good",
        "wide": "yes",
    },
    {
        "code": "P0427",
        "title": "South hollow path",
        "walked": "2024-11-01",
        "metres": "1747",
        "state": "closed",
        "wide": "yes",
    },
    {
        "code": "P0611",
        "title": "Quiet oak path",
        "walked": "2024-12-31",
        "metres": "3309",
        "state": "good",
        "wide": "yes",
    },
]


class PathTest(unittest.TestCase):
    def setUp(self):
        self.paths = [parse_path(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_path(item) for item in self.paths], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(PATHS.read()), 182)
        self.assertEqual(PATHS.get("P0211"), self.paths[0])

    def test_it_is_described(self):
        wanted = [
            "code: P0211",
            "title: Lower oak path",
            "walked: 25.07.2024",
            "metres: 3781",
            "state: wet",
        ]
        self.assertEqual(list(describe_path(self.paths[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_path(self.paths[0], self.paths[1])
        self.assertEqual([name for name, _, _ in found], ["code", "title", "walked", "metres", "state", "wide"])
        self.assertEqual(changes_of_path(self.paths[0], self.paths[0]), [])

    def test_walked_is_checked(self):
        with self.assertRaises(BadField):
            parse_path(ROWS[0] | {"walked": "31.02.2025"})

    def test_metres_is_checked(self):
        with self.assertRaises(BadField):
            parse_path(ROWS[0] | {"metres": "several"})

    def test_state_is_checked(self):
        with self.assertRaises(BadField):
            parse_path(ROWS[0] | {"state": "unheard of"})

    def test_wide_is_checked(self):
        with self.assertRaises(BadField):
            parse_path(ROWS[0] | {"wide": "perhaps"})

    def test_search_title(self):
        found = lists.search_title(self.paths, "QUIET")
        self.assertEqual([item.code for item in found], ["P0315", "P0611"])

    def test_find_walked_between(self):
        first, last = date(2024, 9, 7), date(2024, 11, 1)
        found = lists.find_walked_between(self.paths, first, last)
        self.assertEqual([item.code for item in found], ["P0315", "P0427"])

    def test_mean_metres(self):
        self.assertEqual(lists.mean_metres(self.paths), 3195.2)
        self.assertIsNone(lists.mean_metres([]))

    def test_at_least_metres(self):
        found = lists.at_least_metres(self.paths, 3781)
        self.assertEqual([item.code for item in found], ["P0211", "P0315"])

    def test_by_state(self):
        groups = lists.by_state(self.paths)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"wet": 1, "good": 2, "closed": 1})

    def test_count_states(self):
        self.assertEqual(lists.count_states(self.paths), [("good", 2), ("closed", 1), ("wet", 1)])

    def test_find_wide(self):
        found = lists.find_wide(self.paths)
        self.assertEqual([item.code for item in found], ["P0315", "P0427", "P0611"])


if __name__ == "__main__":
    unittest.main()
