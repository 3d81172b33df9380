import unittest
from datetime import date

from pantry.kit.fields import BadField
from pantry.queries import jars as lists
from pantry.model.jars import JARS, changes_of_jar, describe_jar, format_jar, parse_jar

ROWS = [
    {
        "code": "J0605",
        "what": "Long cabbage 4",
        "filled": "2025-03-14",
        "best_until": "2025-04-22",
        "grams": "1896",
        "kind": "sauce",
        "opened": "no",
    },
    {
        "code": "J0670",
        "what": "Dry radish",
        "filled": "2025-04-16",
        "best_until": "2025-06-08",
        "grams": "500",
        "kind": "dried",
        "opened": "no",
    },
    {
        "code": "J0754",
        "what": "Large grape",
        "filled": "2025-05-17",
        "best_until": "2025-05-27",
        "grams": "1819",
        "kind": "dried",
        "opened": "yes",
    },
    {
        "code": "J0847",
        "what": "Old grape",
        "filled": "2025-06-26",
        "best_until": "2025-08-14",
        "grams": "1977",
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
        self.assertEqual(len(JARS.read()), 224)
        self.assertEqual(JARS.get("J0605"), self.jars[0])

    def test_it_is_described(self):
        wanted = [
            "code: J0605",
            "what: Long cabbage 4",
            "filled: 14.03.2025",
            "best until: 22.04.2025",
            "grams: 1896",
            "kind: sauce",
        ]
        self.assertEqual(list(describe_jar(self.jars[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_jar(self.jars[0], self.jars[1])
        wanted = ["code", "what", "filled", "best_until", "grams", "kind"]
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
        found = lists.search_what(self.jars, "DRY")
        self.assertEqual([item.code for item in found], ["J0670"])

    def test_pick_filled_between(self):
        first, last = date(2025, 4, 16), date(2025, 5, 17)
        found = lists.pick_filled_between(self.jars, first, last)
        self.assertEqual([item.code for item in found], ["J0670", "J0754"])

    def test_pick_best_until_between(self):
        first, last = date(2025, 5, 27), date(2025, 6, 8)
        found = lists.pick_best_until_between(self.jars, first, last)
        self.assertEqual([item.code for item in found], ["J0670", "J0754"])

    def test_mean_grams(self):
        self.assertEqual(lists.mean_grams(self.jars), 1548.0)
        self.assertIsNone(lists.mean_grams([]))

    def test_at_least_grams(self):
        found = lists.at_least_grams(self.jars, 1896)
        self.assertEqual([item.code for item in found], ["J0605", "J0847"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.jars)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"sauce": 2, "dried": 2})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.jars), [("dried", 2), ("sauce", 2)])

    def test_pick_opened(self):
        found = lists.pick_opened(self.jars)
        self.assertEqual([item.code for item in found], ["J0754"])


if __name__ == "__main__":
    unittest.main()
