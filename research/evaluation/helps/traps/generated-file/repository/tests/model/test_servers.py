import unittest
from datetime import date
from decimal import Decimal

from archive.kit.fields import BadField
from archive.queries import servers as lists
from archive.model.servers import SERVERS, changes_of_server, describe_server, format_server, parse_server

ROWS = [
    {"code": "S0283", "place": "Open stair", "since": "2024-12-05", "load": "4.43", "cores": "40", "state": "up"},
    {"code": "S0379", "place": "Late garden", "since": "2025-01-06", "load": "2.40", "cores": "29", "state": "up"},
    {
        "code": "S0446",
        "place": "Outer field",
        "since": "2025-02-04",
        "load": "5.25",
        "cores": "13",
        "state": "down",
    },
    {"code": "S0457", "place": "Warm stair", "since": "2025-02-12", "load": "5.96", "cores": "46", "state": "down"},
]


class ServerTest(unittest.TestCase):
    def setUp(self):
        self.servers = [parse_server(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_server(item) for item in self.servers], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(SERVERS.read()), 205)
        self.assertEqual(SERVERS.get("S0283"), self.servers[0])

    def test_it_is_described(self):
        wanted = [
            "code: S0283",
            "place: Open stair",
            "since: 05.12.2024",
            "load: 4.43",
            "cores: 40",
            "state: up",
        ]
        self.assertEqual(list(describe_server(self.servers[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_server(self.servers[0], self.servers[1])
        self.assertEqual([name for name, _, _ in found], ["code", "place", "since", "load", "cores"])
        self.assertEqual(changes_of_server(self.servers[0], self.servers[0]), [])

    def test_since_is_checked(self):
        with self.assertRaises(BadField):
            parse_server(ROWS[0] | {"since": "31.02.2025"})

    def test_load_is_checked(self):
        with self.assertRaises(BadField):
            parse_server(ROWS[0] | {"load": "a lot"})

    def test_cores_is_checked(self):
        with self.assertRaises(BadField):
            parse_server(ROWS[0] | {"cores": "several"})

    def test_state_is_checked(self):
        with self.assertRaises(BadField):
            parse_server(ROWS[0] | {"state": "unheard of"})

    def test_search_place(self):
        found = lists.search_place(self.servers, "LATE")
        self.assertEqual([item.code for item in found], ["S0379"])

    def test_pick_since_between(self):
        first, last = date(2025, 1, 6), date(2025, 2, 4)
        found = lists.pick_since_between(self.servers, first, last)
        self.assertEqual([item.code for item in found], ["S0379", "S0446"])

    def test_sum_of_load(self):
        self.assertEqual(lists.sum_of_load(self.servers), Decimal("18.04"))

    def test_load_of_each_state(self):
        wanted = [("down", Decimal("11.21")), ("up", Decimal("6.83"))]
        self.assertEqual(lists.load_of_each_state(self.servers), wanted)

    def test_largest_load(self):
        found = lists.largest_load(self.servers, 2)
        self.assertEqual([item.code for item in found], ["S0457", "S0446"])

    def test_mean_cores(self):
        self.assertEqual(lists.mean_cores(self.servers), 32.0)
        self.assertIsNone(lists.mean_cores([]))

    def test_at_least_cores(self):
        found = lists.at_least_cores(self.servers, 40)
        self.assertEqual([item.code for item in found], ["S0283", "S0457"])

    def test_group_by_state(self):
        groups = lists.group_by_state(self.servers)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"up": 2, "down": 2})

    def test_count_states(self):
        self.assertEqual(lists.count_states(self.servers), [("down", 2), ("up", 2)])


if __name__ == "__main__":
    unittest.main()
