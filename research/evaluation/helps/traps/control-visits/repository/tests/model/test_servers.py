import unittest
from datetime import date
from decimal import Decimal

from office.kit.fields import BadField
from office.queries import servers as lists
from office.model.servers import SERVERS, changes_of_server, describe_server, format_server, parse_server

ROWS = [
    {"code": "S0090", "place": "Blue stair 4", "since": "2024-10-28", "cores": "9", "load": "2.68", "state": "up"},
    {
        "code": "S0730",
        "place": "Green lamp 5",
        "since": "2025-07-10",
        "cores": "14",
        "load": "2.59",
        "state": "down",
    },
    {"code": "S0971", "place": "Last garden 2", "since": "2025-10-17", "cores": "2", "load": "2.30", "state": "up"},
    {
        "code": "S1141",
        "place": "Southern news",
        "since": "2026-01-04",
        "cores": "14",
        "load": "1.08",
        "state": "up",
    },
]


class ServerTest(unittest.TestCase):
    def setUp(self):
        self.servers = [parse_server(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_server(item) for item in self.servers], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(SERVERS.read()), 288)
        self.assertEqual(SERVERS.get("S0090"), self.servers[0])

    def test_it_is_described(self):
        wanted = [
            "code: S0090",
            "place: Blue stair 4",
            "since: 28.10.2024",
            "cores: 9",
            "load: 2.68",
            "state: up",
        ]
        self.assertEqual(list(describe_server(self.servers[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_server(self.servers[0], self.servers[1])
        self.assertEqual([name for name, _, _ in found], ["code", "place", "since", "cores", "load", "state"])
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
        found = lists.search_place(self.servers, "GREEN")
        self.assertEqual([item.code for item in found], ["S0730"])

    def test_pick_since_between(self):
        first, last = date(2025, 7, 10), date(2025, 10, 17)
        found = lists.pick_since_between(self.servers, first, last)
        self.assertEqual([item.code for item in found], ["S0730", "S0971"])

    def test_mean_cores(self):
        self.assertEqual(lists.mean_cores(self.servers), 9.8)
        self.assertIsNone(lists.mean_cores([]))

    def test_at_least_cores(self):
        found = lists.at_least_cores(self.servers, 14)
        self.assertEqual([item.code for item in found], ["S0730", "S1141"])

    def test_sum_of_load(self):
        self.assertEqual(lists.sum_of_load(self.servers), Decimal("8.65"))

    def test_load_of_each_state(self):
        wanted = [("up", Decimal("6.06")), ("down", Decimal("2.59"))]
        self.assertEqual(lists.load_of_each_state(self.servers), wanted)

    def test_largest_load(self):
        found = lists.largest_load(self.servers, 2)
        self.assertEqual([item.code for item in found], ["S0090", "S0730"])

    def test_group_by_state(self):
        groups = lists.group_by_state(self.servers)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"up": 3, "down": 1})

    def test_count_states(self):
        self.assertEqual(lists.count_states(self.servers), [("up", 3), ("down", 1)])


if __name__ == "__main__":
    unittest.main()
