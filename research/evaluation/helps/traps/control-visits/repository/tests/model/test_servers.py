import unittest
from datetime import date
from decimal import Decimal

from office.kit.fields import BadField
from office.queries import servers as lists
from office.model.servers import SERVERS, changes_of_server, describe_server, format_server, parse_server

ROWS = [
    {"code": "S0010", "place": "New field", "since": "2024-04-30", "cores": "14", "load": "0.25", "state": "down"},
    {
        "code": "S0106",
        "place": "Large harbour",
        "since": "2024-06-29",
        "cores": "14",
        "load": "1.00",
        "state": "up",
    },
    {"code": "S0155", "place": "Upper map", "since": "2024-07-18", "cores": "11", "load": "0.76", "state": "up"},
    {"code": "S0571", "place": "Blue map", "since": "2025-01-22", "cores": "15", "load": "3.14", "state": "spare"},
]


class ServerTest(unittest.TestCase):
    def setUp(self):
        self.servers = [parse_server(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_server(item) for item in self.servers], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(SERVERS.read()), 199)
        self.assertEqual(SERVERS.get("S0010"), self.servers[0])

    def test_it_is_described(self):
        wanted = [
            "code: S0010",
            "place: New field",
            "since: 30.04.2024",
            "cores: 14",
            "load: 0.25",
            "state: down",
        ]
        self.assertEqual(list(describe_server(self.servers[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_server(self.servers[0], self.servers[1])
        self.assertEqual([name for name, _, _ in found], ["code", "place", "since", "load", "state"])
        self.assertEqual(changes_of_server(self.servers[0], self.servers[0]), [])

    def test_since_is_checked(self):
        with self.assertRaises(BadField):
            parse_server(ROWS[0] | {"since": "31.02.2025"})

    def test_cores_is_checked(self):
        with self.assertRaises(BadField):
            parse_server(ROWS[0] | {"cores": "several"})

    def test_load_is_checked(self):
        with self.assertRaises(BadField):
            parse_server(ROWS[0] | {"load": "a lot"})

    def test_state_is_checked(self):
        with self.assertRaises(BadField):
            parse_server(ROWS[0] | {"state": "unheard of"})

    def test_search_place(self):
        found = lists.search_place(self.servers, "LARGE")
        self.assertEqual([item.code for item in found], ["S0106"])

    def test_pick_since_between(self):
        first, last = date(2024, 6, 29), date(2024, 7, 18)
        found = lists.pick_since_between(self.servers, first, last)
        self.assertEqual([item.code for item in found], ["S0106", "S0155"])

    def test_mean_cores(self):
        self.assertEqual(lists.mean_cores(self.servers), 13.5)
        self.assertIsNone(lists.mean_cores([]))

    def test_at_least_cores(self):
        found = lists.at_least_cores(self.servers, 14)
        self.assertEqual([item.code for item in found], ["S0010", "S0106", "S0571"])

    def test_sum_of_load(self):
        self.assertEqual(lists.sum_of_load(self.servers), Decimal("5.15"))

    def test_load_of_each_state(self):
        wanted = [("spare", Decimal("3.14")), ("up", Decimal("1.76")), ("down", Decimal("0.25"))]
        self.assertEqual(lists.load_of_each_state(self.servers), wanted)

    def test_largest_load(self):
        found = lists.largest_load(self.servers, 2)
        self.assertEqual([item.code for item in found], ["S0571", "S0106"])

    def test_group_by_state(self):
        groups = lists.group_by_state(self.servers)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"down": 1, "up": 2, "spare": 1})

    def test_count_states(self):
        self.assertEqual(lists.count_states(self.servers), [("up", 2), ("down", 1), ("spare", 1)])


if __name__ == "__main__":
    unittest.main()
