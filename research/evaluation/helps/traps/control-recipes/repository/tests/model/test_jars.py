import unittest
from datetime import date

from pantry.kit.fields import BadField
from pantry.queries import jars as lists
from pantry.model.jars import JARS, changes_of_jar, describe_jar, format_jar, parse_jar

ROWS = [
    {
        "code": "J0021",
        "what": "Early plum",
        "filled": "2024-06-16",
        "best_until": "2024-06-20",
        "grams": "961",
        "kind": "sauce",
        "opened": "no",
    },
    {
        "code": "J0049",
        "what": "New fennel",
        "filled": "2024-07-03",
        "best_until": "2024-08-23",
        "grams": "1705",
        "kind": "dried",
        "opened": "yes",
    },
    {
        "code": "J0085",
        "what": "Early turnip",
        "filled": "2024-07-15",
        "best_until": "2024-07-25",
        "grams": "1532",
        "kind": "sauce",
        "opened": "no",
    },
    {
        "code": "J0623",
        "what": "Large bean",
        "filled": "2025-03-18",
        "best_until": "2025-04-12",
        "grams": "793",
        "kind": "sauce",
        "opened": "no",
    },
]


class JarTest(unittest.TestCase):
    def setUp(self):
        self.jars = [parse_jar(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_jar(item) for item in self.jars], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(JARS.read()), 214)
        self.assertEqual(JARS.get("J0021"), self.jars[0])

    def test_it_is_described(self):
        wanted = [
            "code: J0021",
            "what: Early plum",
            "filled: 16.06.2024",
            "best until: 20.06.2024",
            "grams: 961",
            "kind: sauce",
        ]
        self.assertEqual(list(describe_jar(self.jars[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_jar(self.jars[0], self.jars[1])
        wanted = ["code", "what", "filled", "best_until", "grams", "kind", "opened"]
        self.assertEqual([name for name, _, _ in found], wanted)
        self.assertEqual(changes_of_jar(self.jars[0], self.jars[0]), [])

    def test_filled_is_checked(self):
        with self.assertRaises(BadField):
            parse_jar(ROWS[0] | {"filled": "31.02.2025"})

    def test_best_until_is_checked(self):
        with self.assertRaises(BadField):
            parse_jar(ROWS[0] | {"best_until": "31.02.2025"})

    def test_grams_is_checked(self):
        with self.assertRaises(BadField):
            parse_jar(ROWS[0] | {"grams": "several"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_jar(ROWS[0] | {"kind": "unheard of"})

    def test_opened_is_checked(self):
        with self.assertRaises(BadField):
            parse_jar(ROWS[0] | {"opened": "perhaps"})

    def test_search_what(self):
        found = lists.search_what(self.jars, "NEW")
        self.assertEqual([item.code for item in found], ["J0049"])

    def test_pick_filled_between(self):
        first, last = date(2024, 7, 3), date(2024, 7, 15)
        found = lists.pick_filled_between(self.jars, first, last)
        self.assertEqual([item.code for item in found], ["J0049", "J0085"])

    def test_pick_best_until_between(self):
        first, last = date(2024, 7, 25), date(2024, 8, 23)
        found = lists.pick_best_until_between(self.jars, first, last)
        self.assertEqual([item.code for item in found], ["J0049", "J0085"])

    def test_mean_grams(self):
        self.assertEqual(lists.mean_grams(self.jars), 1247.8)
        self.assertIsNone(lists.mean_grams([]))

    def test_at_least_grams(self):
        found = lists.at_least_grams(self.jars, 1532)
        self.assertEqual([item.code for item in found], ["J0049", "J0085"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.jars)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"sauce": 3, "dried": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.jars), [("sauce", 3), ("dried", 1)])

    def test_pick_opened(self):
        found = lists.pick_opened(self.jars)
        self.assertEqual([item.code for item in found], ["J0049"])


if __name__ == "__main__":
    unittest.main()
