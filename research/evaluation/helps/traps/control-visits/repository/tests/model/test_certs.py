import unittest
from datetime import date

from office.kit.fields import BadField
from office.queries import certs as lists
from office.model.certs import CERTS, changes_of_cert, describe_cert, format_cert, parse_cert

ROWS = [
    {
        "code": "C0223",
        "title": "Southern tower",
        "issued": "2024-11-09",
        "expires": "2024-11-26",
        "hosts": "2",
        "kind": "test",
    },
    {
        "code": "C0399",
        "title": "Northern window",
        "issued": "2025-01-23",
        "expires": "2025-02-25",
        "hosts": "2",
        "kind": "test",
    },
    {
        "code": "C0425",
        "title": "Bright street",
        "issued": "2025-02-11",
        "expires": "2025-03-27",
        "hosts": "5",
        "kind": "bought",
    },
    {
        "code": "C0633",
        "title": "Late news",
        "issued": "2025-05-30",
        "expires": "2025-06-27",
        "hosts": "8",
        "kind": "bought",
    },
]


class CertTest(unittest.TestCase):
    def setUp(self):
        self.certs = [parse_cert(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_cert(item) for item in self.certs], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(CERTS.read()), 236)
        self.assertEqual(CERTS.get("C0223"), self.certs[0])

    def test_it_is_described(self):
        wanted = [
            "code: C0223",
            "title: Southern tower",
            "issued: 09.11.2024",
            "expires: 26.11.2024",
            "hosts: 2",
            "kind: test",
        ]
        self.assertEqual(list(describe_cert(self.certs[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_cert(self.certs[0], self.certs[1])
        self.assertEqual([name for name, _, _ in found], ["code", "title", "issued", "expires"])
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
        found = lists.search_title(self.certs, "NORTHERN")
        self.assertEqual([item.code for item in found], ["C0399"])

    def test_pick_issued_between(self):
        first, last = date(2025, 1, 23), date(2025, 2, 11)
        found = lists.pick_issued_between(self.certs, first, last)
        self.assertEqual([item.code for item in found], ["C0399", "C0425"])

    def test_pick_expires_between(self):
        first, last = date(2025, 2, 25), date(2025, 3, 27)
        found = lists.pick_expires_between(self.certs, first, last)
        self.assertEqual([item.code for item in found], ["C0399", "C0425"])

    def test_mean_hosts(self):
        self.assertEqual(lists.mean_hosts(self.certs), 4.2)
        self.assertIsNone(lists.mean_hosts([]))

    def test_at_least_hosts(self):
        found = lists.at_least_hosts(self.certs, 5)
        self.assertEqual([item.code for item in found], ["C0425", "C0633"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.certs)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"test": 2, "bought": 2})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.certs), [("bought", 2), ("test", 2)])


if __name__ == "__main__":
    unittest.main()
