import unittest
from datetime import date

from pantry.kit.fields import BadField
from pantry.queries import jars as lists
from pantry.model.jars import JARS, changes_of_jar, describe_jar, format_jar, parse_jar

ROWS = [
    {
        "code": "J0298",
        "what": "Smoked pepper",
        "filled": "2024-11-10",
        "best_until": "2025-01-07",
        "grams": "1923",
        "kind": "dried",
        "opened": "no",
    },
    {
        "code": "J0523",
        "what": "Plain mushroom",
        "filled": "2025-02-13",
        "best_until": "2025-03-03",
        "grams": "1433",
        "kind": "dried",
        "opened": "no",
    },
    {
        "code": "J0582",
        "what": "Green pear",
        "filled": "2025-03-10",
        "best_until": "2025-05-05",
        "grams": "1610",
        "kind": "sauce",
        "opened": "no",
    },
    {
        "code": "J0811",
        "what": "Round quince",
        "filled": "2025-06-11",
        "best_until": "2025-07-18",
        "grams": "828",
        "kind": "dried",
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
        self.assertEqual(JARS.get("J0298"), self.jars[0])

    def test_it_is_described(self):
        wanted = [
            "code: J0298",
            "what: Smoked pepper",
            "filled: 10.11.2024",
            "best until: 07.01.2025",
            "grams: 1923",
            "kind: dried",
        ]
        self.assertEqual(list(describe_jar(self.jars[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_jar(self.jars[0], self.jars[1])
        self.assertEqual([name for name, _, _ in found], ["code", "what", "filled", "best_until", "grams"])
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
        found = lists.search_what(self.jars, "PLAIN")
        self.assertEqual([item.code for item in found], ["J0523"])

    def test_pick_filled_between(self):
        first, last = date(2025, 2, 13), date(2025, 3, 10)
        found = lists.pick_filled_between(self.jars, first, last)
        self.assertEqual([item.code for item in found], ["J0523", "J0582"])

    def test_pick_best_until_between(self):
        first, last = date(2025, 3, 3), date(2025, 5, 5)
        found = lists.pick_best_until_between(self.jars, first, last)
        self.assertEqual([item.code for item in found], ["J0523", "J0582"])

    def test_mean_grams(self):
        self.assertEqual(lists.mean_grams(self.jars), 1448.5)
        self.assertIsNone(lists.mean_grams([]))

    def test_at_least_grams(self):
        found = lists.at_least_grams(self.jars, 1610)
        self.assertEqual([item.code for item in found], ["J0298", "J0582"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.jars)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"dried": 3, "sauce": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.jars), [("dried", 3), ("sauce", 1)])

    def test_pick_opened(self):
        found = lists.pick_opened(self.jars)
        self.assertEqual([item.code for item in found], [])


if __name__ == "__main__":
    unittest.main()
