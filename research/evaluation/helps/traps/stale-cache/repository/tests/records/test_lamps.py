import unittest
from datetime import date

from room.kit.fields import BadField
from room.lists import lamps as lists
from room.records.lamps import LAMPS, changes_of_lamp, describe_lamp, format_lamp, parse_lamp

ROWS = [
    {
        "code": "P0111",
        "place": "Salt market 3",
        "fitted": "2024-06-19",
        "watts": "44",
        "socket": "E27",
        "broken": "yes",
    },
    {
        "code": "P0254",
        "place": "Northern island",
        "fitted": "2024-08-26",
        "watts": "39",
        "socket": "E27",
        "broken": "no",
    },
    {
        "code": "P0474",
        "place": "Narrow forest 8",
        "fitted": "2024-12-03",
        "watts": "52",
        "socket": "G9",
        "broken": "yes",
    },
    {
        "code": "P0539",
        "place": "Stony bridge 8",
        "fitted": "2024-12-29",
        "watts": "20",
        "socket": "E14",
        "broken": "yes",
    },
]


class LampTest(unittest.TestCase):
    def setUp(self):
        self.lamps = [parse_lamp(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_lamp(item) for item in self.lamps], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(LAMPS.read()), 185)
        self.assertEqual(LAMPS.get("P0111"), self.lamps[0])

    def test_it_is_described(self):
        wanted = [
            "code: P0111",
            "place: Salt market 3",
            "fitted: 19.06.2024",
            "watts: 44",
            "socket: E27",
            "broken",
        ]
        self.assertEqual(list(describe_lamp(self.lamps[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_lamp(self.lamps[0], self.lamps[1])
        self.assertEqual([name for name, _, _ in found], ["code", "place", "fitted", "watts", "broken"])
        self.assertEqual(changes_of_lamp(self.lamps[0], self.lamps[0]), [])

    def test_fitted_is_checked(self):
        with self.assertRaises(BadField):
            parse_lamp(ROWS[0] | {"fitted": "31.02.2025"})

    def test_watts_is_checked(self):
        with self.assertRaises(BadField):
            parse_lamp(ROWS[0] | {"watts": "several"})

    def test_socket_is_checked(self):
        with self.assertRaises(BadField):
            parse_lamp(ROWS[0] | {"socket": "unheard of"})

    def test_broken_is_checked(self):
        with self.assertRaises(BadField):
            parse_lamp(ROWS[0] | {"broken": "perhaps"})

    def test_search_place(self):
        found = lists.search_place(self.lamps, "NORTHERN")
        self.assertEqual([item.code for item in found], ["P0254"])

    def test_find_fitted_between(self):
        first, last = date(2024, 8, 26), date(2024, 12, 3)
        found = lists.find_fitted_between(self.lamps, first, last)
        self.assertEqual([item.code for item in found], ["P0254", "P0474"])

    def test_mean_watts(self):
        self.assertEqual(lists.mean_watts(self.lamps), 38.8)
        self.assertIsNone(lists.mean_watts([]))

    def test_at_least_watts(self):
        found = lists.at_least_watts(self.lamps, 44)
        self.assertEqual([item.code for item in found], ["P0111", "P0474"])

    def test_by_socket(self):
        groups = lists.by_socket(self.lamps)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"E27": 2, "G9": 1, "E14": 1})

    def test_count_sockets(self):
        self.assertEqual(lists.count_sockets(self.lamps), [("E27", 2), ("E14", 1), ("G9", 1)])

    def test_find_broken(self):
        found = lists.find_broken(self.lamps)
        self.assertEqual([item.code for item in found], ["P0111", "P0474", "P0539"])


if __name__ == "__main__":
    unittest.main()
