import unittest
from datetime import date
from decimal import Decimal

from pantry.kit.fields import BadField
from pantry.queries import knives as lists
from pantry.model.knives import KNIVES, changes_of_knife, describe_knife, format_knife, parse_knife

ROWS = [
    {
        "code": "M0053",
        "what": "Dry grape",
        "ground": "2024-07-27",
        "length": "29.80",
        "kind": "bread",
        "lent": "no",
    },
    {
        "code": "M0222",
        "what": "Smoked bean",
        "ground": "2024-10-08",
        "length": "27.16",
        "kind": "chef",
        "lent": "yes",
    },
    {
        "code": "M0658",
        "what": "Salted pear",
        "ground": "2025-04-20",
        "length": "16.98",
        "kind": "bread",
        "lent": "yes",
    },
    {
        "code": "M1113",
        "what": "Early bean 4",
        "ground": "2025-11-12",
        "length": "9.27",
        "kind": "chef",
        "lent": "yes",
    },
]


class KnifeTest(unittest.TestCase):
    def setUp(self):
        self.knives = [parse_knife(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_knife(item) for item in self.knives], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(KNIVES.read()), 286)
        self.assertEqual(KNIVES.get("M0053"), self.knives[0])

    def test_it_is_described(self):
        wanted = [
            "code: M0053",
            "what: Dry grape",
            "ground: 27.07.2024",
            "length: 29.80",
            "kind: bread",
        ]
        self.assertEqual(list(describe_knife(self.knives[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_knife(self.knives[0], self.knives[1])
        self.assertEqual([name for name, _, _ in found], ["code", "what", "ground", "length", "kind", "lent"])
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
        found = lists.search_what(self.knives, "SMOKED")
        self.assertEqual([item.code for item in found], ["M0222"])

    def test_pick_ground_between(self):
        first, last = date(2024, 10, 8), date(2025, 4, 20)
        found = lists.pick_ground_between(self.knives, first, last)
        self.assertEqual([item.code for item in found], ["M0222", "M0658"])

    def test_sum_of_length(self):
        self.assertEqual(lists.sum_of_length(self.knives), Decimal("83.21"))

    def test_length_of_each_kind(self):
        wanted = [("bread", Decimal("46.78")), ("chef", Decimal("36.43"))]
        self.assertEqual(lists.length_of_each_kind(self.knives), wanted)

    def test_largest_length(self):
        found = lists.largest_length(self.knives, 2)
        self.assertEqual([item.code for item in found], ["M0053", "M0222"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.knives)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"bread": 2, "chef": 2})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.knives), [("bread", 2), ("chef", 2)])

    def test_pick_lent(self):
        found = lists.pick_lent(self.knives)
        self.assertEqual([item.code for item in found], ["M0222", "M0658", "M1113"])


if __name__ == "__main__":
    unittest.main()
