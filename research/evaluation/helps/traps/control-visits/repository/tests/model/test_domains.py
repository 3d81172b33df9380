import unittest
from datetime import date
from decimal import Decimal

from office.kit.fields import BadField
from office.queries import domains as lists
from office.model.domains import DOMAINS, changes_of_domain, describe_domain, format_domain, parse_domain

ROWS = [
    {
        "code": "D0171",
        "title": "Second shop",
        "since": "2024-04-07",
        "until_day": "2024-05-17",
        "fee": "29.88",
        "kind": "old",
    },
    {
        "code": "D0251",
        "title": "New bridge",
        "since": "2024-05-18",
        "until_day": "2024-07-03",
        "fee": "34.27",
        "kind": "main",
    },
    {
        "code": "D0341",
        "title": "New path",
        "since": "2024-07-03",
        "until_day": "2024-07-19",
        "fee": "24.89",
        "kind": "old",
    },
    {
        "code": "D0739",
        "title": "New window 9",
        "since": "2024-12-23",
        "until_day": "2025-02-13",
        "fee": "4.99",
        "kind": "short",
    },
]


class DomainTest(unittest.TestCase):
    def setUp(self):
        self.domains = [parse_domain(row) for row in ROWS]

    def test_a_row_is_written_as_it_was_read(self):
        self.assertEqual([format_domain(item) for item in self.domains], ROWS)

    def test_the_file_can_be_read(self):
        self.assertEqual(len(DOMAINS.read()), 200)
        self.assertEqual(DOMAINS.get("D0171"), self.domains[0])

    def test_it_is_described(self):
        wanted = [
            "code: D0171",
            "title: Second shop",
            "since: 07.04.2024",
            "until day: 17.05.2024",
            "fee: 29.88",
            "kind: old",
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
        found = lists.search_title(self.domains, "NEW")
        self.assertEqual([item.code for item in found], ["D0251", "D0341", "D0739"])

    def test_pick_since_between(self):
        first, last = date(2024, 5, 18), date(2024, 7, 3)
        found = lists.pick_since_between(self.domains, first, last)
        self.assertEqual([item.code for item in found], ["D0251", "D0341"])

    def test_pick_until_day_between(self):
        first, last = date(2024, 7, 3), date(2024, 7, 19)
        found = lists.pick_until_day_between(self.domains, first, last)
        self.assertEqual([item.code for item in found], ["D0251", "D0341"])

    def test_sum_of_fee(self):
        self.assertEqual(lists.sum_of_fee(self.domains), Decimal("94.03"))

    def test_fee_of_each_kind(self):
        wanted = [("old", Decimal("54.77")), ("main", Decimal("34.27")), ("short", Decimal("4.99"))]
        self.assertEqual(lists.fee_of_each_kind(self.domains), wanted)

    def test_dearest_fee(self):
        found = lists.dearest_fee(self.domains, 2)
        self.assertEqual([item.code for item in found], ["D0251", "D0171"])

    def test_group_by_kind(self):
        groups = lists.group_by_kind(self.domains)
        sizes = {name: len(items) for name, items in groups.items()}
        self.assertEqual(sizes, {"old": 2, "main": 1, "short": 1})

    def test_count_kinds(self):
        self.assertEqual(lists.count_kinds(self.domains), [("old", 2), ("main", 1), ("short", 1)])


if __name__ == "__main__":
    unittest.main()
