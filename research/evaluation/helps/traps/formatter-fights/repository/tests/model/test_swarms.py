import unittest
from datetime import date
from decimal import Decimal

from apiary.kit.fields import BadField
from apiary.queries import swarms as lists
from apiary.model.swarms import SWARMS, changes_of_swarm, describe_swarm, format_swarm, parse_swarm

ROWS = [
    {
        "code": "S0217",
        "place": "Early lime",
        "seen": "2024-06-28",
        "kilos": "1.01",
        "end": "given",
        "cast_swarm": "yes",
    },
    {
        "code": "S0295",
        "place": "New bank",
        "seen": "2024-07-31",
        "kilos": "1.80",
        "end": "gone",
        "cast_swarm": "no",
    },
    {
        "code": "S0347",
        "place": "Dry farm 5",
        "seen": "2024-08-23",
        "kilos": "3.16",
        "end": "given",
        "cast_swarm": "yes",
    },
    {
        "code": "S0361",
        "place": "Sweet yard",
        "seen": "2024-08-27",
        "kilos": "1.73",
        "end": "gone",
        "cast_swarm": "yes",
    },
]


class SwarmTest(unittest.TestCase):
    def setUp(self):
        self.swarms = [parse_swarm(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_swarm(item) for item in self.swarms], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(SWARMS.read()), 150)
        self.assertEqual(SWARMS.get("S0217"), self.swarms[0])

    def test_it_is_described(self):
        wanted = [
            "code: S0217",
            "place: Early lime",
            "seen: 28.06.2024",
            "kilos: 1.01",
            "end: given",
            "cast swarm",
        ]
        self.assertEqual(list(describe_swarm(self.swarms[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_swarm(self.swarms[0], self.swarms[1])
        wanted = ["code", "place", "seen", "kilos", "end", "cast_swarm"]
        self.assertEqual([name for name, _, _ in found], wanted)
        self.assertEqual(changes_of_swarm(self.swarms[0], self.swarms[0]), [])

    def test_seen_is_checked(self):
        with self.assertRaises(BadField):
            parse_swarm(ROWS[0] | {"seen": "31.02.2025"})

    def test_kilos_is_checked(self):
        with self.assertRaises(BadField):
            parse_swarm(ROWS[0] | {"kilos": "a lot"})

    def test_end_is_checked(self):
        with self.assertRaises(BadField):
            parse_swarm(ROWS[0] | {"end": "unheard of"})

    def test_cast_swarm_is_checked(self):
        with self.assertRaises(BadField):
            parse_swarm(ROWS[0] | {"cast_swarm": "perhaps"})

    def test_search_place(self):
        found = lists.search_place(self.swarms, "NEW")
        self.assertEqual([item.code for item in found], ["S0295"])

    def test_pick_seen_between(self):
        first, last = date(2024, 7, 31), date(2024, 8, 23)
        found = lists.pick_seen_between(self.swarms, first, last)
        self.assertEqual([item.code for item in found], ["S0295", "S0347"])

    def test_sum_of_kilos(self):
        self.assertEqual(lists.sum_of_kilos(self.swarms), Decimal("7.70"))

    def test_kilos_of_each_end(self):
        wanted = [("given", Decimal("4.17")), ("gone", Decimal("3.53"))]
        self.assertEqual(lists.kilos_of_each_end(self.swarms), wanted)

    def test_largest_kilos(self):
        found = lists.largest_kilos(self.swarms, 2)
        self.assertEqual([item.code for item in found], ["S0347", "S0295"])

    def test_group_by_end(self):
        groups = lists.group_by_end(self.swarms)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"given": 2, "gone": 2})

    def test_count_ends(self):
        self.assertEqual(lists.count_ends(self.swarms), [("given", 2), ("gone", 2)])

    def test_pick_cast_swarm(self):
        found = lists.pick_cast_swarm(self.swarms)
        self.assertEqual([item.code for item in found], ["S0217", "S0347", "S0361"])


if __name__ == "__main__":
    unittest.main()
