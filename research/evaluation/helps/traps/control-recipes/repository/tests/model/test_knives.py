import unittest
from datetime import date
from decimal import Decimal

from pantry.kit.fields import BadField
from pantry.queries import knives as lists
from pantry.model.knives import KNIVES, changes_of_knife, describe_knife, format_knife, parse_knife

ROWS = [
    {
        "code": "M0325",
        "what": "Heavy bread knife",
        "ground": "2025-03-10",
        "length": "9.46",
        "kind": "chef",
        "lent": "yes",
    },
    {
        "code": "M0390",
        "what": "Large cleaver",
        "ground": "2025-04-15",
        "length": "27.79",
        "kind": "bread",
        "lent": "yes",
    },
    {
        "code": "M0475",
        "what": "Spare bread knife",
        "ground": "2025-05-25",
        "length": "14.97",
        "kind": "bread",
        "lent": "no",
    },
    {
        "code": "M0902",
        "what": "Spare filleting knife",
        "ground": "2025-11-19",
        "length": "9.85",
        "kind": "paring",
        "lent": "yes",
    },
]


class KnifeTest(unittest.TestCase):
    def setUp(self):
        self.knives = [parse_knife(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_knife(item) for item in self.knives], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(KNIVES.read()), 247)
        self.assertEqual(KNIVES.get("M0325"), self.knives[0])

    def test_it_is_described(self):
        wanted = [
            "code: M0325",
            "what: Heavy bread knife",
            "ground: 10.03.2025",
            "length: 9.46",
            "kind: chef",
            "lent",
        ]
        self.assertEqual(list(describe_knife(self.knives[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_knife(self.knives[0], self.knives[1])
        self.assertEqual([name for name, _, _ in found], ["code", "what", "ground", "length", "kind"])
        self.assertEqual(changes_of_knife(self.knives[0], self.knives[0]), [])

    def test_ground_is_checked(self):
        with self.assertRaises(BadField):
            parse_knife(ROWS[0] | {"ground": "31.02.2025"})

    def test_length_is_checked(self):
        with self.assertRaises(BadField):
            parse_knife(ROWS[0] | {"length": "a lot"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_knife(ROWS[0] | {"kind": "unheard of"})

    def test_lent_is_checked(self):
        with self.assertRaises(BadField):
            parse_knife(ROWS[0] | {"lent": "perhaps"})

    def test_search_what(self):
        found = lists.search_what(self.knives, "LARGE")
        self.assertEqual([item.code for item in found], ["M0390"])

    def test_pick_ground_between(self):
        first, last = date(2025, 4, 15), date(2025, 5, 25)
        found = lists.pick_ground_between(self.knives, first, last)
        self.assertEqual([item.code for item in found], ["M0390", "M0475"])

    def test_sum_of_length(self):
        self.assertEqual(lists.sum_of_length(self.knives), Decimal("62.07"))

    def test_length_of_each_kind(self):
        wanted = [("bread", Decimal("42.76")), ("paring", Decimal("9.85")), ("chef", Decimal("9.46"))]
        self.assertEqual(lists.length_of_each_kind(self.knives), wanted)

    def test_largest_length(self):
        found = lists.largest_length(self.knives, 2)
        self.assertEqual([item.code for item in found], ["M0390", "M0475"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.knives)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"chef": 1, "bread": 2, "paring": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.knives), [("bread", 2), ("chef", 1), ("paring", 1)])

    def test_pick_lent(self):
        found = lists.pick_lent(self.knives)
        self.assertEqual([item.code for item in found], ["M0325", "M0390", "M0902"])


if __name__ == "__main__":
    unittest.main()
