import unittest
from datetime import date

from rangers.kit.fields import BadField
from rangers.lists import paths as lists
from rangers.records.paths import PATHS, changes_of_path, describe_path, format_path, parse_path

ROWS = [
    {
        "code": "P0291",
        "title": "Old clearing path",
        "walked": "2024-08-30",
        "metres": "1209",
        "state": "wet",
        "wide": "no",
    },
    {
        "code": "P0359",
        "title": "East spring path",
        "walked": "2024-10-01",
        "metres": "1090",
        "state": "broken",
        "wide": "yes",
    },
    {
        "code": "P0433",
        "title": "South clearing path 3",
        "walked": "2024-11-06",
        "metres": "2737",
        "state": "good",
        "wide": "no",
    },
    {
        "code": "P0482",
        "title": "Stony oak path",
        "walked": "2024-11-19",
        "metres": "2936",
        "state": "wet",
        "wide": "yes",
    },
]


class PathTest(unittest.TestCase):
    def setUp(self):
        self.paths = [parse_path(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_path(item) for item in self.paths], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(PATHS.read()), 192)
        self.assertEqual(PATHS.get("P0291"), self.paths[0])

    def test_it_is_described(self):
        wanted = [
            "code: P0291",
            "title: Old clearing path",
            "walked: 30.08.2024",
            "metres: 1209",
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
        found = lists.search_title(self.paths, "EAST")
        self.assertEqual([item.code for item in found], ["P0359"])

    def test_find_walked_between(self):
        first, last = date(2024, 10, 1), date(2024, 11, 6)
        found = lists.find_walked_between(self.paths, first, last)
        self.assertEqual([item.code for item in found], ["P0359", "P0433"])

    def test_mean_metres(self):
        self.assertEqual(lists.mean_metres(self.paths), 1993.0)
        self.assertIsNone(lists.mean_metres([]))

    def test_at_least_metres(self):
        found = lists.at_least_metres(self.paths, 2737)
        self.assertEqual([item.code for item in found], ["P0433", "P0482"])

    def test_by_state(self):
        groups = lists.by_state(self.paths)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"wet": 2, "broken": 1, "good": 1})

    def test_count_states(self):
        self.assertEqual(lists.count_states(self.paths), [("wet", 2), ("broken", 1), ("good", 1)])

    def test_find_wide(self):
        found = lists.find_wide(self.paths)
        self.assertEqual([item.code for item in found], ["P0359", "P0482"])


if __name__ == "__main__":
    unittest.main()
