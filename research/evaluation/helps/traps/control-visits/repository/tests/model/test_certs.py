import unittest
from datetime import date

from office.kit.fields import BadField
from office.queries import certs as lists
from office.model.certs import CERTS, changes_of_cert, describe_cert, format_cert, parse_cert

ROWS = [
    {
        "code": "C0017",
        "title": "Small wall",
        "issued": "2024-10-23",
        "expires": "2024-11-15",
        "hosts": "4",
        "kind": "bought",
    },
    {
        "code": "C0293",
        "title": "Plain yard",
        "issued": "2025-02-11",
        "expires": "2025-02-19",
        "hosts": "4",
        "kind": "own",
    },
    {
        "code": "C0761",
        "title": "Upper yard 9",
        "issued": "2025-09-05",
        "expires": "2025-10-25",
        "hosts": "5",
        "kind": "bought",
    },
    {
        "code": "C0997",
        "title": "Small stair",
        "issued": "2025-12-19",
        "expires": "2026-01-12",
        "hosts": "2",
        "kind": "own",
    },
]


class CertTest(unittest.TestCase):
    def setUp(self):
        self.certs = [parse_cert(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_cert(item) for item in self.certs], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(CERTS.read()), 254)
        self.assertEqual(CERTS.get("C0017"), self.certs[0])

    def test_it_is_described(self):
        wanted = [
            "code: C0017",
            "title: Small wall",
            "issued: 23.10.2024",
            "expires: 15.11.2024",
            "hosts: 4",
            "kind: bought",
        ]
        self.assertEqual(list(describe_cert(self.certs[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_cert(self.certs[0], self.certs[1])
        self.assertEqual([name for name, _, _ in found], ["code", "title", "issued", "expires", "kind"])
        self.assertEqual(changes_of_cert(self.certs[0], self.certs[0]), [])

    def test_issued_is_checked(self):
        with self.assertRaises(BadField):
            parse_cert(ROWS[0] | {"issued": "31.02.2025"})

    def test_expires_is_checked(self):
        with self.assertRaises(BadField):
            parse_cert(ROWS[0] | {"expires": "31.02.2025"})

    def test_hosts_is_checked(self):
        with self.assertRaises(BadField):
            parse_cert(ROWS[0] | {"hosts": "several"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_cert(ROWS[0] | {"kind": "unheard of"})

    def test_search_title(self):
        found = lists.search_title(self.certs, "PLAIN")
        self.assertEqual([item.code for item in found], ["C0293"])

    def test_pick_issued_between(self):
        first, last = date(2025, 2, 11), date(2025, 9, 5)
        found = lists.pick_issued_between(self.certs, first, last)
        self.assertEqual([item.code for item in found], ["C0293", "C0761"])

    def test_pick_expires_between(self):
        first, last = date(2025, 2, 19), date(2025, 10, 25)
        found = lists.pick_expires_between(self.certs, first, last)
        self.assertEqual([item.code for item in found], ["C0293", "C0761"])

    def test_mean_hosts(self):
        self.assertEqual(lists.mean_hosts(self.certs), 3.8)
        self.assertIsNone(lists.mean_hosts([]))

    def test_at_least_hosts(self):
        found = lists.at_least_hosts(self.certs, 4)
        self.assertEqual([item.code for item in found], ["C0017", "C0293", "C0761"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.certs)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"bought": 2, "own": 2})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.certs), [("bought", 2), ("own", 2)])


if __name__ == "__main__":
    unittest.main()
