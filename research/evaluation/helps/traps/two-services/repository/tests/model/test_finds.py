import unittest
from datetime import date
from decimal import Decimal

from house.kit.fields import BadField
from house.queries import finds as lists
from house.model.finds import FINDS, changes_of_find, describe_find, format_find, parse_find

ROWS = [
    {
        "code": "F0206",
        "thing": "Lower chart",
        "found": "2024-05-29",
        "where": "yard",
        "fetched": "yes",
        "worth": "32.73",
    },
    {
        "code": "F0382",
        "thing": "Painted hall",
        "found": "2024-08-13",
        "where": "lift",
        "fetched": "no",
        "worth": "10.38",
    },
    {
        "code": "F0405",
        "thing": "Tall lantern",
        "found": "2024-08-26",
        "where": "stairs",
        "fetched": "no",
        "worth": "19.97",
    },
    {
        "code": "F0441",
        "thing": "Silver pier 4",
        "found": "2024-09-10",
        "where": "lift",
        "fetched": "no",
        "worth": "15.97",
    },
]


class FindTest(unittest.TestCase):
    def setUp(self):
        self.finds = [parse_find(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_find(item) for item in self.finds], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(FINDS.read()), 170)
        self.assertEqual(FINDS.get("F0206"), self.finds[0])

    def test_it_is_described(self):
        wanted = [
            "code: F0206",
            "thing: Lower chart",
            "found: 29.05.2024",
            "where: yard",
            "fetched",
            "worth: 32.73",
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
        found = lists.search_thing(self.finds, "PAINTED")
        self.assertEqual([item.code for item in found], ["F0382"])

    def test_pick_found_between(self):
        first, last = date(2024, 8, 13), date(2024, 8, 26)
        found = lists.pick_found_between(self.finds, first, last)
        self.assertEqual([item.code for item in found], ["F0382", "F0405"])

    def test_group_by_where(self):
        groups = lists.group_by_where(self.finds)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"yard": 1, "lift": 2, "stairs": 1})

    def test_count_wheres(self):
        self.assertEqual(lists.count_wheres(self.finds), [("lift", 2), ("stairs", 1), ("yard", 1)])

    def test_pick_fetched(self):
        found = lists.pick_fetched(self.finds)
        self.assertEqual([item.code for item in found], ["F0206"])

    def test_sum_of_worth(self):
        self.assertEqual(lists.sum_of_worth(self.finds), Decimal("79.05"))

    def test_worth_of_each_where(self):
        wanted = [("yard", Decimal("32.73")), ("lift", Decimal("26.35")), ("stairs", Decimal("19.97"))]
        self.assertEqual(lists.worth_of_each_where(self.finds), wanted)

    def test_largest_worth(self):
        found = lists.largest_worth(self.finds, 2)
        self.assertEqual([item.code for item in found], ["F0206", "F0405"])


if __name__ == "__main__":
    unittest.main()
