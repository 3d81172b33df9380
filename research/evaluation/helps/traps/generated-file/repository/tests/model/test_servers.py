import unittest
from datetime import date
from decimal import Decimal

from archive.kit.fields import BadField
from archive.queries import servers as lists
from archive.model.servers import SERVERS, changes_of_server, describe_server, format_server, parse_server

ROWS = [
    {"code": "S0089", "place": "Last lamp", "since": "2024-11-22", "load": "2.02", "cores": "14", "state": "up"},
    {"code": "S0275", "place": "Warm yard", "since": "2025-02-11", "load": "1.12", "cores": "56", "state": "spare"},
    {"code": "S0495", "place": "Old river", "since": "2025-05-29", "load": "3.46", "cores": "59", "state": "spare"},
    {"code": "S0963", "place": "New yard", "since": "2025-12-04", "load": "7.39", "cores": "63", "state": "down"},
]


class ServerTest(unittest.TestCase):
    def setUp(self):
        self.servers = [parse_server(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_server(item) for item in self.servers], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(SERVERS.read()), 256)
        self.assertEqual(SERVERS.get("S0089"), self.servers[0])

    def test_it_is_described(self):
        wanted = [
            "code: S0089",
            "place: Last lamp",
            "since: 22.11.2024",
            "load: 2.02",
            "cores: 14",
            "state: up",
        ]
        self.assertEqual(list(describe_server(self.servers[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_server(self.servers[0], self.servers[1])
        self.assertEqual([name for name, _, _ in found], ["code", "place", "since", "load", "cores", "state"])
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
        found = lists.search_place(self.servers, "WARM")
        self.assertEqual([item.code for item in found], ["S0275"])

    def test_pick_since_between(self):
        first, last = date(2025, 2, 11), date(2025, 5, 29)
        found = lists.pick_since_between(self.servers, first, last)
        self.assertEqual([item.code for item in found], ["S0275", "S0495"])

    def test_sum_of_load(self):
        self.assertEqual(lists.sum_of_load(self.servers), Decimal("13.99"))

    def test_load_of_each_state(self):
        wanted = [("down", Decimal("7.39")), ("spare", Decimal("4.58")), ("up", Decimal("2.02"))]
        self.assertEqual(lists.load_of_each_state(self.servers), wanted)

    def test_largest_load(self):
        found = lists.largest_load(self.servers, 2)
        self.assertEqual([item.code for item in found], ["S0963", "S0495"])

    def test_mean_cores(self):
        self.assertEqual(lists.mean_cores(self.servers), 48.0)
        self.assertIsNone(lists.mean_cores([]))

    def test_at_least_cores(self):
        found = lists.at_least_cores(self.servers, 59)
        self.assertEqual([item.code for item in found], ["S0495", "S0963"])

    def test_group_by_state(self):
        groups = lists.group_by_state(self.servers)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"up": 1, "spare": 2, "down": 1})

    def test_count_states(self):
        self.assertEqual(lists.count_states(self.servers), [("spare", 2), ("down", 1), ("up", 1)])


if __name__ == "__main__":
    unittest.main()
