import unittest
from datetime import date
from decimal import Decimal

from house.kit.fields import BadField
from house.queries import finds as lists
from house.model.finds import FINDS, changes_of_find, describe_find, format_find, parse_find

ROWS = [
    {
        "code": "F0053",
        "thing": "Heavy glove",
        "found": "2024-03-18",
        "where": "stairs",
        "fetched": "yes",
        "worth": "54.25",
    },
    {
        "code": "F0271",
        "thing": "Large purse",
        "found": "2024-06-07",
        "where": "yard",
        "fetched": "no",
        "worth": "49.11",
    },
    {
        "code": "F0397",
        "thing": "Small key",
        "found": "2024-07-29",
        "where": "hall",
        "fetched": "no",
        "worth": "21.41",
    },
    {
        "code": "F0419",
        "thing": "Spare umbrella",
        "found": "2024-08-07",
        "where": "stairs",
        "fetched": "no",
        "worth": "55.87",
    },
]


class FindTest(unittest.TestCase):
    def setUp(self):
        self.finds = [parse_find(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_find(item) for item in self.finds], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(FINDS.read()), 170)
        self.assertEqual(FINDS.get("F0053"), self.finds[0])

    def test_it_is_described(self):
        wanted = [
            "code: F0053",
            "thing: Heavy glove",
            "found: 18.03.2024",
            "where: stairs",
            "fetched",
            "worth: 54.25",
        ]
        self.assertEqual(list(describe_find(self.finds[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_find(self.finds[0], self.finds[1])
        wanted = ["code", "thing", "found", "where", "fetched", "worth"]
        self.assertEqual([name for name, _, _ in found], wanted)
        self.assertEqual(changes_of_find(self.finds[0], self.finds[0]), [])

    def test_found_is_checked(self):
        with self.assertRaises(BadField):
            parse_find(ROWS[0] | {"found": "31.02.2025"})

    def test_where_is_checked(self):
        with self.assertRaises(BadField):
            parse_find(ROWS[0] | {"where": "unheard of"})

    def test_fetched_is_checked(self):
        with self.assertRaises(BadField):
            parse_find(ROWS[0] | {"fetched": "perhaps"})

    def test_worth_is_checked(self):
        with self.assertRaises(BadField):
            parse_find(ROWS[0] | {"worth": "a lot"})

    def test_search_thing(self):
        found = lists.search_thing(self.finds, "LARGE")
        self.assertEqual([item.code for item in found], ["F0271"])

    def test_pick_found_between(self):
        first, last = date(2024, 6, 7), date(2024, 7, 29)
        found = lists.pick_found_between(self.finds, first, last)
        self.assertEqual([item.code for item in found], ["F0271", "F0397"])

    def test_group_by_where(self):
        groups = lists.group_by_where(self.finds)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"stairs": 2, "yard": 1, "hall": 1})

    def test_count_wheres(self):
        self.assertEqual(lists.count_wheres(self.finds), [("stairs", 2), ("hall", 1), ("yard", 1)])

    def test_pick_fetched(self):
        found = lists.pick_fetched(self.finds)
        self.assertEqual([item.code for item in found], ["F0053"])

    def test_sum_of_worth(self):
        self.assertEqual(lists.sum_of_worth(self.finds), Decimal("180.64"))

    def test_worth_of_each_where(self):
        wanted = [("stairs", Decimal("110.12")), ("yard", Decimal("49.11")), ("hall", Decimal("21.41"))]
        self.assertEqual(lists.worth_of_each_where(self.finds), wanted)

    def test_largest_worth(self):
        found = lists.largest_worth(self.finds, 2)
        self.assertEqual([item.code for item in found], ["F0419", "F0053"])


if __name__ == "__main__":
    unittest.main()
