import unittest
from datetime import date

from office.kit.fields import BadField
from office.lists import clients as lists
from office.records.clients import CLIENTS, changes_of_client, describe_client, format_client, parse_client

ROWS = [
    {
        "code": "C0243",
        "place": "Northern oak",
        "since": "2025-01-19",
        "kind": "school",
        "invoices": "21",
        "remark": "",
    },
    {
        "code": "C0521",
        "place": "Wild willow",
        "since": "2025-05-10",
        "kind": "club",
        "invoices": "35",
        "remark": "",
    },
    {
        "code": "C1045",
        "place": "Red roof 8",
        "since": "2025-12-23",
        "kind": "farm",
        "invoices": "23",
        "remark": "to be counted again",
    },
    {
        "code": "C1089",
        "place": "Broad birch",
        "since": "2026-01-14",
        "kind": "town",
        "invoices": "31",
        "remark": "see the folder",
    },
]


class ClientTest(unittest.TestCase):
    def setUp(self):
        self.clients = [parse_client(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_client(item) for item in self.clients], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(CLIENTS.read()), 324)
        self.assertEqual(CLIENTS.get("C0243"), self.clients[0])

    def test_it_is_described(self):
        wanted = [
            "code: C0243",
            "place: Northern oak",
            "since: 19.01.2025",
            "kind: school",
            "invoices: 21",
        ]
        self.assertEqual(list(describe_client(self.clients[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_client(self.clients[0], self.clients[1])
        self.assertEqual([name for name, _, _ in found], ["code", "place", "since", "kind", "invoices"])
        self.assertEqual(changes_of_client(self.clients[0], self.clients[0]), [])

    def test_since_is_checked(self):
        with self.assertRaises(BadField):
            parse_client(ROWS[0] | {"since": "31.02.2025"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_client(ROWS[0] | {"kind": "unheard of"})

    def test_invoices_is_checked(self):
        with self.assertRaises(BadField):
            parse_client(ROWS[0] | {"invoices": "several"})

    def test_search_place(self):
        found = lists.search_place(self.clients, "WILD")
        self.assertEqual([item.code for item in found], ["C0521"])

    def test_find_since_between(self):
        first, last = date(2025, 5, 10), date(2025, 12, 23)
        found = lists.find_since_between(self.clients, first, last)
        self.assertEqual([item.code for item in found], ["C0521", "C1045"])

    def test_by_kind(self):
        groups = lists.by_kind(self.clients)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"school": 1, "club": 1, "farm": 1, "town": 1})

    def test_count_kinds(self):
        wanted = [("club", 1), ("farm", 1), ("school", 1), ("town", 1)]
        self.assertEqual(lists.count_kinds(self.clients), wanted)

    def test_mean_invoices(self):
        self.assertEqual(lists.mean_invoices(self.clients), 27.5)
        self.assertIsNone(lists.mean_invoices([]))

    def test_at_least_invoices(self):
        found = lists.at_least_invoices(self.clients, 31)
        self.assertEqual([item.code for item in found], ["C0521", "C1089"])


if __name__ == "__main__":
    unittest.main()
