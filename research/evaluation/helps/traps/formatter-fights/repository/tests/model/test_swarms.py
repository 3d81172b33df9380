import unittest
from datetime import date
from decimal import Decimal

from apiary.kit.fields import BadField
from apiary.queries import swarms as lists
from apiary.model.swarms import SWARMS, changes_of_swarm, describe_swarm, format_swarm, parse_swarm

ROWS = [
    {
        "code": "S0037",
        "place": "South lime",
        "seen": "2024-04-18",
        "kilos": "0.40",
        "end": "given",
        "cast_swarm": "no",
    },
    {
        "code": "S0174",
        "place": "South farm 2",
        "seen": "2024-06-16",
        "kilos": "1.84",
        "end": "caught",
        "cast_swarm": "no",
    },
    {
        "code": "S0355",
        "place": "South orchard",
        "seen": "2024-08-24",
        "kilos": "0.69",
        "end": "gone",
        "cast_swarm": "no",
    },
    {
        "code": "S0585",
        "place": "Small meadow 8",
        "seen": "2024-12-06",
        "kilos": "2.46",
        "end": "caught",
        "cast_swarm": "no",
    },
]


class SwarmTest(unittest.TestCase):
    def setUp(self):
        self.swarms = [parse_swarm(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_swarm(item) for item in self.swarms], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(SWARMS.read()), 150)
        self.assertEqual(SWARMS.get("S0037"), self.swarms[0])

    def test_it_is_described(self):
        wanted = [
            "code: S0037",
            "place: South lime",
            "seen: 18.04.2024",
            "kilos: 0.40",
            "end: given",
        ]
        self.assertEqual(list(describe_swarm(self.swarms[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_swarm(self.swarms[0], self.swarms[1])
        self.assertEqual([name for name, _, _ in found], ["code", "place", "seen", "kilos", "end"])
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
        found = lists.search_place(self.swarms, "SOUTH")
        self.assertEqual([item.code for item in found], ["S0037", "S0174", "S0355"])

    def test_pick_seen_between(self):
        first, last = date(2024, 6, 16), date(2024, 8, 24)
        found = lists.pick_seen_between(self.swarms, first, last)
        self.assertEqual([item.code for item in found], ["S0174", "S0355"])

    def test_sum_of_kilos(self):
        self.assertEqual(lists.sum_of_kilos(self.swarms), Decimal("5.39"))

    def test_kilos_of_each_end(self):
        wanted = [("caught", Decimal("4.30")), ("gone", Decimal("0.69")), ("given", Decimal("0.40"))]
        self.assertEqual(lists.kilos_of_each_end(self.swarms), wanted)

    def test_largest_kilos(self):
        found = lists.largest_kilos(self.swarms, 2)
        self.assertEqual([item.code for item in found], ["S0585", "S0174"])

    def test_group_by_end(self):
        groups = lists.group_by_end(self.swarms)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"given": 1, "caught": 2, "gone": 1})

    def test_count_ends(self):
        self.assertEqual(lists.count_ends(self.swarms), [("caught", 2), ("given", 1), ("gone", 1)])

    def test_pick_cast_swarm(self):
        found = lists.pick_cast_swarm(self.swarms)
        self.assertEqual([item.code for item in found], [])


if __name__ == "__main__":
    unittest.main()
