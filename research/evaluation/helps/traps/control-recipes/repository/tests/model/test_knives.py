import unittest
from datetime import date
from decimal import Decimal

from pantry.kit.fields import BadField
from pantry.queries import knives as lists
from pantry.model.knives import KNIVES, changes_of_knife, describe_knife, format_knife, parse_knife

ROWS = [
    {
        "code": "M0349",
        "what": "Green bean",
        "ground": "2025-03-05",
        "length": "18.67",
        "kind": "paring",
        "lent": "no",
    },
    {
        "code": "M0373",
        "what": "Early quince",
        "ground": "2025-03-14",
        "length": "20.51",
        "kind": "bread",
        "lent": "no",
    },
    {
        "code": "M0387",
        "what": "Dry quince",
        "ground": "2025-03-16",
        "length": "21.19",
        "kind": "paring",
        "lent": "yes",
    },
    {
        "code": "M0446",
        "what": "Salted quince",
        "ground": "2025-04-02",
        "length": "17.03",
        "kind": "paring",
        "lent": "no",
    },
]


class KnifeTest(unittest.TestCase):
    def setUp(self):
        self.knives = [parse_knife(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_knife(item) for item in self.knives], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(KNIVES.read()), 177)
        self.assertEqual(KNIVES.get("M0349"), self.knives[0])

    def test_it_is_described(self):
        wanted = [
            "code: M0349",
            "what: Green bean",
            "ground: 05.03.2025",
            "length: 18.67",
            "kind: paring",
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
        found = lists.search_what(self.knives, "EARLY")
        self.assertEqual([item.code for item in found], ["M0373"])

    def test_pick_ground_between(self):
        first, last = date(2025, 3, 14), date(2025, 3, 16)
        found = lists.pick_ground_between(self.knives, first, last)
        self.assertEqual([item.code for item in found], ["M0373", "M0387"])

    def test_sum_of_length(self):
        self.assertEqual(lists.sum_of_length(self.knives), Decimal("77.40"))

    def test_length_of_each_kind(self):
        wanted = [("paring", Decimal("56.89")), ("bread", Decimal("20.51"))]
        self.assertEqual(lists.length_of_each_kind(self.knives), wanted)

    def test_largest_length(self):
        found = lists.largest_length(self.knives, 2)
        self.assertEqual([item.code for item in found], ["M0387", "M0373"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.knives)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"paring": 3, "bread": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.knives), [("paring", 3), ("bread", 1)])

    def test_pick_lent(self):
        found = lists.pick_lent(self.knives)
        self.assertEqual([item.code for item in found], ["M0387"])


if __name__ == "__main__":
    unittest.main()
