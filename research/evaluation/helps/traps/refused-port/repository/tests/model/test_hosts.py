import unittest
from datetime import date

from ops.kit.fields import BadField
from ops.queries import hosts as lists
from ops.model.hosts import HOSTS, changes_of_host, describe_host, format_host, parse_host

ROWS = [
    {
        "code": "H0114",
        "title": "Slow cage",
        "since": "2024-05-12",
        "cores": "15",
        "kind": "board",
        "spare": "no",
        "remark": "seen twice",
    },
    {
        "code": "H0374",
        "title": "North cabin",
        "since": "2024-09-22",
        "cores": "53",
        "kind": "tower",
        "spare": "no",
        "remark": "after the update",
    },
    {
        "code": "H0514",
        "title": "Old vault",
        "since": "2024-11-19",
        "cores": "2",
        "kind": "tower",
        "spare": "no",
        "remark": "",
    },
    {
        "code": "H0761",
        "title": "Lower node",
        "since": "2025-04-10",
        "cores": "21",
        "kind": "board",
        "spare": "yes",
        "remark": "after the update",
    },
]


class HostTest(unittest.TestCase):
    def setUp(self):
        self.hosts = [parse_host(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_host(item) for item in self.hosts], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(HOSTS.read()), 251)
        self.assertEqual(HOSTS.get("H0114"), self.hosts[0])

    def test_it_is_described(self):
        wanted = [
            "code: H0114",
            "title: Slow cage",
            "since: 12.05.2024",
            "cores: 15",
            "kind: board",
            "remark: seen twice",
        ]
        self.assertEqual(list(describe_host(self.hosts[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_host(self.hosts[0], self.hosts[1])
        self.assertEqual([name for name, _, _ in found], ["code", "title", "since", "cores", "kind", "remark"])
        self.assertEqual(changes_of_host(self.hosts[0], self.hosts[0]), [])

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
        found = lists.search_title(self.hosts, "NORTH")
        self.assertEqual([item.code for item in found], ["H0374"])

    def test_pick_since_between(self):
        first, last = date(2024, 9, 22), date(2024, 11, 19)
        found = lists.pick_since_between(self.hosts, first, last)
        self.assertEqual([item.code for item in found], ["H0374", "H0514"])

    def test_mean_cores(self):
        self.assertEqual(lists.mean_cores(self.hosts), 22.8)
        self.assertIsNone(lists.mean_cores([]))

    def test_at_least_cores(self):
        found = lists.at_least_cores(self.hosts, 21)
        self.assertEqual([item.code for item in found], ["H0374", "H0761"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.hosts)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"board": 2, "tower": 2})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.hosts), [("board", 2), ("tower", 2)])

    def test_pick_spare(self):
        found = lists.pick_spare(self.hosts)
        self.assertEqual([item.code for item in found], ["H0761"])


if __name__ == "__main__":
    unittest.main()
