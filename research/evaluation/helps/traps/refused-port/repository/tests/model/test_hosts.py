import unittest
from datetime import date

from ops.kit.fields import BadField
from ops.queries import hosts as lists
from ops.model.hosts import HOSTS, format_host, parse_host

ROWS = [
    {"code": "H0009", "title": "Outer node", "since": "2024-04-04", "cores": "55", "kind": "blade", "spare": "no", "remark": "as before"},
    {"code": "H0055", "title": "North desk", "since": "2024-04-22", "cores": "34", "kind": "tower", "spare": "no", "remark": "by night"},
    {"code": "H0266", "title": "Grey vault 8", "since": "2024-07-25", "cores": "59", "kind": "tower", "spare": "no", "remark": "cable"},
    {"code": "H0866", "title": "Outer rack", "since": "2025-05-21", "cores": "18", "kind": "board", "spare": "no", "remark": "by night"},
]


class HostTest(unittest.TestCase):
    def setUp(self):
        self.hosts = [parse_host(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_host(item) for item in self.hosts], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(HOSTS.read()), 231)
        self.assertEqual(HOSTS.get("H0009"), self.hosts[0])

    def test_since_is_checked(self):
        with self.assertRaises(BadField):
            parse_host(ROWS[0] | {"since": "31.02.2025"})

    def test_cores_is_checked(self):
        with self.assertRaises(BadField):
            parse_host(ROWS[0] | {"cores": "several"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_host(ROWS[0] | {"kind": "unheard of"})

    def test_spare_is_checked(self):
        with self.assertRaises(BadField):
            parse_host(ROWS[0] | {"spare": "perhaps"})

    def test_search_title(self):
        self.assertEqual([item.code for item in lists.search_title(self.hosts, "NORTH")], ["H0055"])

    def test_pick_since_between(self):
        first, last = date(2024, 4, 22), date(2024, 7, 25)
        self.assertEqual([item.code for item in lists.pick_since_between(self.hosts, first, last)], ["H0055", "H0266"])

    def test_mean_cores(self):
        self.assertEqual(lists.mean_cores(self.hosts), 41.5)
        self.assertIsNone(lists.mean_cores([]))

    def test_at_least_cores(self):
        self.assertEqual([item.code for item in lists.at_least_cores(self.hosts, 55)], ["H0009", "H0266"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.hosts)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"blade": 1, "tower": 2, "board": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.hosts), [("tower", 2), ("blade", 1), ("board", 1)])

    def test_pick_spare(self):
        self.assertEqual([item.code for item in lists.pick_spare(self.hosts)], [])


if __name__ == "__main__":
    unittest.main()
