import unittest
from datetime import date
from decimal import Decimal

from office.kit.fields import BadField
from office.queries import domains as lists
from office.model.domains import DOMAINS, changes_of_domain, describe_domain, format_domain, parse_domain

ROWS = [
    {
        "code": "D0111",
        "title": "Bright street",
        "since": "2024-09-14",
        "until_day": "2024-10-23",
        "fee": "29.63",
        "kind": "short",
    },
    {
        "code": "D0270",
        "title": "Outer field",
        "since": "2024-12-09",
        "until_day": "2025-01-09",
        "fee": "40.53",
        "kind": "old",
    },
    {
        "code": "D0485",
        "title": "Small garden",
        "since": "2025-04-02",
        "until_day": "2025-04-15",
        "fee": "11.48",
        "kind": "old",
    },
    {
        "code": "D0502",
        "title": "Quiet hall 6",
        "since": "2025-04-12",
        "until_day": "2025-05-09",
        "fee": "35.32",
        "kind": "main",
    },
]


class DomainTest(unittest.TestCase):
    def setUp(self):
        self.domains = [parse_domain(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_domain(item) for item in self.domains], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(DOMAINS.read()), 236)
        self.assertEqual(DOMAINS.get("D0111"), self.domains[0])

    def test_it_is_described(self):
        wanted = [
            "code: D0111",
            "title: Bright street",
            "since: 14.09.2024",
            "until day: 23.10.2024",
            "fee: 29.63",
            "kind: short",
        ]
        self.assertEqual(list(describe_domain(self.domains[0])), wanted)

    def test_changes_are_named(self):
        found = changes_of_domain(self.domains[0], self.domains[1])
        self.assertEqual([name for name, _, _ in found], ["code", "title", "since", "until_day", "fee", "kind"])
        self.assertEqual(changes_of_domain(self.domains[0], self.domains[0]), [])

    def test_since_is_checked(self):
        with self.assertRaises(BadField):
            parse_domain(ROWS[0] | {"since": "31.02.2025"})

    def test_until_day_is_checked(self):
        with self.assertRaises(BadField):
            parse_domain(ROWS[0] | {"until_day": "31.02.2025"})

    def test_fee_is_checked(self):
        with self.assertRaises(BadField):
            parse_domain(ROWS[0] | {"fee": "a lot"})

    def test_kind_is_checked(self):
        with self.assertRaises(BadField):
            parse_domain(ROWS[0] | {"kind": "unheard of"})

    def test_search_title(self):
        found = lists.search_title(self.domains, "OUTER")
        self.assertEqual([item.code for item in found], ["D0270"])

    def test_pick_since_between(self):
        first, last = date(2024, 12, 9), date(2025, 4, 2)
        found = lists.pick_since_between(self.domains, first, last)
        self.assertEqual([item.code for item in found], ["D0270", "D0485"])

    def test_pick_until_day_between(self):
        first, last = date(2025, 1, 9), date(2025, 4, 15)
        found = lists.pick_until_day_between(self.domains, first, last)
        self.assertEqual([item.code for item in found], ["D0270", "D0485"])

    def test_sum_of_fee(self):
        self.assertEqual(lists.sum_of_fee(self.domains), Decimal("116.96"))

    def test_fee_of_each_kind(self):
        wanted = [("old", Decimal("52.01")), ("main", Decimal("35.32")), ("short", Decimal("29.63"))]
        self.assertEqual(lists.fee_of_each_kind(self.domains), wanted)

    def test_dearest_fee(self):
        found = lists.dearest_fee(self.domains, 2)
        self.assertEqual([item.code for item in found], ["D0270", "D0502"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.domains)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"short": 1, "old": 2, "main": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.domains), [("old", 2), ("main", 1), ("short", 1)])


if __name__ == "__main__":
    unittest.main()
